/** The ports of the findings folder. */
import type { RunId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { MailRepository } from "../mail/index.ts";
import type { AgentRepository, Liveness, ProjectRepository } from "../registry/index.ts";
import type { ReservationRepository } from "../reservations/index.ts";
import type { WorkItemPorts, WorkItemRepository } from "../work-items/index.ts";
import type { FindingRepository } from "./store.ts";

export type FindingRepositories = {
  readonly findings: FindingRepository;
  readonly mail: MailRepository;
  readonly agents: AgentRepository;
  readonly projects: ProjectRepository;
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly events: EventRepository;
};
export type FindingTx = FindingRepositories & Transaction;

export type FindingPorts = {
  readonly store: Store<FindingRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly liveness: Liveness;
  readonly leases: LeaseClock;
  /** Session keys of the agents that work for a run. */
  readonly sessionKeysOfRun: (run: RunId) => Promise<readonly string[]>;
  /** For findings that become work items, and work items that close. */
  readonly workItems: WorkItemPorts;
};
