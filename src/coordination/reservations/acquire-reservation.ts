/**
 * Acquiring: check and insert share one transaction, so of two racing agents exactly one wins.
 *
 *   wanted -> rivals in the same tree (or of repository scope) -> conflict, or: end what ran out, insert, record
 *
 * The same holder asking for the same set again renews it; it never stacks a second row.
 */
import {
  DomainError,
  reservation as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
  type Reservation,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { requireLiveAgent, viewHolder } from "../registry/index.ts";
import { compileInput, type CoveredPaths } from "./covered-paths.ts";
import { endReservation } from "./end-reservation.ts";
import { findOverlaps } from "./find-overlaps.ts";
import type { ReservationPorts, ReservationRepositories, ReservationSettings, ReservationTx } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";
import type { ReservationRecord } from "./store.ts";

type Wanted = InputOf<"reservation.acquire">;
type AgentCall = Call<ReservationRepositories> & { readonly caller: AgentCaller };

export async function acquireReservation(
  wanted: Wanted,
  { caller, transact }: AgentCall,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.acquire">> {
  const covered = compileInput(wanted);
  const settings = await ports.settingsFor(caller.tree);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const own = await tx.reservations.liveOf(caller.project.id, caller.agent.id);
    const same = own.find((other) => isSame(other, wanted, caller));
    if (same !== undefined && ports.leases.isLive(same.id, same.ttlMs))
      return { reservation: await renewed(same, wanted, tx, ports) };
    if (same !== undefined) await endReservation(same, "expired", tx, ports);
    await clearRivals(wanted, covered, caller, tx, ports);
    refuseHoarding(own, wanted, caller, settings, ports);
    return { reservation: await grant(wanted, caller, settings, tx, ports) };
  });
}

async function clearRivals(
  wanted: Wanted,
  covered: CoveredPaths,
  caller: AgentCaller,
  tx: ReservationTx,
  ports: ReservationPorts,
): Promise<void> {
  for await (const { record: other, witness } of findOverlaps(caller.project.id, covered, tx.reservations)) {
    if (!couldBlock(other, wanted, caller)) continue;
    if (ports.leases.isLive(other.id, other.ttlMs)) throw await conflict(other, witness, tx, ports);
    await endReservation(other, "expired", tx, ports);
  }
}

function couldBlock(other: ReservationRecord, wanted: Wanted, caller: AgentCaller): boolean {
  if (other.holder.id === caller.agent.id) return false;
  if (other.mode === "shared" && wanted.mode === "shared") return false;
  return other.tree === caller.tree || other.scope === "repository" || wanted.scope === "repository";
}

async function grant(
  wanted: Wanted,
  caller: AgentCaller,
  settings: ReservationSettings,
  tx: ReservationTx,
  ports: ReservationPorts,
): Promise<Reservation> {
  const { paths, patterns, mode, scope, reason, ttlMs = settings.ttlMs } = wanted;
  const record: ReservationRecord = {
    id: ports.ids.next("rsv"),
    project: caller.project.id,
    tree: caller.tree,
    holder: caller.agent,
    paths,
    patterns,
    mode,
    scope,
    ttlMs,
    ...(reason === undefined ? {} : { reason }),
    fencingToken: await tx.reservations.nextFencingToken(caller.project.id),
    acquiredAt: ports.clock.now(),
    endedAt: undefined,
  };
  await tx.reservations.insert(record);
  ports.leases.run(record.id, ttlMs);
  const reservation = viewReservation(record, ports.leases);
  await tx.events.append(record.project, contract.ReservationAcquired.of(record.id, { reservation }));
  return reservation;
}

/** A longer time limit is taken over, so that it also holds after a restart; a shorter one takes nothing away. */
async function renewed(
  same: ReservationRecord,
  wanted: Wanted,
  tx: ReservationTx,
  { leases }: ReservationPorts,
): Promise<Reservation> {
  const ttlMs = Math.max(same.ttlMs, wanted.ttlMs ?? 0);
  if (ttlMs > same.ttlMs) await tx.reservations.setTtl(same.id, ttlMs);
  leases.run(same.id, ttlMs);
  return viewReservation({ ...same, ttlMs }, leases);
}

function isSame(other: ReservationRecord, wanted: Wanted, caller: AgentCaller): boolean {
  return (
    other.holder.id === caller.agent.id &&
    other.tree === caller.tree &&
    other.mode === wanted.mode &&
    other.scope === wanted.scope &&
    sameSet(other.paths, wanted.paths) &&
    sameSet(other.patterns, wanted.patterns)
  );
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const wanted = new Set(b);
  return new Set(a).size === wanted.size && a.every((entry) => wanted.has(entry));
}

function refuseHoarding(
  own: readonly ReservationRecord[],
  wanted: Wanted,
  caller: AgentCaller,
  { maxPerAgent }: ReservationSettings,
  { leases }: ReservationPorts,
): void {
  const mine = own.filter(({ id, ttlMs }) => leases.isLive(id, ttlMs));
  const used = mine.reduce((count, { paths, patterns }) => count + paths.length + patterns.length, 0);
  if (used + wanted.paths.length + wanted.patterns.length <= maxPerAgent) return;
  throw new DomainError(
    "reservation.limit",
    `${caller.agent.name} already holds ${used} of ${maxPerAgent} paths; release some first, for example ${mine[0]?.id ?? "none"}`,
    {
      details: { limit: maxPerAgent, used, held: mine.map(({ id }) => id) },
    },
  );
}

async function conflict(
  held: ReservationRecord,
  overlap: string,
  tx: ReservationTx,
  { leases, liveness }: ReservationPorts,
): Promise<DomainError> {
  const record = await tx.agents.find(held.holder.id);
  const holder = record === undefined ? held.holder : viewHolder(record, liveness);
  const retryAfterMs = Math.max(1, leases.leftMs(held.id, held.ttlMs));
  return new DomainError(
    "reservation.conflict",
    `"${overlap}" is reserved by ${held.holder.name} for ${Math.ceil(retryAfterMs / 1000)} s more; wait for it or ask for release`,
    {
      details: { reservation: viewReservation(held, leases), holder, overlap, suggestedAction: "wait" },
      retryAfterMs,
    },
  );
}
