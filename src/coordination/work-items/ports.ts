/** The ports of the work item folder. */
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { DeadlineClock } from "../leases/index.ts";
import type { AgentRepository, Liveness, ProjectRepository } from "../registry/index.ts";
import type { ReservationRepository } from "../reservations/index.ts";
import type { ProgressClock } from "./progress-clock.ts";
import type { WorkItemRepository } from "./store.ts";

export type WorkItemRepositories = {
  readonly workItems: WorkItemRepository;
  readonly agents: AgentRepository;
  readonly projects: ProjectRepository;
  readonly events: EventRepository;
  /** For the handoff record: what the last owner had under its hands. */
  readonly reservations: Pick<ReservationRepository, "liveOf">;
};
export type WorkItemTx = WorkItemRepositories & Transaction;

export type WorkItemSettings = {
  readonly claimTtlMs: number;
  readonly maxClaimsPerAgent: number;
  readonly stallAfterMs: number;
};

export type WorkItemPorts = {
  readonly store: Store<WorkItemRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly liveness: Liveness;
  readonly deadlines: DeadlineClock;
  readonly progress: ProgressClock;
  /** How long an owner may take to answer a question. */
  readonly answerWithinMs: number;
  /** Settings of the project whose tree this is. */
  readonly settingsFor: (tree: string) => Promise<WorkItemSettings>;
};
