export type { Language } from "./language.ts";
export { readCode } from "./read-code.ts";
