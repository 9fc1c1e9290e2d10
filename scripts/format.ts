/** `npm run format [paths]`: rewrites files in the house format. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const paths = process.argv.slice(2);
const args = ["node_modules/oxfmt/bin/oxfmt", ...(paths.length > 0 ? paths : ["."])];
const run = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
process.exitCode = run.status ?? 1;
