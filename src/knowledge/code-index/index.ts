export type * from "./facts.ts";
export { searchFiles } from "./search-files.ts";
export type { FoundFile } from "./search-files.ts";
