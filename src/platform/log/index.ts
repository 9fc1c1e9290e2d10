/** Door of the operator's log: writing it, keeping it in rotated files, reading it back. */
export { fileSink, type FileSink } from "./file-sink.ts";
export { createLog, type Log, type LogLevel } from "./log.ts";
export { follow, readTail } from "./read-log.ts";
export { redactText } from "./redact-text.ts";
