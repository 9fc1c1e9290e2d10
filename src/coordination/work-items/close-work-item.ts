/** Closing: by its owner, or by anyone while no live agent owns it. */
import {
  DomainError,
  workItem as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { refuseTaken } from "./claim-work-item.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

type AgentCall = Call<WorkItemRepositories> & { readonly caller: AgentCaller };

export function closeWorkItem(
  { id, reason }: InputOf<"work-item.close">,
  { caller, transact }: AgentCall,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.close">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(id, caller, tx);
    if (record.status === "closed")
      throw new DomainError(
        "work-item.closed",
        `"${record.title}" is already closed (${record.closedReason ?? "done"})`,
        { details: { closedReason: record.closedReason } },
      );
    if (record.owner?.id !== caller.agent.id) await refuseTaken(record, tx, ports);
    const { owner: _owner, ...rest } = record;
    const closed: WorkItemRecord = {
      ...rest,
      status: "closed",
      claimTtlMs: undefined,
      closedReason: reason,
      version: record.version + 1,
      updatedAt: ports.clock.now(),
    };
    await tx.workItems.update(closed);
    const workItem = viewWorkItem(closed);
    await tx.events.append(record.project, contract.WorkItemClosed.of(id, { workItem }));
    return { workItem };
  });
}
