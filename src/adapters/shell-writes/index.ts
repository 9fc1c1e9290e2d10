export { plainArgv } from "./plain-argv.ts";
export { writtenByShell } from "./written-by-shell.ts";
