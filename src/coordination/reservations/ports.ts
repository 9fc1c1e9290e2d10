/** The ports of the reservation folder. */
import type { Clock } from "../../platform/clock/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { AgentRepository, Liveness } from "../registry/index.ts";
import type { ResolveName } from "./name-input.ts";
import type { RequestClock } from "./request-clock.ts";
import type { ReservationRepository } from "./store.ts";
import type { WaitLine } from "./wait-line.ts";

export type ReservationRepositories = {
  readonly reservations: ReservationRepository;
  readonly agents: AgentRepository;
  readonly events: EventRepository;
};
export type ReservationTx = ReservationRepositories & Transaction;

export type ReservationSettings = { readonly ttlMs: number; readonly maxPerAgent: number };

export type ReservationPorts = {
  readonly store: Store<ReservationRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly leases: LeaseClock;
  readonly line: WaitLine;
  readonly requests: RequestClock;
  readonly liveness: Liveness;
  /** Settings of the project whose tree this is. */
  readonly settingsFor: (tree: string) => Promise<ReservationSettings>;
  /** Absent where names are resolved already, and where there are no files, as in a simulation. */
  readonly resolveName?: ResolveName | undefined;
};
