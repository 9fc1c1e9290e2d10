export { createCommitter } from "./committer.ts";
export { parseChanges } from "./parse-changes.ts";
