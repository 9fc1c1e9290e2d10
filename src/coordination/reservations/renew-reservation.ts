/**
 * Renewing extends a live hold, and what its holder has beside it. One that ran out a moment ago may be taken back, before
 * those who wait, unless another agent was granted it since; one that was given back or passed on is lost.
 */
import {
  DomainError,
  reservation as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
  type Reservation,
  type ReservationId,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { overlap } from "../globs/index.ts";
import { renewCluster } from "./cluster.ts";
import { compileStored } from "./covered-paths.ts";
import { endReservation } from "./end-reservation.ts";
import { issued } from "./fencing.ts";
import { findOverlaps } from "./find-overlaps.ts";
import type { ReservationPorts, ReservationRepositories, ReservationTx } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";
import { couldBlock } from "./rivals.ts";
import type { ReservationRecord } from "./store.ts";

export function renewReservation(
  { id, changed }: InputOf<"reservation.renew">,
  { caller, transact }: AgentCall<ReservationRepositories>,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.renew">> {
  return transact(caller.project.id, async (tx) => {
    const record = await ownRecord(id, caller, tx);
    if (!isHeld(record, ports)) return { reservation: await takeBack(record, caller, tx, ports) };
    if (changed) renewCluster(record, await tx.reservations.liveOf(record.project, caller.agent.id), ports.leases);
    return { reservation: viewReservation(record, ports.leases) };
  });
}

export function releaseReservation(
  id: ReservationId,
  { caller, transact }: AgentCall<ReservationRepositories>,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.release">> {
  return transact(caller.project.id, async (tx) => {
    const record = await ownRecord(id, caller, tx);
    if (!isHeld(record, ports)) throw lost(id);
    return { reservation: await endReservation(record, "released", tx, ports) };
  });
}

async function takeBack(
  record: ReservationRecord,
  caller: AgentCaller,
  tx: ReservationTx,
  ports: ReservationPorts,
): Promise<Reservation> {
  if (record.endedBy === "release" || ports.leases.graceLeftMs(record) === 0) throw lost(record.id);
  await requireLiveAgent(caller, tx);
  const claimant = { ...record, agent: record.holder };
  for await (const { record: other } of findOverlaps(record.project, compileStored(record), tx.reservations))
    if (couldBlock(other, claimant) && ports.leases.isLive(other)) throw lost(record.id, other);
  await refuseAfterOthers(record, tx, ports);
  const fencingToken = await tx.reservations.nextFencingToken(record.project);
  const takenBack = record.takenBack + 1;
  // Its former tokens ended with the grant that ran out.
  const tokens = [issued(fencingToken, record)];
  const back: ReservationRecord = {
    ...record,
    fencingToken,
    tokens,
    takenBack,
    endedAt: undefined,
    endedBy: undefined,
  };
  await tx.reservations.widen(back);
  ports.leases.grant(back);
  const reservation = viewReservation(back, ports.leases);
  await tx.events.append(record.project, contract.ReservationAcquired.of(record.id, { reservation, takenBack: true }));
  return reservation;
}

/** Another agent may have had it and be done already: the former holder does not know that change. */
async function refuseAfterOthers(record: ReservationRecord, tx: ReservationTx, ports: ReservationPorts): Promise<void> {
  if (record.endedAt === undefined) return; // a grant to another agent would have ended it
  // The wall clock may have been set back meanwhile; nothing that counts is older than the grace.
  const since = Math.min(record.endedAt, ports.clock.now() - ports.leases.graceMs);
  const covered = compileStored(record);
  const claimant = { ...record, agent: record.holder };
  for (const other of await tx.reservations.endedSince(since, record)) {
    const meets = compileStored(other).some((one) => covered.some((own) => overlap(one, own) !== undefined));
    if (meets && couldBlock(other, claimant)) throw lost(record.id);
  }
}

function isHeld(record: ReservationRecord, { leases }: ReservationPorts): boolean {
  return record.endedAt === undefined && leases.isLive(record);
}

export async function ownRecord(
  id: ReservationId,
  { agent, project }: AgentCaller,
  tx: ReservationTx,
): Promise<ReservationRecord> {
  const record = await tx.reservations.find(id);
  if (record === undefined) throw noSuchReservation(id);
  if (record.project !== project.id) throw foreign(id);
  if (record.holder.id !== agent.id) {
    throw new DomainError(
      "caller.denied",
      `${id} is held by ${record.holder.name}; only its holder may renew or release it`,
      { details: { holder: record.holder, needed: "the holder's token" } },
    );
  }
  return record;
}

export function noSuchReservation(id: ReservationId): DomainError {
  return new DomainError(
    "reservation.not-found",
    `There is no reservation ${id}; "sylk reservations" lists the live ones`,
    { details: { id } },
  );
}

export function foreign(id: ReservationId): DomainError {
  return new DomainError("caller.denied", `${id} belongs to another project`, {
    details: { needed: "a token of that project" },
  });
}

export function lost(id: ReservationId, to?: ReservationRecord): DomainError {
  const now = to === undefined ? "" : `; ${to.holder.name} has it now`;
  return new DomainError("lease.lost", `${id} has ended${now}; reserve the paths again before you continue`, {
    details: { id, ...(to === undefined ? {} : { holder: to.holder }) },
  });
}
