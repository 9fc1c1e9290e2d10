/** Door of looking: what roles read in the caller's tree, by the files git knows and nothing else. */
export { insideTree } from "./known-files.ts";
export { findFiles, findFilesSkill } from "./find-files-skill.ts";
export { inLines, type Lines } from "./file-lines.ts";
export { type KnownFiles, knownFiles } from "./known-files.ts";
export { createReadCache } from "./read-cache.ts";
export { matching, structureOf } from "./list-known-files.ts";
