/** A glob as a tree: what `parsePattern` makes and `buildAutomaton` reads. Positions point into the source, for refusals. */
import type { Ranges } from "./code-points.ts";

export type PatternNode = { readonly position: number } & (
  | { readonly kind: "char"; readonly codePoint: number }
  | { readonly kind: "class"; readonly ranges: Ranges }
  | { readonly kind: "choice"; readonly options: readonly PatternSequence[] }
  | { readonly kind: "any" | "star" | "globstar" | "slash" }
);
export type PatternSequence = readonly PatternNode[];
