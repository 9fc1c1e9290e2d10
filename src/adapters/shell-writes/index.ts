export { writtenByShell } from "./written-by-shell.ts";
