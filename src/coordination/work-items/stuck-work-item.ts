/**
 * An item that does not move. Its owner says so: anyone may take it over at once. An observer says so: the owner is asked,
 * and may be taken over once it has not answered in time; a progress report takes the mark away.
 */
import { handoff as contract, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { claimLeftMs } from "./claim-lease.ts";
import { leaveHandoff } from "./end-claim.ts";
import { findWorkItem } from "./find-work-item.ts";
import { questionOf } from "./owner-questions.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import { refuseClosed } from "./refuse-claim.ts";
import type { WorkItemRecord } from "./store.ts";
import { notifyAgent } from "./notify-agent.ts";
import { viewWorkItem } from "./work-item-view.ts";

/** Without a live owner, or stuck by its owner's own word, or stuck and its owner had its time to object. */
export function isTakeable(
  record: WorkItemRecord,
  ports: Pick<WorkItemPorts, "liveness" | "deadlines" | "answerWithinMs">,
): boolean {
  if (claimLeftMs(record, ports) === 0) return true;
  if (record.stuck === undefined) return false;
  return (
    record.stuck.by.id === record.owner?.id || ports.deadlines.leftMs(questionOf(record), ports.answerWithinMs) <= 0
  );
}

export function markStuck(
  { id: key, reason }: InputOf<"work-item.stuck">,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.stuck">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(key, caller, tx);
    refuseClosed(record);
    const at = ports.clock.now();
    const stuck: WorkItemRecord = {
      ...record,
      stuck: { reason, by: caller.agent, at },
      version: record.version + 1,
      updatedAt: at,
    };
    await tx.workItems.update(stuck);
    if (record.owner !== undefined) await leaveHandoff(stuck, record.owner, { how: "stuck" }, tx, ports);
    if (record.owner !== undefined && record.owner.id !== caller.agent.id) {
      const text = `${caller.agent.name} says that "${record.title}" is stuck (${reason}). If you still work on it: sylk work progress ${record.id} "<how far>"`;
      await notifyAgent(record.owner, record, { kind: "marked-stuck", text, by: caller.agent }, tx, ports);
      // A second mark gives the owner no more time.
      if (record.stuck === undefined) ports.deadlines.run(questionOf(record), ports.answerWithinMs);
    }
    const workItem = viewWorkItem(stuck);
    await tx.events.append(record.project, contract.WorkItemStuck.of(record.id, { workItem }));
    return { workItem };
  });
}
