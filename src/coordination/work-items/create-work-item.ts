/** Adding a work item; it may only depend on items of its own project, which exist already, so no cycle can arise. */
import {
  DomainError,
  workItem as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

type AgentCall = Call<WorkItemRepositories> & { readonly caller: AgentCaller };

export function createWorkItem(
  wanted: InputOf<"work-item.create">,
  { caller, transact }: AgentCall,
  { ids, clock }: WorkItemPorts,
): Promise<OutputOf<"work-item.create">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const dependsOn = [...new Set(wanted.dependsOn)];
    for (const needed of dependsOn) {
      const found = await tx.workItems.find(needed);
      if (found?.project !== caller.project.id)
        throw new DomainError("work-item.not-found", `There is no work item ${needed} in this project to depend on`, {
          details: { id: needed },
        });
    }
    const now = clock.now();
    const { body, ...terms } = wanted;
    const record: WorkItemRecord = {
      ...terms,
      ...(body === undefined ? {} : { body }),
      id: ids.next("wrk"),
      project: caller.project.id,
      status: "open",
      dependsOn,
      claimTtlMs: undefined,
      fencingToken: 0,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    await tx.workItems.insert(record);
    const workItem = viewWorkItem(record);
    await tx.events.append(record.project, contract.WorkItemCreated.of(record.id, { workItem }));
    return { workItem };
  });
}
