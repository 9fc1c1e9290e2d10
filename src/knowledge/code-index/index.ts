/** Door of the code index: what is known about the code of a repository, shared by all its trees. */
export { type CodeAnswer, type CodeQuestion } from "./answer-question.ts";
export { type CodeIndex, type CodeIndexPorts, createCodeIndex } from "./code-index.ts";
export type * from "./facts.ts";
export { type CodePorts, codeHandlers, positionHandlers } from "./handlers.ts";
export {
  defaultLimits,
  type IndexLimits,
  type IndexWatcher,
  type Parser,
  type ParseReply,
  type ParseRequest,
  type WatcherTold,
} from "./ports.ts";
export { type CodeLook, lookInto } from "./look-into.ts";
export { createIndexStates } from "./index-states.ts";
export { indexFileOf } from "./open-index-file.ts";
export { blobHash } from "./blob-hash.ts";
export { readContent } from "./read-content.ts";
export { matchFile } from "./match-file.ts";
export { readDisk } from "./read-disk.ts";
export { reportProgress } from "./report-progress.ts";
export type { FileChange } from "./refresh-tree.ts";
export type { IndexProgress } from "./repository-index.ts";
export type * from "./precise-provider.ts";
export { withPrecise } from "./precise-usages.ts";
