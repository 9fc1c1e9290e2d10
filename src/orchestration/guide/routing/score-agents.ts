/**
 * Scores how well each agent fits a text.
 *
 *   score    = priority + 10 intent + 10 domain + 5 tense + 5 per keyword (10 at most) + 10 pattern + 10 a like correction
 *   evidence = score without priority; confidence = min(1, evidence / 25) × (0.6 + 0.4 × lead over the next)
 *
 * Invariant: without evidence no agent is chosen, and of two that fit equally well neither is chosen unasked.
 */
import type { RoleName } from "../../../contract/index.ts";
import { defined } from "../../../platform/defined.ts";
import type { AgentCard } from "./agent-card.ts";
import type { Classification } from "./classify-text.ts";

export type Candidate = {
  readonly name: RoleName;
  readonly score: number;
  readonly evidence: number;
  /** What the points are for, in words. */
  readonly because: readonly string[];
  /** Why it may not get this text, whatever its score. */
  readonly barred?: string;
};
export type Band = "execute" | "log" | "confirm" | "reject";

const points = { intent: 10, domain: 10, tense: 5, keyword: 5, mostKeywords: 10, pattern: 10, correction: 10 } as const;
const fullEvidence = 25;
const leadShare = 0.4;

/** Best first. */
export function scoreAgents(
  text: string,
  classified: Classification,
  cards: readonly AgentCard[],
  corrected?: RoleName,
): readonly Candidate[] {
  return cards
    .map((card) => scoreAgent(text, classified, card, corrected))
    .sort((a, b) => Number(a.barred !== undefined) - Number(b.barred !== undefined) || b.score - a.score);
}

function scoreAgent(
  text: string,
  { intent, domains, tense, words }: Classification,
  card: AgentCard,
  corrected: RoleName | undefined,
): Candidate {
  const because: string[] = [];
  let evidence = 0;
  const give = (amount: number, reason: string): void => {
    evidence += amount;
    because.push(`${reason} +${amount}`);
  };
  if (card.intents?.includes(intent)) give(points.intent, `intent ${intent}`);
  const domain = domains.find((each) => card.domains?.includes(each));
  if (domain !== undefined) give(points.domain, `domain ${domain}`);
  if (card.tense === tense) give(points.tense, `about the ${tense}`);
  const keywords = (card.keywords ?? []).filter((keyword) => words.has(keyword));
  if (keywords.length > 0)
    give(Math.min(points.mostKeywords, points.keyword * keywords.length), `words ${keywords.slice(0, 3).join(", ")}`);
  if (card.patterns?.some((pattern) => pattern.test(text))) give(points.pattern, "its kind of sentence");
  if (corrected === card.name) give(points.correction, "like an earlier correction");
  const barred = whyBarred(card, intent, tense, text);
  return {
    name: card.name,
    score: (card.priority ?? 0) + evidence,
    evidence,
    because,
    ...defined({ barred }),
  };
}

/** The temporal gate and the agent's own terms. */
function whyBarred(
  { constraints = {}, patterns = [] }: AgentCard,
  intent: string,
  tense: Classification["tense"],
  text: string,
): string | undefined {
  if (constraints.taggedOnly) return "answers only when a tag names it";
  if (constraints.retrospectiveOnly && tense !== "past" && intent !== "recall" && intent !== "store")
    return "answers about the past only";
  if (constraints.ownSentencesOnly && !patterns.some((pattern) => pattern.test(text)))
    return "answers only questions that ask for research";
  return undefined;
}

export function confidenceOf([best, next]: readonly Candidate[]): number {
  if (best === undefined || best.barred !== undefined || best.evidence === 0) return 0;
  const rival = next === undefined || next.barred !== undefined ? 0 : next.evidence;
  const lead = Math.max(0, best.evidence - rival) / best.evidence;
  const sure = Math.min(1, best.evidence / fullEvidence) * (1 - leadShare + leadShare * lead);
  return Math.round(sure * 100) / 100;
}

export function bandOf(confidence: number, least = 0): Band {
  if (confidence < 0.5) return "reject";
  if (confidence < 0.75 || confidence < least) return "confirm";
  return confidence < 0.9 ? "log" : "execute";
}
