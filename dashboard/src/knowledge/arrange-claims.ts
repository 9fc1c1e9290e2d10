/** Claims of an answer, each with the shape and word of its kind and the source that bears it out. */
import type { Citation, Claim } from "../daemon/contract.ts";

export type DrawnClaim = {
  readonly text: string;
  readonly kind: Claim["kind"];
  /** State whose shape stands for the kind. */
  readonly shape: string;
  /** The sentence of the source, or why none bears it out. */
  readonly beside: string;
  readonly citation: Citation | undefined;
};

const shapes = { quoted: "verified", supported: "active", unsupported: "failed" } as const;

export function arrangeClaims(claims: readonly Claim[], citations: readonly Citation[]): readonly DrawnClaim[] {
  return claims.map(({ text, kind, citation, evidence, reason }) => ({
    text,
    kind,
    shape: shapes[kind],
    beside:
      kind === "unsupported"
        ? (reason ?? evidence ?? "No source says it.")
        : (evidence ?? "The sentence is not given."),
    citation: citations.find(({ number }) => number === citation),
  }));
}

/** "leases.md:5-8" */
export function citedPlace({ location, lines: { from, to } }: Citation): string {
  return `${location}:${from === to ? from : `${from}-${to}`}`;
}
