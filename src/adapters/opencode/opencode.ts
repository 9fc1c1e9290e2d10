/**
 * opencode behind the client interface. It has no hooks that start commands: it loads a program of ours, which asks the
 * daemon itself and speaks the events below.
 */
import { join } from "node:path";
import type { InstallableClientV1 } from "../../contract/index.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import { readEvent } from "./read-event.ts";

export const opencode: InstallableClientV1 = {
  version: 1,
  name: "opencode",
  callsNameNoSession: true,
  readEvent,
  tell: (_event, text) => text,
  entries: [],
  confinedShell: "bash",
  settingsFile(scope, { tree, userHome, env }) {
    const config = scope === "user" ? join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "opencode") : undefined;
    return join(config ?? join(tree, ".opencode"), "plugins", "sylk.js");
  },
  furtherParts: (file) => [{ file, part: { kind: "file", what: "our plugin", text: opencodePlugin } }],
};
