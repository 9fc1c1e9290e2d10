/** Door of tree paths: the one name that a file has in a working tree, however it was written. */
export { foldsCase, spelling } from "./spelling.ts";
export { folderOf } from "./real-place.ts";
export { gitPath, treePath } from "./tree-path.ts";
export { splitGlob, treePattern } from "./tree-pattern.ts";
