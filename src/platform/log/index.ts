/** Door of the operator's log: writing it, keeping it in rotated files, reading it back. */
export { fileSink, type FileSink } from "./file-sink.ts";
export { createLog, type Log } from "./log.ts";
export { follow, readTail } from "./read-log.ts";
