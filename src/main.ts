/** The program: reads its surroundings once and hands them to the command line. */
import { commandEntryPoints } from "./app/command-line/entry-points.ts";
import { currentFolder } from "./platform/current-folder.ts";
import { plugEntryPoints, runCli } from "./surfaces/cli/index.ts";

plugEntryPoints(commandEntryPoints);
process.exitCode = await runCli({ argv: process.argv.slice(2), env: process.env, cwd: currentFolder(process.env) });
