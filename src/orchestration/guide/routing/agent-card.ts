/** The card of an agent, given at registration: its names, its strengths, and what it must not be given. */
import type { RoleName } from "../../../contract/index.ts";
import type { Tense } from "./classify-text.ts";

export type AgentCard = {
  readonly name: RoleName;
  readonly aliases?: readonly string[];
  /** What may stand behind an @ instead of its name, small: @find parseRoute. */
  readonly shortcuts?: readonly string[];
  readonly description?: string;
  /** Decides between equals; a few points at the most. */
  readonly priority?: number;
  readonly intents?: readonly string[];
  readonly domains?: readonly string[];
  /** Single words, lower-case. */
  readonly keywords?: readonly string[];
  readonly patterns?: readonly RegExp[];
  /** Which times its answers are about. */
  readonly tense?: Tense;
  readonly constraints?: {
    /** Answers about what has been, never about what will be. */
    readonly retrospectiveOnly?: boolean;
    /** Only what fits one of its patterns, unless a tag names it. */
    readonly ownSentencesOnly?: boolean;
    /** Only when a tag names it. */
    readonly taggedOnly?: boolean;
    readonly minConfidence?: number;
    /** Answers other agents, and no person: a tag cannot name it and no text is routed to it. */
    readonly internal?: boolean;
  };
};

/** The same registrations, in whatever order they came, have the same fingerprint. */
export function fingerprintOf(cards: readonly AgentCard[]): string {
  return cards
    .map((card) => JSON.stringify(card, (_, value: unknown) => (value instanceof RegExp ? String(value) : value)))
    .sort()
    .join("\n");
}
