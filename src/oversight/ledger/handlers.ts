/** Handler of the ledger: what `contract/ledger.ts` names. */
import { messageOf } from "../../contract/errors.ts";
import type { AgentId } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ContextFeed } from "./context-feed.ts";
import { pagesOf, type PagedEvents } from "./event-pages.ts";
import { claimEvents, followClaims, type WorkItemOf } from "./follow-claims.ts";
import { ingestUsage } from "./ingest-usage.ts";
import { ownRuns } from "./own-runs.ts";
import type { IntakePorts, RecordSource } from "./ports.ts";
import type { PriceLists } from "./price-of.ts";
import { showLedger } from "./show-ledger.ts";
import type { LedgerRepository } from "./store.ts";

export type LedgerRepositories = { readonly ledger: LedgerRepository; readonly events: EventRepository };
export type LedgerHandlerPorts = Pick<IntakePorts, "transcripts" | "now"> & {
  readonly store: Store<LedgerRepositories>;
  /** Sources beside transcripts and own runs. */
  readonly others: readonly RecordSource[];
  /** The user's prices first. */
  readonly prices: () => Promise<PriceLists>;
  readonly contexts: Pick<ContextFeed, "of">;
  /** Session keys of all agents, also of those that have gone. */
  readonly sessionKeys: () => Promise<ReadonlyMap<AgentId, string>>;
  readonly pause: () => Promise<void>;
};

export function ledgerHandlers(
  ports: LedgerHandlerPorts,
): OperationHandlers<LedgerRepositories, OperationsOn<"ledger">> {
  const { store, prices, contexts, pause } = ports;
  const { reader } = store;
  const events: PagedEvents = { reader, pause };
  const ingest = sharedWhileRunning(() => ingestAll(ports, events));
  return {
    async "ledger.show"(input) {
      const known = prices();
      const missing = await ingest();
      const workItemOf: WorkItemOf =
        input.by === "work-item" ? await claimsIn(await ports.sessionKeys(), events) : () => undefined;
      return showLedger(input, {
        reader: reader.ledger,
        prices: await known,
        workItemOf,
        contextNow: contexts.of,
        missing,
        pause,
      });
    },
  };
}

/** Answers with the sources that could not be read. */
async function ingestAll(
  { store, transcripts, others, now }: LedgerHandlerPorts,
  events: PagedEvents,
): Promise<readonly string[]> {
  const missing: string[] = [];
  await ingestUsage({
    reader: store.reader.ledger,
    change: (work) => store.transact("ledger", (tx) => work(tx.ledger)),
    transcripts,
    others: [...others, ownRuns(events)],
    now,
    onFailed: (source, error) => missing.push(`${source}: ${messageOf(error)}`),
  });
  return missing;
}

/** A question that comes while another one's sources are read shares that reading. */
export function sharedWhileRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => (underWay ??= work().finally(() => void (underWay = undefined)));
}

/** Under whose claim a call was made, as far back as the event log reaches. */
async function claimsIn(sessionKeys: ReadonlyMap<AgentId, string>, events: PagedEvents): Promise<WorkItemOf> {
  const claims = followClaims(sessionKeys);
  for await (const page of pagesOf(claimEvents, 0, events)) for (const event of page) claims.take(event);
  return claims.workItemOf();
}
