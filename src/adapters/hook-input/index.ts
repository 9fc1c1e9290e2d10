export { malformed, processOf, readSent, type Sent, sessionOf, textOf } from "./read-sent.ts";
export { writtenByTool } from "./written-by-tool.ts";
export {
  callId,
  commandText,
  type Written,
  writeEvent,
  writtenByCommand,
  writtenByPatch,
  writtenFile,
} from "./written-paths.ts";
export { metReadOnly, mostSaid } from "./met-read-only.ts";
