/** The ways ownership ends: unclaim (status kept), release (reopened), expiry and the owner's end (reopened). */
import {
  DomainError,
  workItem as contract,
  type AgentCaller,
  type WorkItem,
  type WorkItemId,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts, WorkItemRepositories, WorkItemTx } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

type AgentCall = Call<WorkItemRepositories> & { readonly caller: AgentCaller };
const facts = { released: contract.WorkItemReleased, expired: contract.WorkItemClaimExpired };

export function giveUpWorkItem(
  id: WorkItemId,
  status: "kept" | "reopened",
  { caller, transact }: AgentCall,
  ports: WorkItemPorts,
): Promise<{ workItem: WorkItem }> {
  return transact(caller.project.id, async (tx) => {
    const record = await findWorkItem(id, caller, tx);
    if (record.owner?.id !== caller.agent.id) throw notOwner(record, caller);
    return {
      workItem: viewWorkItem(await endClaim(record, status === "kept" ? record.status : "open", "released", tx, ports)),
    };
  });
}

export async function endClaim(
  record: WorkItemRecord,
  status: WorkItemRecord["status"],
  how: keyof typeof facts,
  tx: Pick<WorkItemTx, "workItems" | "events">,
  { clock }: { readonly clock: Clock },
): Promise<WorkItemRecord> {
  const { owner, ...rest } = record;
  if (owner === undefined) return record;
  const free: WorkItemRecord = {
    ...rest,
    status,
    claimTtlMs: undefined,
    version: record.version + 1,
    updatedAt: clock.now(),
  };
  await tx.workItems.update(free);
  await tx.events.append(
    record.project,
    facts[how].of(record.id, { workItem: viewWorkItem(free), formerOwner: owner }),
  );
  return free;
}

function notOwner({ id, title, owner }: WorkItemRecord, { agent }: AgentCaller): DomainError {
  const now = owner === undefined ? "nobody owns it" : `${owner.name} owns it`;
  return new DomainError("lease.lost", `${agent.name} does not own "${title}" (${now}); claim it first`, {
    details: { id, holder: owner },
  });
}
