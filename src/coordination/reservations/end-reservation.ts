/** How a reservation ends: row and event together, then its lease. */
import { reservation as contract, type Reservation } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { ReservationTx } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";
import type { ReservationRecord } from "./store.ts";

type Ports = { readonly clock: Clock; readonly leases: LeaseClock };
const facts = { released: contract.ReservationReleased, expired: contract.ReservationExpired };

export async function endReservation(
  record: ReservationRecord,
  how: keyof typeof facts,
  tx: Pick<ReservationTx, "reservations" | "events" | "afterCommit">,
  { clock, leases }: Ports,
): Promise<Reservation> {
  const endedAt = clock.now();
  await tx.reservations.end(record.id, endedAt, how === "expired" ? "expiry" : "release");
  const reservation = viewReservation({ ...record, endedAt }, leases);
  await tx.events.append(record.project, facts[how].of(record.id, { reservation }));
  tx.afterCommit(() => (how === "expired" ? leases.lapse(record) : leases.end(record.id)));
  return reservation;
}
