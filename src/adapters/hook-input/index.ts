export { malformed, processOf, readSent, type Sent, textOf } from "./read-sent.ts";
export { type Written, writtenByCommand, writtenByPatch, writtenFile } from "./written-paths.ts";
