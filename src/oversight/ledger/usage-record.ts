/**
 * One answered model call and what it cost. A number the client did not write down is undefined: unknown is never zero.
 * The billed parts do not overlap: input is what was neither read from nor written to a cache, output includes reasoning.
 */
import type { ClientName } from "../../contract/index.ts";

export const billedParts = ["input", "output", "cacheRead", "cacheWrite"] as const;
export type BilledPart = (typeof billedParts)[number];

export type UsageRecord = { readonly [Part in BilledPart]: number | undefined } & {
  /** The same call has the same key wherever it is found: in a copied, resumed or re-read transcript. */
  readonly key: string;
  readonly client: ClientName;
  readonly session: string;
  readonly agent: string | undefined;
  /** Of own runs only: clients know neither. */
  readonly role?: string | undefined;
  readonly node?: string | undefined;
  readonly model: string | undefined;
  readonly at: number | undefined;
  /** The part of cacheWrite that is kept for an hour, which costs more. */
  readonly cacheWriteLong: number | undefined;
  /** The other meter: tokens the model had in view at this call. */
  readonly context: number | undefined;
};

/**
 * Of two records of one call the one to keep, whichever came first: a streamed answer is written down several times, and
 * the last time has all its output.
 */
export function preferred(a: UsageRecord, b: UsageRecord): UsageRecord {
  return rank(b) > rank(a) || (rank(b) === rank(a) && tieBreak(b) < tieBreak(a)) ? b : a;
}

function rank({ output }: UsageRecord): number {
  return output ?? -1;
}

/** The earliest wins, so that a resumed session's copy does not take the call from the session that made it. */
function tieBreak({ at, session, ...rest }: UsageRecord): string {
  const others = [
    rest.agent,
    rest.role,
    rest.node,
    rest.model,
    rest.input,
    rest.cacheRead,
    rest.cacheWrite,
    rest.cacheWriteLong,
    rest.context,
  ];
  return `${String(at ?? Number.MAX_SAFE_INTEGER).padStart(16, "0")} ${session} ${JSON.stringify([...others, rest.client])}`;
}

/** Undefined as soon as one part is. */
export function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
}
