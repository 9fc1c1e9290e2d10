/** The owner says how far it is: the item moves again, and every question about it is answered. */
import { handoff as contract, type InputOf, type OutputOf, type Progress } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { findWorkItem } from "./find-work-item.ts";
import { requireOwner } from "./give-up-work-item.ts";
import { questionOf } from "./owner-questions.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

const keptReports = 20;

export function reportProgress(
  { id: key, note, percent }: InputOf<"work-item.progress">,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.progress">> {
  return transact(caller.project.id, async (tx) => {
    const record = await findWorkItem(key, caller, tx);
    requireOwner(record, caller);
    const at = ports.clock.now();
    const report: Progress = { note, ...defined({ percent }), by: caller.agent, at };
    const { stuck: _stuck, askedAt: _askedAt, ...rest } = record;
    const moved: WorkItemRecord = { ...rest, progress: report, version: record.version + 1, updatedAt: at };
    await tx.workItems.update(moved);
    await tx.workItems.addProgress(record.id, report, keptReports);
    const workItem = viewWorkItem(moved);
    await tx.events.append(record.project, contract.WorkItemProgressed.of(record.id, { workItem }));
    tx.afterCommit(() => {
      ports.progress.moved(record.id);
      ports.deadlines.end(questionOf(record));
    });
    return { workItem };
  });
}
