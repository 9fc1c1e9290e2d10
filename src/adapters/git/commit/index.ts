export { readable } from "./changed-files.ts";
export { commitPlace, notPossible } from "./commit-place.ts";
export { createCommitter } from "./committer.ts";
export { copyWithTime, landWithIndex, takeLock } from "./index-lock.ts";
export { parseChanges } from "./parse-changes.ts";
export { openThrowAwayIndex } from "./throw-away-index.ts";
