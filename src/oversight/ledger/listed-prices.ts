/**
 * Prices as vendors list them, in US dollars for a million tokens, each with the day from which it counts. Only models whose
 * price we know: for all others no money is shown. `prices.yaml` in the user's home goes first.
 */
import type { Price } from "./price-of.ts";

type Amounts = readonly [input: number, output: number, cacheRead: number, cacheWrite: number, cacheWriteLong?: number];

function line(model: string, from: string, amounts: Amounts): Price {
  const [input, output, cacheRead, cacheWrite, cacheWriteLong] = amounts;
  return {
    model,
    from: Date.parse(`${from}T00:00:00Z`),
    perMillion: { input, output, cacheRead, cacheWrite, cacheWriteLong },
  };
}

export const listedPrices: readonly Price[] = [
  line("claude-opus-4-5*", "2025-11-24", [5, 25, 0.5, 6.25, 10]),
  line("claude-opus-4-1*", "2025-08-05", [15, 75, 1.5, 18.75, 30]),
  line("claude-opus-4-2025*", "2025-05-22", [15, 75, 1.5, 18.75, 30]),
  line("claude-sonnet-4-5*", "2025-09-29", [3, 15, 0.3, 3.75, 6]),
  line("claude-sonnet-4-2025*", "2025-05-22", [3, 15, 0.3, 3.75, 6]),
  line("claude-haiku-4-5*", "2025-10-15", [1, 5, 0.1, 1.25, 2]),
  line("gpt-5", "2025-08-07", [1.25, 10, 0.125, 0]),
  line("gpt-5-codex", "2025-09-15", [1.25, 10, 0.125, 0]),
  line("gpt-5-mini", "2025-08-07", [0.25, 2, 0.025, 0]),
];
