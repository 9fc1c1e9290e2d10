/** The paths and patterns of one reservation, compiled, and whether two sets of them overlap. */
import { DomainError } from "../../contract/index.ts";
import { glob, InvalidPattern, literal, overlap, type CompiledPattern } from "../path-pattern/index.ts";

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
  return [...paths.map((path) => literal(path)), ...patterns.map((text) => glob(text))];
}

/** A path both sets cover, or undefined. */
export function firstOverlap(a: CoveredPaths, b: CoveredPaths): string | undefined {
  for (const one of a) {
    for (const other of b) {
      const witness = overlap(one, other);
      if (witness !== undefined) return witness;
    }
  }
  return undefined;
}

function checked(field: string, index: number, compile: () => CompiledPattern): CompiledPattern {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    throw new DomainError("input.invalid", `${field}.${index}: ${error.message}`, {
      details: { problems: [{ path: `${field}.${index}`, message: error.message }] },
      cause: error,
    });
  }
}
