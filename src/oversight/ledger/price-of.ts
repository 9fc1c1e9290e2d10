/** The price of a call, or undefined: its model had no price then, or a part of its usage is unknown. */
import { billedParts, type UsageRecord } from "./usage-record.ts";

export type Price = {
  /** May end in an asterisk. */
  readonly model: string;
  /** Counts for calls from this time on. */
  readonly from: number;
  /** US dollars for a million tokens. */
  readonly perMillion: {
    readonly [Part in (typeof billedParts)[number] | "cacheWriteLong"]?: number | undefined;
  };
  /** Where it was read, and when. */
  readonly source: string;
  /** Calls with more in view, or with an unknown context, have no price. */
  readonly mostContext?: number;
};
export type Priced = { readonly usd: number; readonly price: Price };

/** The first list goes first: what a user says of a model hides what we say of it. */
export type PriceLists = readonly (readonly Price[])[];

/** A hundred thousand calls have a handful of models: what could price one is looked up once. */
export function createPricing(lists: PriceLists): (record: UsageRecord) => Priced | undefined {
  const candidates = new Map<string, PriceLists>();
  return (record) => {
    const { model, at } = record;
    if (model === undefined || at === undefined) return undefined;
    let own = candidates.get(model);
    if (own === undefined) {
      own = lists.map((list) => list.filter((candidate) => matches(candidate.model, model)).toSorted(bestFirst));
      candidates.set(model, own);
    }
    return pricedBy(record, at, own);
  };
}

function pricedBy(record: UsageRecord, at: number, lists: PriceLists): Priced | undefined {
  for (const list of lists) {
    const price = list.find(({ from }) => from <= at);
    if (price === undefined) continue;
    const usd = isWithin(record, price) ? money(record, price) : undefined;
    return usd === undefined ? undefined : { usd, price };
  }
  return undefined;
}

function bestFirst(a: Price, b: Price): number {
  return b.model.length - a.model.length || b.from - a.from;
}

function isWithin({ context }: UsageRecord, { mostContext }: Price): boolean {
  return mostContext === undefined || (context !== undefined && context <= mostContext);
}

function matches(pattern: string, model: string): boolean {
  return pattern.endsWith("*") ? model.startsWith(pattern.slice(0, -1)) : pattern === model;
}

function money(record: UsageRecord, { perMillion }: Price): number | undefined {
  const long = record.cacheWriteLong ?? 0;
  if (long > (record.cacheWrite ?? 0)) return undefined;
  let sum = 0;
  for (const part of billedParts) {
    const tokens = record[part];
    const short = part === "cacheWrite" ? (tokens ?? 0) - long : tokens;
    const cost = product(short, perMillion[part]);
    if (cost === undefined) return undefined;
    sum += cost;
  }
  const extra = product(long, perMillion.cacheWriteLong);
  return extra === undefined ? undefined : sum + extra;
}

/** A free part need not be known, and an unused part needs no price. */
function product(tokens: number | undefined, perMillion: number | undefined): number | undefined {
  if (tokens === 0 || perMillion === 0) return 0;
  return tokens === undefined || perMillion === undefined ? undefined : (tokens * perMillion) / 1_000_000;
}
