/** Closing: by its owner, or by anyone while no live agent owns it. */
import {
  DomainError,
  workItem as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { withoutClaim } from "./end-claim.ts";
import { findWorkItem } from "./find-work-item.ts";
import { forgetClaim } from "./owner-questions.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import { refuseTaken } from "./refuse-claim.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

export function closeWorkItem(
  { id: key, reason, fencingToken }: InputOf<"work-item.close">,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.close">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(key, caller, tx);
    refuseLostClaim(record, caller, fencingToken);
    if (record.status === "closed")
      throw new DomainError(
        "work-item.closed",
        `"${record.title}" is already closed (${record.closedReason ?? "done"})`,
        { details: { closedReason: record.closedReason } },
      );
    if (record.owner?.id !== caller.agent.id) await refuseTaken(record, tx, ports);
    const { owner, claimedAt } = record;
    const now = ports.clock.now();
    const { stuck: _stuck, blockedReason: _blockedReason, ...rest } = withoutClaim(record, "closed", now);
    const closed: WorkItemRecord = { ...rest, closedReason: reason };
    await tx.workItems.update(closed);
    if (owner?.id === caller.agent.id)
      await tx.workItems.countOutcome(owner.id, record.type, {
        done: true,
        tookMs: Math.max(0, now - (claimedAt ?? now)),
      });
    tx.afterCommit(() => forgetClaim(record, ports));
    const workItem = viewWorkItem(closed);
    await tx.events.append(record.project, contract.WorkItemClosed.of(record.id, { workItem }));
    return { workItem };
  });
}

/** Fencing: what was done under a claim that ended since must not pass for the present owner's work. */
function refuseLostClaim(record: WorkItemRecord, { agent }: AgentCaller, token: number | undefined): void {
  const { id, title, owner } = record;
  if (token === undefined || (owner?.id === agent.id && token === record.fencingToken)) return;
  const now = owner === undefined ? "it has no owner now" : `${owner.name} owns it now`;
  throw new DomainError(
    "lease.lost",
    `Your claim of "${title}" with token ${token} has ended; ${now}; look at it again with "sylk work show ${id}"`,
    { details: { id, fencingToken: token, ...defined({ holder: owner }) } },
  );
}
