export { malformed, processOf, readSent, type Sent, textOf } from "./read-sent.ts";
export { writtenByPatch, writtenByShell } from "./written-paths.ts";
