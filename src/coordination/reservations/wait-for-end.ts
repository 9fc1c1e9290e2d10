/** Waits until one reservation has ended, for whatever reason, and at most as long as asked. */
import type { InputOf, OutputOf } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { compileStored } from "./covered-paths.ts";
import type { ReservationPorts, ReservationRepositories } from "./ports.ts";
import { foreign, noSuchReservation } from "./renew-reservation.ts";

export async function waitForEnd(
  { id, waitMs }: InputOf<"reservation.wait">,
  { caller, signal }: AgentCall<ReservationRepositories>,
  { store, leases, line, clock }: ReservationPorts,
): Promise<OutputOf<"reservation.wait">> {
  const deadline = clock.monotonic() + waitMs;
  for (;;) {
    const record = await store.reader.reservations.find(id);
    if (record === undefined) throw noSuchReservation(id);
    if (record.project !== caller.project.id) throw foreign(id);
    if (record.endedAt !== undefined || !leases.isLive(record)) return { ended: true };
    const leftMs = deadline - clock.monotonic();
    if (leftMs <= 0 || signal?.aborted) return { ended: false };
    await line.noticed(compileStored(record), Math.min(leftMs, leases.leftMs(record)), signal);
  }
}
