export { exportLines } from "./export-lines.ts";
export { importLines } from "./import-lines.ts";
export type { ImportRepository } from "./store.ts";
export { sqliteImports } from "./store.sqlite.ts";
