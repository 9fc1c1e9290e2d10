/** The status line's own program: a client starts it at every turn, so it loads nothing else. */
import { currentFolder } from "./platform/current-folder.ts";
import { statusline } from "./surfaces/statusline/index.ts";

const line = await statusline({ env: process.env, cwd: currentFolder(process.env), stdin: process.stdin });
process.stdout.on("error", () => process.exit(0)); // the client has gone
process.stdout.write(`${line}\n`);
