/** An answer in words, the same for every way it is shown: each claim with its kind, what bears it out, then the places. */
import type { Citation, Claim, ResearchAnswer } from "../../contract/index.ts";
import { oneSpaced } from "./judge-claim.ts";

type Told = Pick<ResearchAnswer, "claims" | "citations" | "confidence" | "sources">;

const noSourceText = "No source says anything about this";

export function answerText({ claims, citations, confidence, sources }: Told): string {
  if (claims.length === 0) return `${noSourceText} (${sources} searched)`;
  return [
    ...claims.flatMap(claimLines),
    "",
    ...citations.map(citationLine),
    `confidence ${confidence.toFixed(2)}`,
  ].join("\n");
}

export function claimLines({ text, kind, citation, evidence, reason }: Claim): readonly string[] {
  const cited = citation === undefined ? "" : ` [${citation}]`;
  const head = `${kind}: ${text}${cited}`;
  if (kind === "supported") return [head, `  source: ${evidence}`];
  if (kind === "unsupported") return [head, `  why: ${reason}`];
  return evidence === undefined || oneSpaced(text).includes(evidence) ? [head] : [head, `  in: ${evidence}`];
}

export function citationLine({ number, title, location, heading, lines }: Citation): string {
  const section = heading === undefined || heading === title ? "" : `, ${heading}`;
  return `[${number}] ${title}${section}  ${location}:${lines.from}-${lines.to}`;
}
