/** Sums of the ledger in which unknown is unknown: never zero, and never part of a sum without being said. */
import type { LedgerTotal } from "../daemon/contract.ts";

/** Tokens of a row whose parts are known; undefined where no part is. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: LedgerTotal): number | undefined {
  const known = [input, output, cacheRead, cacheWrite].filter((part) => part !== null);
  return known.length === 0 ? undefined : known.reduce((sum, part) => sum + part, 0);
}

/** Calls that told not all of their parts. */
export function callsWithUnknown({ unknown }: LedgerTotal): number {
  return Math.max(unknown.input, unknown.output, unknown.cacheRead, unknown.cacheWrite);
}

/** "1.2 M", "34 k", "812"; "unknown" where it is. */
export function sayTokens(tokens: number | null | undefined): string {
  if (tokens === null || tokens === undefined) return "unknown";
  if (tokens >= 1_000_000) return `${(tokens / 1_000_000).toFixed(1)} M`;
  return tokens >= 10_000 ? `${Math.round(tokens / 1_000)} k` : tokens.toLocaleString("en");
}

/** "$1.20", and what the sum leaves out. */
export function sayMoney({ usd, unpriced }: Pick<LedgerTotal, "usd" | "unpriced">): string {
  if (usd === null) return "unknown";
  return unpriced === 0 ? `$${usd.toFixed(2)}` : `at least $${usd.toFixed(2)}`;
}

/** Shares of the largest, from 0 to 1, for bars; undefined where a row is unknown. */
export function sharesOf(values: readonly (number | undefined)[]): readonly (number | undefined)[] {
  const largest = Math.max(0, ...values.filter((value) => value !== undefined));
  return values.map((value) => (value === undefined ? undefined : largest === 0 ? 0 : value / largest));
}
