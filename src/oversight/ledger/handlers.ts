/** Handler of the ledger: what `contract/ledger.ts` names. */
import { DomainError, messageOf } from "../../contract/errors.ts";
import type { AgentId, ProjectId } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { sharedWhileRunning } from "../../platform/shared-while-running.ts";
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
  /** Sessions of a project: keys of its agents, also of those that have gone, and its own sessions. */
  readonly sessionsOf: (project: ProjectId) => Promise<ReadonlySet<string>>;
  readonly pause: () => Promise<void>;
};

export function ledgerHandlers(
  ports: LedgerHandlerPorts,
): OperationHandlers<LedgerRepositories, OperationsOn<"ledger">> {
  const { store, prices, contexts, sessionsOf, pause } = ports;
  const { reader } = store;
  const events: PagedEvents = { reader, pause };
  /** A question that comes while another one's sources are read shares that reading. */
  const ingest = sharedWhileRunning<"all", readonly string[]>(() => ingestAll(ports, events));
  return {
    async "ledger.show"(input, { caller }) {
      const own = input.here ? await sessionsOf(projectOf(caller)) : undefined;
      const known = prices();
      const missing = await ingest("all");
      const workItemOf: WorkItemOf =
        input.by === "work-item" ? await claimsIn(await ports.sessionKeys(), events) : () => undefined;
      return showLedger(input, {
        reader: reader.ledger,
        prices: await known,
        workItemOf,
        contextNow: contexts.of,
        isOfProject: own && (({ session }) => own.has(session)),
        missing,
        pause,
      });
    },
  };
}

function projectOf({ project }: { readonly project?: { readonly id: ProjectId } | undefined }): ProjectId {
  if (project !== undefined) return project.id;
  throw new DomainError("agent.unknown-project", "Calls of one project need a project: run the command in its folder");
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

/** Under whose claim a call was made, as far back as the event log reaches. */
async function claimsIn(sessionKeys: ReadonlyMap<AgentId, string>, events: PagedEvents): Promise<WorkItemOf> {
  const claims = followClaims(sessionKeys);
  for await (const page of pagesOf(claimEvents, 0, events)) for (const event of page) claims.take(event);
  return claims.workItemOf();
}
