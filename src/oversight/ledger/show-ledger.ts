/** Answers what calls have used: a page of records at a time, so that a long history holds no other work up. */
import { DomainError } from "../../contract/errors.ts";
import type { InputOf, LedgerBy, LedgerReport, LedgerTotal } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { ContextNow } from "./context-feed.ts";
import { createPricing, type PriceLists } from "./price-of.ts";
import type { LedgerRepository } from "./store.ts";
import { createTally } from "./tally.ts";
import type { UsageRecord } from "./usage-record.ts";

type Ports = {
  readonly reader: LedgerRepository;
  readonly prices: PriceLists;
  /** The work item its agent had claimed when the call was made. */
  readonly workItemOf: (record: UsageRecord) => string | undefined;
  /** What its client said last. */
  readonly contextNow?: (session: string) => ContextNow | undefined;
  /** Absent: calls of every session. */
  readonly isOfProject?: ((record: UsageRecord) => boolean) | undefined;
  readonly missing: readonly string[];
  /** Lets other work run. */
  readonly pause: () => Promise<void>;
};

const pageSize = 2_000;

export async function showLedger(
  {
    by,
    since,
    limit,
    here = false,
  }: Pick<InputOf<"ledger.show">, "by" | "since" | "limit"> & { readonly here?: boolean },
  { reader, prices, workItemOf, contextNow, isOfProject, missing, pause }: Ports,
): Promise<LedgerReport> {
  if (here && isOfProject === undefined)
    throw new DomainError(
      "daemon.unreachable",
      'Without a daemon the project of a call is not known; start one with "sylk up"',
    );
  const all = createTally();
  const named = createTally();
  const priced = createPricing(prices);
  for await (const records of reader.pages({ since, size: pageSize })) {
    for (const record of records) {
      if (isOfProject?.(record) === false) continue;
      const money = priced(record);
      all.add(record, "total", money);
      named.add(record, nameOf(record, by, workItemOf), money);
    }
    await pause();
  }
  const items = named
    .totals()
    .map((item) => (by === "session" ? withContextNow(item, contextNow?.(item.name)) : item))
    .toSorted(by === "day" ? byName : byTokens);
  return {
    by,
    ...defined({ since }),
    total: all.totals()[0] ?? nothing,
    // Of days the newest are wanted, of the rest the largest.
    items: by === "day" ? items.slice(-limit) : items.slice(0, limit),
    left: Math.max(0, items.length - limit),
    sources: await readSources(reader),
    prices: all.prices().map(({ model, from, source }) => ({ model, from, source })),
    missing: [...missing],
  };
}

/** The meters stay apart: it is in no sum. */
function withContextNow(item: LedgerTotal, now: ContextNow | undefined): LedgerTotal {
  if (now === undefined || item.context === null) return item;
  const { used, size, at } = now;
  return { ...item, context: { ...item.context, now: { used, at, ...defined({ size }) } } };
}

const nothing: LedgerTotal = {
  name: "total",
  calls: 0,
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  unknown: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  context: null,
  usd: null,
  unpriced: 0,
};

function nameOf(record: UsageRecord, by: LedgerBy, workItemOf: Ports["workItemOf"]): string {
  const { client, session, agent, role, node, model, at } = record;
  if (by === "client") return client;
  if (by === "session") return session;
  if (by === "agent") return agent === undefined ? session : `${session}/${agent}`;
  if (by === "role") return role ?? "none";
  if (by === "node") return node ?? "none";
  if (by === "model") return model ?? "unknown";
  if (by === "work-item") return workItemOf(record) ?? "none";
  return at === undefined ? "unknown" : new Date(at).toISOString().slice(0, 10);
}

function byName(a: LedgerTotal, b: LedgerTotal): number {
  return a.name < b.name ? -1 : 1;
}

function byTokens(a: LedgerTotal, b: LedgerTotal): number {
  return tokensOf(b) - tokensOf(a) || byName(a, b);
}

function tokensOf({ input, output, cacheRead, cacheWrite }: LedgerTotal): number {
  return (input ?? 0) + (output ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}

async function readSources(reader: LedgerRepository): Promise<LedgerReport["sources"]> {
  const found = new Map<string, { files: number; unreadable: number }>();
  for (const { client, unreadable } of await reader.sources()) {
    const sum = found.get(client) ?? { files: 0, unreadable: 0 };
    found.set(client, { files: sum.files + 1, unreadable: sum.unreadable + unreadable });
  }
  return [...found].map(([client, sum]) => ({ client, ...sum }));
}
