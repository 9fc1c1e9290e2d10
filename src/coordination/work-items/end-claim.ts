/**
 * The end of a claim, whatever its cause: the item without its owner, a handoff record for the next one, the event, and
 * word to an owner who did not end it itself. One transaction with whatever caused it.
 */
import { workItem as contract, type AgentRef, type HandoffRecord } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { DeadlineClock } from "../leases/index.ts";
import { forgetClaim } from "./owner-questions.ts";
import type { WorkItemTx } from "./ports.ts";
import type { ProgressClock } from "./progress-clock.ts";
import type { WorkItemRecord } from "./store.ts";
import { notifyAgent } from "./notify-agent.ts";
import { viewWorkItem } from "./work-item-view.ts";

export type EndOfClaim = {
  readonly how: HandoffRecord["how"];
  readonly status: WorkItemRecord["status"];
  /** Who took it over. */
  readonly by?: AgentRef | undefined;
};
type Tx = Pick<WorkItemTx, "workItems" | "events" | "reservations" | "afterCommit">;
type Ports = { readonly clock: Clock; readonly progress: ProgressClock; readonly deadlines: DeadlineClock };

/** Ends that count against the agent's record: it had the item and did not finish it by its own decision. */
const failures = new Set<HandoffRecord["how"]>(["expired", "stalled", "stuck", "gone"]);

export async function endClaim(record: WorkItemRecord, end: EndOfClaim, tx: Tx, ports: Ports): Promise<WorkItemRecord> {
  const { owner } = record;
  if (owner === undefined) return record;
  await leaveHandoff(record, owner, end, tx, ports);
  if (failures.has(end.how)) await tx.workItems.countOutcome(owner.id, record.type, { done: false, tookMs: 0 });
  const free = withoutClaim(record, end.status, ports.clock.now());
  await tx.workItems.update(free);
  await announce(free, owner, end, tx);
  await notifyFormerOwner(record, owner, end, tx, ports);
  tx.afterCommit(() => forgetClaim(record, ports));
  return free;
}

export function withoutClaim(record: WorkItemRecord, status: WorkItemRecord["status"], now: number): WorkItemRecord {
  const { owner: _owner, claimedAt: _claimedAt, askedAt: _askedAt, handoffRequest: _request, ...rest } = record;
  return {
    ...rest,
    status,
    claimTtlMs: undefined,
    stallAfterMs: undefined,
    version: record.version + 1,
    updatedAt: now,
  };
}

export async function leaveHandoff(
  record: WorkItemRecord,
  owner: AgentRef,
  { how }: Pick<EndOfClaim, "how">,
  tx: Tx,
  { clock }: Pick<Ports, "clock">,
): Promise<HandoffRecord> {
  const held = await tx.reservations.liveOf(record.project, owner.id);
  const handoff: HandoffRecord = {
    from: owner,
    how,
    ...defined({ claimedAt: record.claimedAt }),
    endedAt: clock.now(),
    ...defined({ stuckReason: record.stuck?.reason }),
    progress: record.progress === undefined ? [] : [...(await tx.workItems.progressOf(record.id))],
    files: held.flatMap(({ paths, patterns }) => [...paths, ...patterns]),
  };
  await tx.workItems.setHandoff(record.id, handoff);
  return handoff;
}

async function announce(
  free: WorkItemRecord,
  formerOwner: AgentRef,
  { how }: EndOfClaim,
  tx: Pick<Tx, "events">,
): Promise<void> {
  const workItem = viewWorkItem(free);
  const fact =
    how === "expired"
      ? contract.WorkItemClaimExpired.of(free.id, { workItem, formerOwner })
      : contract.WorkItemReleased.of(free.id, { workItem, formerOwner, how });
  await tx.events.append(free.project, fact);
}

async function notifyFormerOwner(
  record: WorkItemRecord,
  owner: AgentRef,
  { how, by }: EndOfClaim,
  tx: Tx,
  ports: Ports,
): Promise<void> {
  const again = `to continue, claim it again: sylk claim ${record.id}`;
  if (how === "expired") {
    const text = `Your claim of "${record.title}" ran out because nothing was heard of you; ${again}`;
    await notifyAgent(owner, record, { kind: "claim-expired", text }, tx, ports);
  } else if (how === "stalled") {
    const text = `"${record.title}" went back to the queue because nothing moved and you did not answer; ${again}`;
    await notifyAgent(owner, record, { kind: "stall-released", text }, tx, ports);
  } else if (how === "stuck") {
    const text = `${by?.name ?? "Another agent"} took over "${record.title}", which was marked as stuck (${record.stuck?.reason})`;
    await notifyAgent(owner, record, { kind: "taken-over", text, by }, tx, ports);
  }
}
