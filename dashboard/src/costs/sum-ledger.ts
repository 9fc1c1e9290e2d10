/**
 * Sums of the ledger. Unknown is never zero: it is in no sum, and each sum says what it leaves out.
 */
import type { LedgerTotal } from "../daemon/contract.ts";

const tokenParts = ["input", "output", "cacheRead", "cacheWrite"] as const;
export type TokenPart = (typeof tokenParts)[number];
/** A sum of what is known; null where nothing is. */
export type KnownSum = { readonly known: number | null; readonly isWhole: boolean };

/** All billed tokens of a row. */
export function billedOf(total: LedgerTotal): KnownSum {
  return {
    known: sumKnown(tokenParts.map((part) => total[part])),
    isWhole: total.calls > 0 && tokenParts.every((part) => total[part] !== null && total.unknown[part] === 0),
  };
}

export function moneyOf({ usd, unpriced }: Pick<LedgerTotal, "usd" | "unpriced">): KnownSum {
  return { known: usd, isWhole: usd !== null && unpriced === 0 };
}

export function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** "1,234", "1,234 + unknown", "unknown". */
export function sayTokens({ known, isWhole }: KnownSum): string {
  if (known === null) return "unknown";
  return `${known.toLocaleString("en")}${isWhole ? "" : " + unknown"}`;
}

export function sayMoney({ known, isWhole }: KnownSum): string {
  if (known === null) return "unknown";
  return `$${known > 0 && known < 0.005 ? known.toPrecision(2) : known.toFixed(2)}${isWhole ? "" : " + unknown"}`;
}

/** What the totals leave out, a sentence each. */
export function leftOut(total: LedgerTotal): readonly string[] {
  const names: Readonly<Record<TokenPart, string>> = {
    input: "input",
    output: "output",
    cacheRead: "cache read",
    cacheWrite: "cache write",
  };
  const parts = tokenParts.filter((part) => total.unknown[part] > 0);
  return [
    ...parts.map((part) => `${of(total.unknown[part], total.calls)} did not tell ${names[part]} tokens.`),
    ...(total.unpriced > 0
      ? [`${of(total.unpriced, total.calls)} have no known price; add prices in prices.yaml of the home.`]
      : []),
  ];
}

function of(some: number, all: number): string {
  return `${some.toLocaleString("en")} of ${all.toLocaleString("en")} calls`;
}
