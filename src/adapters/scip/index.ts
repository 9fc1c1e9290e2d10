/** Door of imported SCIP indexes: the precise provider of the code index that is surest for what it covers. */
export type { Imported } from "./import-index.ts";
export { createScipIndexes, type ScipImport, type ScipIndexes } from "./scip-provider.ts";
