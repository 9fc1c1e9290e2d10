/** What of ours stands in other people's files: hooks in a client's settings, a line among what git ignores. */
import type { InstallableClientV1 } from "../../contract/index.ts";
import type { OwnPart } from "./file-acts.ts";
import { hasHooks, withHooks, withoutHooks } from "./hook-settings.ts";
import { launcherName } from "./launcher-script.ts";
import { statuslineName } from "./statusline-script.ts";
import { withoutStatusline, withStatusline } from "./statusline-setting.ts";

type Wanted = { readonly launch: string; readonly statusline: boolean };

export function settingsPart(file: string, client: InstallableClientV1, { launch, statusline }: Wanted): OwnPart {
  const hooks = hooksIn(file, client, launch);
  const command = launch.replace(`/hooks/${launcherName}`, `/hooks/${statuslineName}`);
  return {
    what: statusline ? `${hooks.what}; the status line` : hooks.what,
    added: (text) => (statusline ? withStatusline(hooks.added(text), command) : hooks.added(text)),
    taken: (text) => hooks.taken(withoutStatusline(text)),
  };
}

function hooksIn(file: string, { entries, name }: InstallableClientV1, launch: string): OwnPart {
  return {
    what: `hooks for ${entries.map(({ event }) => event).join(", ")}`,
    added: (text) => withHooks(text, file, entries, (event) => `${launch} ${name} ${event}`),
    taken: (text) => (hasHooks(text) ? withoutHooks(text, file) : text),
  };
}

const mark = "# sylk";

export function ignored(path: string): OwnPart {
  return {
    what: `ignore ${path}, which is of this machine only`,
    added: (text) => `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${mark}\n/${path}\n`,
    taken: (text) => text.replace(`${mark}\n/${path}\n`, ""),
  };
}
