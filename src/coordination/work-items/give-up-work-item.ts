/** The ways an owner gives up: unclaim (status kept) and release (reopened). */
import { DomainError, type AgentCaller, type WorkItem } from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { endClaim } from "./end-claim.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

export function giveUpWorkItem(
  key: string,
  status: "kept" | "reopened",
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<{ workItem: WorkItem }> {
  return transact(caller.project.id, async (tx) => {
    const record = await findWorkItem(key, caller, tx);
    requireOwner(record, caller);
    const end =
      status === "kept"
        ? ({ how: "unclaimed", status: record.status } as const)
        : ({ how: "released", status: "open" } as const);
    return { workItem: viewWorkItem(await endClaim(record, end, tx, ports)) };
  });
}

export function requireOwner({ id, title, owner }: WorkItemRecord, { agent }: AgentCaller): void {
  if (owner?.id === agent.id) return;
  const now = owner === undefined ? "it has no owner" : `${owner.name} owns it`;
  throw new DomainError(
    "lease.lost",
    `${agent.name} does not own "${title}" (${now}); claim it first, or read "sylk work notices"`,
    { details: { id, holder: owner } },
  );
}
