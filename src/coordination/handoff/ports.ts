/** The ports of the handoff folder. */
import type { Clock } from "../../platform/clock/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { Liveness, RegistryRepositories } from "../registry/index.ts";
import type { ReservationRepository } from "../reservations/index.ts";
import type { WorkItemRepository } from "../work-items/index.ts";
import type { HandoffRepository } from "./store.ts";

export type HandoffRepositories = RegistryRepositories & {
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
  readonly handoffs: HandoffRepository;
};
export type HandoffTx = HandoffRepositories & Transaction;

export type HandoffPorts = {
  readonly store: Store<HandoffRepositories>;
  readonly clock: Clock;
  readonly leases: LeaseClock;
  readonly liveness: Liveness;
};
