/** A reservation as callers see it: the row plus its projected end. */
import type { Reservation } from "../../contract/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { ReservationRecord } from "./store.ts";

export function viewReservation(
  {
    project: _project,
    tokens: _tokens,
    waitedMs: _waited,
    takenBack: _back,
    endedAt,
    endedBy: _by,
    ...terms
  }: ReservationRecord,
  leases: LeaseClock,
): Reservation {
  return { ...terms, expiresAt: endedAt ?? leases.expiresAt(terms) };
}
