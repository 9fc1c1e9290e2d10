/** Several answers under one list of citations: the same place keeps one number. */
import type { Citation, Claim, ResearchAnswer } from "../../contract/index.ts";

export type Merged = { readonly claims: readonly (readonly Claim[])[]; readonly citations: Citation[] };

export function mergeAnswers(answers: readonly Pick<ResearchAnswer, "claims" | "citations">[]): Merged {
  const citations: Citation[] = [];
  const numberOf = (citation: Citation): number => {
    const { source, location, span } = citation;
    const known = citations.find(
      (one) => one.source === source && one.location === location && one.span.start === span.start,
    );
    if (known !== undefined) return known.number;
    return citations.push({ ...citation, number: citations.length + 1 });
  };
  const claims = answers.map((answer) =>
    answer.claims.map((claim) => {
      const cited = answer.citations.find(({ number }) => number === claim.citation);
      return cited === undefined ? claim : { ...claim, citation: numberOf(cited) };
    }),
  );
  return { claims, citations };
}
