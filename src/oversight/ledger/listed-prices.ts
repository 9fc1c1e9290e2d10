/**
 * Prices as vendors list them, in US dollars for a million tokens. Each has the day from which it counts, the page it was
 * read from and the day of reading. Only what a page says: for all other models no money is shown. `prices.yaml` in the
 * user's home goes first.
 */
import { defined } from "../../platform/defined.ts";
import type { Price } from "./price-of.ts";

type Amounts = readonly [input: number, output: number, cacheRead: number, cacheWrite: number, cacheWriteLong?: number];
type Source = { readonly page: string; readonly seen: string };

const anthropic: Source = { page: "platform.claude.com/docs/en/about-claude/pricing", seen: "2026-11-16" };
const sonnet5: Source = { page: "platform.claude.com/docs/en/models/sonnet-5/overview", seen: "2026-11-16" };
const gpt5Codex: Source = { page: "developers.openai.com/api/docs/models/gpt-5-codex", seen: "2026-11-16" };
/** In credits there, 25 to the dollar. */
const codexRates: Source = {
  page: "OpenAI's Codex rate card as docs.rs/crate/codex-ops/0.1.3 has it",
  seen: "2026-05-13",
};

/**
 * Some models had another price above 200,000 tokens of context at times: there theirs is unknown.
 * No model can have been called before it was there: the day in its name, or its release, is when its price begins.
 */
export const listedPrices: readonly Price[] = [
  line("claude-fable-5", "2026-01-01", [10, 50, 1, 12.5, 20], anthropic),
  line("claude-opus-5", "2026-07-24", [5, 25, 0.5, 6.25, 10], anthropic),
  line("claude-opus-4-8*", "2026-01-01", [5, 25, 0.5, 6.25, 10], anthropic),
  line("claude-opus-4-7*", "2026-01-01", [5, 25, 0.5, 6.25, 10], anthropic),
  line("claude-opus-4-6*", "2026-02-05", [5, 25, 0.5, 6.25, 10], anthropic, 200_000),
  line("claude-opus-4-5*", "2025-11-01", [5, 25, 0.5, 6.25, 10], anthropic),
  line("claude-opus-4-1*", "2025-08-05", [15, 75, 1.5, 18.75, 30], anthropic),
  line("claude-opus-4-2025*", "2025-05-14", [15, 75, 1.5, 18.75, 30], anthropic),
  line("claude-sonnet-5", "2026-06-30", [2, 10, 0.2, 2.5, 4], sonnet5),
  line("claude-sonnet-4-6*", "2026-02-17", [3, 15, 0.3, 3.75, 6], anthropic, 200_000),
  line("claude-sonnet-4-5*", "2025-09-29", [3, 15, 0.3, 3.75, 6], anthropic, 200_000),
  line("claude-sonnet-4-2025*", "2025-05-14", [3, 15, 0.3, 3.75, 6], anthropic, 200_000),
  line("claude-haiku-4-5*", "2025-10-01", [1, 5, 0.1, 1.25, 2], anthropic),
  line("gpt-5-codex", "2025-09-01", [1.25, 10, 0.125, 0], gpt5Codex),
  line("gpt-5.3-codex", "2026-01-01", [1.75, 14, 0.175, 0], codexRates),
  line("gpt-5.2", "2025-12-01", [1.75, 14, 0.175, 0], codexRates),
];

function line(model: string, from: string, amounts: Amounts, { page, seen }: Source, mostContext?: number): Price {
  const [input, output, cacheRead, cacheWrite, cacheWriteLong] = amounts;
  return {
    model,
    from: Date.parse(`${from}T00:00:00Z`),
    perMillion: { input, output, cacheRead, cacheWrite, cacheWriteLong },
    source: `${page}, read ${seen}`,
    ...defined({ mostContext }),
  };
}
