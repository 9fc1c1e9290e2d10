/**
 * Questions about a place in a file, and the precise tools that answer them: an imported index, a language server.
 *
 *   place -> scip -> language server -> (syntax, by the caller)       each: answered | failed | not covered
 *
 * Invariants: "failed" and "not covered" are never an empty list. An answer names every provider that was asked before it
 * and why it did not answer.
 */

/** Lines and columns from 1; a column counts UTF-16 units, as in the facts of the index. */
export type CodePosition = {
  /** Folder of the working tree. */
  readonly tree: string;
  /** From the tree's root. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
};
export type CodeFileAt = Pick<CodePosition, "tree" | "path">;

export type PrecisePlace = {
  /** From the tree's root; absolute, or an address, where it is outside the tree. */
  readonly path: string;
  readonly isInTree: boolean;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Where the provider knows it. */
  readonly isDefinition?: boolean;
};
export type PrecisePlaces = { readonly places: readonly PrecisePlace[]; readonly more: boolean };
export type HoverText = { readonly text: string };
export type CodeDiagnostic = Omit<PrecisePlace, "path" | "isInTree" | "isDefinition"> & {
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  readonly code?: string;
  readonly source?: string;
};
export type CodeDiagnostics = { readonly diagnostics: readonly CodeDiagnostic[]; readonly more: boolean };

export type PreciseName = "scip" | "language-server";
export type PreciseAnswer<Found> =
  | {
      readonly state: "answered";
      readonly found: Found;
      /** likely: the provider itself is not sure that it knows the whole project; `notes` say why. */
      readonly confidence: "exact" | "likely";
      readonly notes: readonly string[];
    }
  /** It should have known, and something went wrong. */
  | { readonly state: "failed"; readonly reason: string }
  /** It has nothing to say about this file: not installed, not imported, out of date. */
  | { readonly state: "not-covered"; readonly reason: string; readonly isStale?: boolean };

export type PreciseProvider = {
  readonly name: PreciseName;
  /** Whether a question to it is cheap: it has what it needs already. */
  isAtHand(file: CodeFileAt): Promise<boolean>;
  hover(at: CodePosition): Promise<PreciseAnswer<HoverText>>;
  definition(at: CodePosition): Promise<PreciseAnswer<PrecisePlaces>>;
  /** With the definition itself. */
  references(at: CodePosition): Promise<PreciseAnswer<PrecisePlaces>>;
  diagnostics(file: CodeFileAt): Promise<PreciseAnswer<CodeDiagnostics>>;
};

export type PreciseOutcome<Found> = {
  readonly answer?: {
    readonly provider: PreciseName;
    readonly found: Found;
    readonly confidence: "exact" | "likely";
  };
  readonly failed: readonly { readonly provider: PreciseName; readonly reason: string }[];
  readonly notCovered: readonly {
    readonly provider: PreciseName;
    readonly reason: string;
    readonly isStale: boolean;
  }[];
  readonly notes: readonly string[];
};

/** The first that answers, in the given order; the others are named with their reasons. */
export async function askPrecise<Found>(
  providers: readonly PreciseProvider[],
  ask: (provider: PreciseProvider) => Promise<PreciseAnswer<Found>>,
): Promise<PreciseOutcome<Found>> {
  const failed: PreciseOutcome<Found>["failed"][number][] = [];
  const notCovered: PreciseOutcome<Found>["notCovered"][number][] = [];
  for (const provider of providers) {
    const { name } = provider;
    const answer = await ask(provider).catch((error: unknown): PreciseAnswer<Found> => ({
      state: "failed",
      reason: error instanceof Error ? error.message : String(error),
    }));
    if (answer.state === "answered") {
      const { found, confidence, notes } = answer;
      return { answer: { provider: name, found, confidence }, failed, notCovered, notes };
    }
    const { reason } = answer;
    if (answer.state === "failed") failed.push({ provider: name, reason });
    else notCovered.push({ provider: name, reason, isStale: answer.isStale ?? false });
  }
  return { failed, notCovered, notes: [] };
}
