/** The world of a simulation: the real coordination of one daemon on a clock moved by hand. The composition root opens it. */
import type { DampingRule, OperationName, OutputOf, RawInputOf } from "../../contract/index.ts";
import type { ManualClock } from "../../platform/clock/index.ts";

/** A registered agent's calls, authenticated like any. */
export type Seat = {
  readonly id: string;
  readonly name: string;
  call<Name extends OperationName>(name: Name, input: RawInputOf<Name>): Promise<OutputOf<Name>>;
};

export type World = {
  readonly clock: ManualClock;
  /** Registers in the simulated repository, or comes back by the same name. */
  join(name: string): Promise<Seat>;
  /** Resolves when everything that can happen without the clock has happened. */
  settled(): Promise<void>;
  /** As the daemon gives turns to commits: overlapping names one after the other. */
  inTurn<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type OpenWorld = (terms: { readonly off: readonly DampingRule[] }) => Promise<World>;
