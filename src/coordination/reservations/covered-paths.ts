/** The paths and patterns of one reservation, compiled. */
import { invalidInput } from "../../contract/index.ts";
import { glob, InvalidPattern, literal, type CompiledPattern } from "../globs/index.ts";
import type { Place } from "./places.ts";

export type CoveredPaths = readonly CompiledPattern[];

type Named = { readonly paths: readonly string[]; readonly patterns: readonly string[] };

/** For input of callers: a pattern that cannot be understood is refused by name. */
export function compileInput({ paths, patterns }: Named): CoveredPaths {
  return [
    ...paths.map((path, index) => checked("paths", index, () => literal(path))),
    ...patterns.map((text, index) => checked("patterns", index, () => glob(text))),
  ];
}

/** For rows: what was stored was understood before. */
export function compileStored({ paths, patterns }: Named): CoveredPaths {
  return [...paths.map((path) => literal(path)), ...patterns.map(compiledGlob)];
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

function checked(field: string, index: number, compile: () => CompiledPattern): CompiledPattern {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw invalidInput(`${field}.${index}`, error.message, { cause: error });
  }
}
