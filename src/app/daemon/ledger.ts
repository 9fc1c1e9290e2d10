/** The composition root's part for the ledger: transcripts, opencode's database, own runs, prices, claims. */
import { setImmediate } from "node:timers/promises"; // clock-exempt: takes no time, lets others have their turn
import { clientPlaces, opencodeSource, transcriptsIn } from "../../adapters/transcripts/index.ts";
import type { LogEvent, OperationName } from "../../contract/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { pricesOf } from "../command-line/standalone-ledger.ts";
import {
  claimEvents,
  followClaims,
  type RecordSource,
  showLedger,
  takeIn,
  type UsageRecord,
  type WorkItemOf,
} from "../../oversight/ledger/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";

export type LedgerOperation = Extract<OperationName, `ledger.${string}`>;

export function ledgerHandlers(parts: Parts, terms: Terms): OperationHandlers<Repositories, LedgerOperation> {
  const { store, clock } = parts;
  const places = clientPlaces(terms.env);
  const reader = store.reader.ledger;
  let underWay: Promise<readonly string[]> | undefined;
  const readOn = async (): Promise<readonly string[]> => {
    const missing: string[] = [];
    await takeIn({
      reader,
      change: (work) => store.transact("ledger", (tx) => work(tx.ledger)),
      transcripts: transcriptsIn(places),
      others: [opencodeSource(places), ownRuns(store)],
      now: () => clock.now(),
      onFailed: (source, error) => missing.push(`${source}: ${error instanceof Error ? error.message : String(error)}`),
    });
    return missing;
  };
  return {
    "ledger.show": async (input) => {
      const prices = pricesOf(terms.paths);
      // Who asks while somebody's question is being read for shares its reading.
      underWay ??= readOn().finally(() => void (underWay = undefined));
      const missing = await underWay;
      const workItemOf = input.by === "work-item" ? await claimsIn(store) : () => undefined;
      return showLedger(input, {
        reader,
        prices: await prices,
        workItemOf,
        contextNow: parts.contexts.of,
        missing,
        pause: () => setImmediate(),
      });
    },
  };
}

/** Every answer that a run or the Guide got is an event; the ledger keeps it longer than the log does. */
function ownRuns({ reader }: Pick<Store<Repositories>, "reader">): RecordSource {
  return {
    source: "runs",
    client: "sylk",
    async *read(after) {
      for await (const events of pagesOf(["run.spent", "ask.classified"], after, reader))
        yield { records: events.map(spentIn), unreadable: 0, next: events.at(-1)!.sequence };
    },
  };
}

function spentIn({ id, at, data, subject }: LogEvent): UsageRecord {
  const {
    session,
    role = "guide",
    node,
    model,
    cost,
  } = data as {
    readonly session: string;
    readonly role?: string;
    readonly node?: string;
    readonly model: string;
    readonly cost: { readonly inputTokens: number; readonly outputTokens: number; readonly unknownCalls: number };
  };
  const known = cost.unknownCalls === 0;
  return {
    key: `run:${id}`,
    client: "sylk",
    session,
    agent: [subject, role, node].filter((part) => part !== undefined).join("/"),
    role,
    node,
    model,
    at,
    input: known ? cost.inputTokens : undefined,
    output: known ? cost.outputTokens : undefined,
    // The event does not tell how much of the input came from a cache.
    cacheRead: undefined,
    cacheWrite: undefined,
    cacheWriteLong: undefined,
    context: known ? cost.inputTokens : undefined,
  };
}

/** Whose claim a call was made under, as far back as the event log reaches. */
async function claimsIn({ reader }: Pick<Store<Repositories>, "reader">): Promise<WorkItemOf> {
  const agents = await reader.agents.list({ project: undefined, includeGone: true });
  const claims = followClaims(new Map(agents.map(({ id, sessionKey }) => [id, sessionKey])));
  for await (const events of pagesOf(claimEvents, 0, reader)) for (const event of events) claims.take(event);
  return claims.workItemOf();
}

async function* pagesOf(
  types: readonly string[],
  start: number,
  { events }: Pick<Repositories, "events">,
): AsyncGenerator<readonly LogEvent[]> {
  for (let after = start; ;) {
    const page = await events.page({ after, limit: 500, types, project: undefined });
    if (page.events.length > 0) yield page.events;
    if (!page.more) return;
    after = page.lastSequence;
    await setImmediate();
  }
}
