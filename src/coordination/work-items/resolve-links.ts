/** Links as callers name them -> items of the same project; a dependency or parent that leads back is refused by its path. */
import { DomainError, type Project, type WorkItemId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { WorkItemTx } from "./ports.ts";
import type { WorkItemRepository } from "./store.ts";

type Tx = Pick<WorkItemTx, "workItems">;
export type Links = Readonly<Record<"dependsOn" | "relatesTo" | "discoveredFrom", WorkItemId[]>> & {
  readonly parent?: WorkItemId;
};
type Named = {
  readonly dependsOn: readonly string[];
  readonly relatesTo: readonly string[];
  readonly discoveredFrom: readonly string[];
  readonly parent?: string | undefined;
};

export async function resolveLinks(named: Named, project: Project, tx: Tx): Promise<Links> {
  const parent = named.parent === undefined ? undefined : await resolve(named.parent, "be a part of", project, tx);
  return {
    dependsOn: await resolveAll(named.dependsOn, "depend on", project, tx),
    relatesTo: await resolveAll(named.relatesTo, "relate to", project, tx),
    discoveredFrom: await resolveAll(named.discoveredFrom, "be found from", project, tx),
    ...defined({ parent }),
  };
}

async function resolveAll(keys: readonly string[], purpose: string, project: Project, tx: Tx): Promise<WorkItemId[]> {
  const found: WorkItemId[] = [];
  for (const key of new Set(keys)) found.push(await resolve(key, purpose, project, tx));
  return [...new Set(found)];
}

async function resolve(key: string, purpose: string, project: Project, { workItems }: Tx): Promise<WorkItemId> {
  const record = (await workItems.find(key as WorkItemId)) ?? (await workItems.findByExternalId(project.id, key));
  if (record?.project === project.id) return record.id;
  throw new DomainError("work-item.not-found", `There is no work item ${key} in this project to ${purpose}`, {
    details: { id: key, suggestedAction: "rerun-discovery" },
  });
}

export async function refuseCycles(id: WorkItemId, { dependsOn, parent }: Links, { workItems }: Tx): Promise<void> {
  for (const needed of dependsOn) await refuseCycle("blocks", id, needed, workItems);
  if (parent !== undefined) await refuseCycle("parent", id, parent, workItems);
}

async function refuseCycle(
  kind: "blocks" | "parent",
  id: WorkItemId,
  to: WorkItemId,
  workItems: WorkItemRepository,
): Promise<void> {
  if (!(await closesCycle(kind, id, to, workItems))) return;
  const cycle = [id, ...(await pathBetween(kind, to, id, workItems))];
  const verb = kind === "blocks" ? "waits for" : "is a part of";
  throw new DomainError("work-item.cycle", `This link would close a cycle: ${cycle.join(` ${verb} `)}`, {
    details: { cycle },
  });
}

/** No link leads to a new item, so it costs nothing to check. */
export async function closesCycle(
  kind: "blocks" | "parent",
  id: WorkItemId,
  to: WorkItemId,
  workItems: WorkItemRepository,
): Promise<boolean> {
  return id === to || ((await workItems.isNeeded(kind, id)) && (await workItems.reaches(kind, to, id)));
}

/** The shortest way, for the message; asked only when there is one. */
async function pathBetween(
  kind: "blocks" | "parent",
  from: WorkItemId,
  to: WorkItemId,
  workItems: WorkItemRepository,
): Promise<readonly WorkItemId[]> {
  const cameFrom = new Map<WorkItemId, WorkItemId | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) break;
    for (const next of await workItems.next(kind, id)) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  const path: WorkItemId[] = [];
  for (let id: WorkItemId | undefined = to; id !== undefined; id = cameFrom.get(id)) path.unshift(id);
  return path;
}
