/** What of ours stands in other people's files: hooks in a client's settings, a line among what git ignores. */
import type { InstallableClientV1 } from "../../contract/index.ts";
import type { OwnPart } from "./file-acts.ts";
import { hasHooks, withHooks, withoutHooks } from "./hook-settings.ts";

export function hooksIn(file: string, { entries, name }: InstallableClientV1, launch: string): OwnPart {
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
