/** Renewing extends a live lease; one that ran out, was given back or passed on is lost, and the answer says so. */
import { DomainError, type AgentCaller, type OutputOf, type ReservationId } from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { endReservation } from "./end-reservation.ts";
import type { ReservationPorts, ReservationRepositories, ReservationTx } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";
import type { ReservationRecord } from "./store.ts";

type AgentCall = Call<ReservationRepositories> & { readonly caller: AgentCaller };

export function renewReservation(
  id: ReservationId,
  { caller, transact }: AgentCall,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.renew">> {
  return transact(caller.project.id, async (tx) => {
    const record = await ownLive(id, caller, tx, ports);
    ports.leases.run(id, record.ttlMs);
    return { reservation: viewReservation(record, ports.leases) };
  });
}

export function releaseReservation(
  id: ReservationId,
  { caller, transact }: AgentCall,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.release">> {
  return transact(caller.project.id, async (tx) => {
    const record = await ownLive(id, caller, tx, ports);
    return { reservation: await endReservation(record, "released", tx, ports) };
  });
}

async function ownLive(
  id: ReservationId,
  { agent, project }: AgentCaller,
  tx: ReservationTx,
  { leases }: ReservationPorts,
): Promise<ReservationRecord> {
  const record = await tx.reservations.find(id);
  if (record === undefined)
    throw new DomainError(
      "reservation.not-found",
      `There is no reservation ${id}; "sylk reservations" lists the live ones`,
      { details: { id } },
    );
  if (record.project !== project.id)
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  if (record.holder.id !== agent.id) {
    throw new DomainError(
      "caller.denied",
      `${id} is held by ${record.holder.name}; only its holder may renew or release it`,
      { details: { holder: record.holder, needed: "the holder's token" } },
    );
  }
  if (record.endedAt === undefined && leases.isLive(id, record.ttlMs)) return record;
  throw new DomainError("lease.lost", `${id} has ended; reserve the paths again before you go on`, { details: { id } });
}
