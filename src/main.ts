/** The program: reads its surroundings once and hands them to the command line. */
import { plugServe, runCli } from "./surfaces/cli/index.ts";

plugServe(async (terms) => (await import("./serve.ts")).serve(terms));
process.exitCode = await runCli({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
