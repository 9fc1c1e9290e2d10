/**
 * How agents go, alone or with others: what each has is kept as its handoff, then freed and returned to the queue, then
 * the event. All of them are looked at before anything is freed, so that a parent's handoff names its running children.
 */
import { agent as contract, type Handoff, type OfflineReason } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { belongingsOf, type HandoffRepositories } from "../handoff/index.ts";
import type { DeadlineClock, LeaseClock } from "../leases/index.ts";
import { refOf, type AgentRecord, type Liveness } from "../registry/index.ts";
import { endReservation } from "../reservations/index.ts";
import { endClaim, type ProgressClock } from "../work-items/index.ts";

type Tx = HandoffRepositories & Transaction;
export type DeparturePorts = {
  readonly clock: Clock;
  readonly leases: LeaseClock;
  readonly liveness: Liveness;
  readonly deadlines: DeadlineClock;
  readonly progress: ProgressClock;
};
export type Leaving = { readonly record: AgentRecord; readonly reason: NonNullable<Handoff["reason"]> };
const endOfClaim = { ended: "released", "process-gone": "gone", silent: "expired", "parent-offline": "gone" } as const;
export type Freed = { readonly reservations: number; readonly claims: number };

export async function leave(leaving: readonly Leaving[], tx: Tx, ports: DeparturePorts): Promise<Freed> {
  const leftAt = ports.clock.now();
  const { newest: sequence } = await tx.events.bounds();
  for (const { record, reason } of leaving) {
    const belongings = await belongingsOf(record, tx, ports);
    await tx.handoffs.save({ agent: record.id, leftAt, reason, sequence, belongings, homecoming: undefined });
  }
  let freed: Freed = { reservations: 0, claims: 0 };
  for (const one of leaving) {
    const { reservations, claims } = await free(one, tx, ports);
    freed = { reservations: freed.reservations + reservations, claims: freed.claims + claims };
    if (one.reason === "ended") await end(one.record, tx, ports);
    else await goOffline(one.record, one.reason, tx, ports);
  }
  return freed;
}

async function free({ record, reason }: Leaving, tx: Tx, ports: DeparturePorts): Promise<Freed> {
  // Claims first: the handoff record of a claimed item lists what the agent has reserved.
  const claims = await tx.workItems.ownedBy(record.id);
  for (const claim of claims) await endClaim(claim, { how: endOfClaim[reason], status: "open" }, tx, ports);
  const reservations = await tx.reservations.liveOf(record.project.id, record.id);
  for (const one of reservations)
    await endReservation(one, ports.leases.isLive(one) ? "released" : "expired", tx, ports);
  return { reservations: reservations.length, claims: claims.length };
}

async function end(record: AgentRecord, tx: Tx, { clock, liveness }: DeparturePorts): Promise<void> {
  await tx.agents.update({ ...record, endedAt: clock.now() });
  await tx.tokens.revokeAllOf(record.id);
  await tx.events.append(record.project.id, contract.AgentEnded.of(record.id, { agent: refOf(record) }));
  tx.afterCommit(() => liveness.forget(record.id));
}

/** A process that is gone is not watched any longer; another one may come with the next registration. */
async function goOffline(
  record: AgentRecord,
  reason: OfflineReason,
  tx: Tx,
  { clock, liveness }: DeparturePorts,
): Promise<void> {
  const lastSeenAt = liveness.lastSeenAt(record);
  const processStart = reason === "process-gone" ? undefined : record.processStart;
  await tx.agents.update({ ...record, processStart, lastSeenAt, offlineAt: clock.now() });
  await tx.events.append(
    record.project.id,
    contract.AgentOffline.of(record.id, { agent: refOf(record), lastSeenAt, reason }),
  );
}
