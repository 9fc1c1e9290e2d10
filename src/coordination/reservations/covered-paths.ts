/** The paths and patterns of one reservation, compiled in the spelling in which names of its tree are compared. */
import { invalidInput } from "../../contract/index.ts";
import { glob, InvalidPattern, literal, observed, type CompiledPattern } from "../globs/index.ts";
import { spelling } from "../tree-paths/index.ts";
import type { Place } from "./places.ts";

export type CoveredPaths = readonly CompiledPattern[];

export type Named = { readonly paths: readonly string[]; readonly patterns: readonly string[] };

/** For input of callers: a pattern that cannot be understood is refused by name. */
export function compileInput({ paths, patterns }: Named, tree: string): CoveredPaths {
  return [
    ...paths.map((path, index) => checked("paths", index, () => literal(spelling(path, tree)))),
    ...patterns.map((text, index) => checked("patterns", index, () => glob(spelling(text, tree)))),
  ];
}

/** For rows: what was stored was understood before. */
export function compileStored({ paths, patterns, tree }: Named & { readonly tree: string }): CoveredPaths {
  return [
    ...paths.map((path) => compilePath(path, tree)),
    ...patterns.map((text) => compiledGlob(spelling(text, tree))),
  ];
}

/** Of a file that is there, or was reserved: its name is not checked again. */
export function compilePath(path: string, tree: string): CompiledPattern {
  return observed(spelling(path, tree));
}

export function compilePlace({ kind, source }: Pick<Place, "kind" | "source">): CompiledPattern {
  return kind === "path" ? literal(source) : compiledGlob(source);
}

const mostKept = 2_000;
const kept = new Map<string, CompiledPattern>();

/** Compiled globs are immutable and asked for again at every check; the oldest make room. */
function compiledGlob(text: string): CompiledPattern {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
  const compiled = glob(text);
  kept.set(text, compiled);
  return compiled;
}

export function checked<T>(field: string, index: number, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw invalidInput(`${field}.${index}`, error.message, { cause: error });
  }
}
