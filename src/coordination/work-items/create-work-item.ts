/** Adding a work item; in the caller's project or in another that it names. It may only be linked to items of its own project, which exist already, so no cycle can arise. */
import { workItem as contract, type InputOf, type OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { findProject, possiblePaths, requireLiveAgent } from "../registry/index.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import { resolveLinks } from "./resolve-links.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

export async function createWorkItem(
  {
    body,
    parent,
    labels,
    dependsOn,
    relatesTo,
    discoveredFrom,
    project: elsewhere,
    ...terms
  }: InputOf<"work-item.create">,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  { ids, clock }: WorkItemPorts,
): Promise<OutputOf<"work-item.create">> {
  const paths = elsewhere === undefined ? [] : await possiblePaths(elsewhere);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const project = elsewhere === undefined ? caller.project : await findProject(elsewhere, paths, tx.projects);
    const now = clock.now();
    const record: WorkItemRecord = {
      ...terms,
      ...defined({ body }),
      ...(await resolveLinks({ parent, dependsOn, relatesTo, discoveredFrom }, project, tx)),
      id: ids.next("wrk"),
      project: project.id,
      status: "open",
      labels: [...new Set(labels)],
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
