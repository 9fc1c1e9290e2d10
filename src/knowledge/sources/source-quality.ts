/**
 * How far a source can be relied on, and from that how sure an answer is. The formula is part of the documentation
 * (docs/research.md).
 *
 *   quality    = base of its kind − 0.1 if it says that it is older than 5 years − 0.2 if more than 1 in 1,000 characters is damaged
 *   confidence = share of claims that are quoted or supported × (1 − product of (1 − quality) over the sources they cite), at most 0.95
 */
import type { Citation, Claim, SourceKind } from "../../contract/index.ts";

const baseQuality: Readonly<Record<SourceKind, number>> = {
  rfc: 0.9,
  paper: 0.8,
  documentation: 0.8,
  repository: 0.7,
  folder: 0.7,
  file: 0.7,
  article: 0.5,
};
const fiveYearsMs = 5 * 365 * 24 * 3_600_000;
const mostConfidence = 0.95;

type Facts = { readonly publishedAt?: number | undefined; readonly damaged: number; readonly bytes: number };

export function qualityOf(kind: SourceKind, { publishedAt, damaged, bytes }: Facts, now: number): number {
  const isOld = publishedAt !== undefined && now - publishedAt > fiveYearsMs && kind !== "rfc";
  const isDamaged = damaged * 1_000 > bytes;
  return rounded(Math.max(0, baseQuality[kind] - (isOld ? 0.1 : 0) - (isDamaged ? 0.2 : 0)));
}

export function confidenceOf(claims: readonly Claim[], citations: readonly Citation[]): number {
  const borne = claims.filter(({ kind }) => kind !== "unsupported");
  if (borne.length === 0) return 0;
  const cited = new Map(
    borne.flatMap(({ citation }) => {
      const found = citations.find(({ number }) => number === citation);
      return found === undefined ? [] : [[found.source, found.quality] as const];
    }),
  );
  const doubt = [...cited.values()].reduce((product, quality) => product * (1 - quality), 1);
  return rounded(Math.min(mostConfidence, (borne.length / claims.length) * (1 - doubt)));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
