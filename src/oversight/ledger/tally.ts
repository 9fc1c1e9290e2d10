/** Adds up calls under the names a question asks for; each meter and each unknown on its own. */
import type { LedgerTotal } from "../../contract/index.ts";
import type { Price, Priced } from "./price-of.ts";
import { type BilledPart, billedParts, type UsageRecord } from "./usage-record.ts";

export type Tally = {
  add(record: UsageRecord, name: string, priced: Priced | undefined): void;
  totals(): readonly LedgerTotal[];
  /** Prices that money was reckoned with. */
  prices(): readonly Price[];
};

type Sum = {
  calls: number;
  readonly known: Record<BilledPart, number>;
  readonly unknown: Record<BilledPart, number>;
  context: { peak: number; last: number; lastAt: number } | undefined;
  usd: number;
  priced: number;
};

export function createTally(): Tally {
  const sums = new Map<string, Sum>();
  const used = new Set<Price>();
  return {
    add(record, name, priced) {
      let sum = sums.get(name);
      if (sum === undefined) sums.set(name, (sum = nothing()));
      if (priced !== undefined) used.add(priced.price);
      addTo(sum, record, priced?.usd);
    },
    prices: () => [...used],
    totals: () => [...sums].map(([name, sum]) => totalOf(name, sum)),
  };
}

function nothing(): Sum {
  const zeros = () => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
  return { calls: 0, known: zeros(), unknown: zeros(), context: undefined, usd: 0, priced: 0 };
}

function addTo(sum: Sum, record: UsageRecord, usd: number | undefined): void {
  sum.calls++;
  for (const part of billedParts) {
    const tokens = record[part];
    if (tokens === undefined) sum.unknown[part]++;
    else sum.known[part] += tokens;
  }
  if (usd !== undefined) {
    sum.usd += usd;
    sum.priced++;
  }
  const { context, at = 0 } = record;
  if (context === undefined) return;
  const before = sum.context ?? { peak: 0, last: 0, lastAt: -1 };
  sum.context = {
    peak: Math.max(before.peak, context),
    // Of calls in the same millisecond the larger one, so that the order of reading does not matter.
    last: at > before.lastAt ? context : at === before.lastAt ? Math.max(before.last, context) : before.last,
    lastAt: Math.max(before.lastAt, at),
  };
}

function totalOf(name: string, { calls, known, unknown, context, usd, priced }: Sum): LedgerTotal {
  const part = (which: BilledPart) => (unknown[which] === calls ? null : known[which]);
  return {
    name,
    calls,
    input: part("input"),
    output: part("output"),
    cacheRead: part("cacheRead"),
    cacheWrite: part("cacheWrite"),
    unknown: { ...unknown },
    context: context === undefined ? null : { peak: context.peak, last: context.last },
    usd: priced === 0 ? null : Math.round(usd * 1e6) / 1e6,
    unpriced: calls - priced,
  };
}
