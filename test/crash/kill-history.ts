/**
 * What clients did and were told, and what the daemon shows afterwards: the two sides that the checker compares.
 *
 * Every call has a mark of its own (its key) in a field that comes back in its event, so an event names its call.
 */
import type { AgentId, LogEvent, OutputOf, RawInputOf, Reservation, WorkItem } from "../../src/contract/index.ts";

export type TriedOperation =
  | "agent.register"
  | "work-item.create"
  | "work-item.claim"
  | "work-item.release"
  | "work-item.close"
  | "reservation.acquire"
  | "reservation.release";

/** `waiting`: no answer yet; whether it took effect is not known. */
type Outcome<Name extends TriedOperation> =
  | { readonly kind: "waiting" }
  | { readonly kind: "done"; readonly answer: OutputOf<Name> }
  | { readonly kind: "refused"; readonly code: string };

export type CallOf<Name extends TriedOperation> = {
  readonly operation: Name;
  readonly key: string;
  readonly agent: AgentId;
  readonly input: RawInputOf<Name>;
  outcome: Outcome<Name>;
};
export type Call = { [Name in TriedOperation]: CallOf<Name> }[TriedOperation];

export type Snapshot = {
  /** All of them, by cursor. */
  readonly events: readonly LogEvent[];
  readonly workItems: readonly WorkItem[];
  /** The live ones. */
  readonly reservations: readonly Reservation[];
};
