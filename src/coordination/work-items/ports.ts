/** What the work item folder needs from outside. */
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { AgentRepository, Liveness } from "../registry/index.ts";
import type { WorkItemRepository } from "./store.ts";

export type WorkItemRepositories = {
  readonly workItems: WorkItemRepository;
  readonly agents: AgentRepository;
  readonly events: EventRepository;
};
export type WorkItemTx = WorkItemRepositories & Transaction;

export type WorkItemSettings = { readonly claimTtlMs: number; readonly maxClaimsPerAgent: number };

export type WorkItemPorts = {
  readonly store: Store<WorkItemRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly liveness: Liveness;
  /** Settings of the project whose tree this is. */
  readonly settingsFor: (tree: string) => Promise<WorkItemSettings>;
};
