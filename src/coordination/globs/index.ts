/** Door of path patterns: compile a literal path or a glob, ask what it matches and whether two of them meet. */
export { canBeHeld, whyNotHeld } from "./can-be-held.ts";
export { InvalidPattern } from "./invalid-pattern.ts";
export { normalizePath } from "./normalize-path.ts";
export { type CompiledPattern, glob, literal, matches, observed, overlap } from "./path-pattern.ts";
