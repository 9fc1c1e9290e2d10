export { createCommitter } from "./committer.ts";
