/**
 * How agents go, alone or with others: what each has is kept as its handoff, then freed and returned to the queue, then
 * the event. All of them are looked at before anything is freed, so that a parent's handoff names its running children.
 */
import { agent as contract, type Handoff, type LeftProcesses, type OfflineReason } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { belongingsOf, type HandoffRepositories } from "../handoff/index.ts";
import type { DeadlineClock, LeaseClock } from "../leases/index.ts";
import { refOf, type AgentRecord, type Liveness } from "../registry/index.ts";
import { endReservation, type ReservationRecord } from "../reservations/index.ts";
import { endClaim, type ProgressClock } from "../work-items/index.ts";

type Tx = HandoffRepositories & Transaction;
export type DeparturePorts = {
  readonly clock: Clock;
  readonly leases: LeaseClock;
  readonly liveness: Liveness;
  readonly deadlines: DeadlineClock;
  readonly progress: ProgressClock;
};
export type Leaving = {
  readonly record: AgentRecord;
  readonly reason: NonNullable<Handoff["reason"]>;
  /** Processes that outlived its client: what it holds is freed when they are over (left-processes/), not now. */
  readonly left?: { readonly processes: readonly LeftProcess[] } | undefined;
};
type LeftProcess = LeftProcesses["processes"][number];
const endOfClaim = { ended: "released", "process-gone": "gone", silent: "expired", "parent-offline": "gone" } as const;
/** The wait for the processes renews this every second; should it fail, the holds run out. */
export const heldBackMs = 30_000;
export type Freed = { readonly reservations: number; readonly claims: number };

export async function leave(leaving: readonly Leaving[], tx: Tx, ports: DeparturePorts): Promise<Freed> {
  const leftAt = ports.clock.now();
  const { newest: sequence } = await tx.events.bounds();
  for (const { record, reason, left } of leaving) {
    const held = await belongingsOf(record, tx, ports);
    const waits = left !== undefined && held.reservations.length > 0;
    const belongings = waits ? { ...held, left: { processes: [...left.processes], changed: [] } } : held;
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

async function free({ record, reason, left }: Leaving, tx: Tx, ports: DeparturePorts): Promise<Freed> {
  // Claims first: the handoff record of a claimed item lists what the agent has reserved.
  const claims = await tx.workItems.ownedBy(record.id);
  for (const claim of claims) await endClaim(claim, { how: endOfClaim[reason], status: "open" }, tx, ports);
  const reservations = await tx.reservations.liveOf(record.project.id, record.id);
  const waiting = left === undefined ? [] : reservations.filter((one) => ports.leases.isLive(one));
  if (waiting.length > 0) await holdBack(waiting, record, left!, tx, ports);
  const freed = reservations.filter((one) => !waiting.includes(one));
  for (const one of freed) await endReservation(one, ports.leases.isLive(one) ? "released" : "expired", tx, ports);
  return { reservations: freed.length, claims: claims.length };
}

async function holdBack(
  waiting: readonly ReservationRecord[],
  record: AgentRecord,
  left: NonNullable<Leaving["left"]>,
  tx: Tx,
  { leases }: DeparturePorts,
): Promise<void> {
  for (const one of waiting) leases.holdBack(one, heldBackMs);
  const processes = left.processes.map(({ pid, command }) => ({ pid, command }));
  const event = contract.AgentProcessesLeft.of(record.id, { agent: refOf(record), processes });
  await tx.events.append(record.project.id, event);
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
