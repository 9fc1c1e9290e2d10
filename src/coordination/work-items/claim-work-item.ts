/**
 * The one atomic claim: check and set in one transaction, so of any number of racing agents exactly one wins.
 *
 *   free, or its owner's lease ran out -> owned by the caller, fencing token + 1 -> work-item.claimed
 *   already the caller's               -> the same token again
 *   somebody else's                    -> claim.taken, naming the holder
 */
import {
  DomainError,
  workItem as contract,
  type AgentCaller,
  type OutputOf,
  type WorkItemId,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { requireLiveAgent, viewHolder } from "../registry/index.ts";
import { claimLeftMs, leaseOf } from "./claim-lease.ts";
import { findWorkItem } from "./find-work-item.ts";
import { endClaim } from "./give-up-work-item.ts";
import type { WorkItemPorts, WorkItemRepositories, WorkItemSettings, WorkItemTx } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

type AgentCall = Call<WorkItemRepositories> & { readonly caller: AgentCaller };

export async function claimWorkItem(
  id: WorkItemId,
  { caller, transact }: AgentCall,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.claim">> {
  const settings = await ports.settingsFor(caller.tree);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(id, caller, tx);
    if (record.owner?.id === caller.agent.id) return { workItem: viewWorkItem(record), lease: leaseOf(record, ports) };
    await refuseTaken(record, tx, ports);
    await refuseUnready(record, tx);
    await refuseHoarding(caller, settings, tx);
    const free = await endClaim(record, record.status, "expired", tx, ports);
    return win(free, caller, settings, tx, ports);
  });
}

async function win(
  record: WorkItemRecord,
  { agent }: AgentCaller,
  { claimTtlMs }: WorkItemSettings,
  tx: WorkItemTx,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.claim">> {
  const claimed: WorkItemRecord = {
    ...record,
    status: "in_progress",
    owner: agent,
    claimTtlMs,
    fencingToken: record.fencingToken + 1,
    version: record.version + 1,
    updatedAt: ports.clock.now(),
  };
  await tx.workItems.update(claimed);
  const workItem = viewWorkItem(claimed);
  await tx.events.append(
    record.project,
    contract.WorkItemClaimed.of(record.id, {
      workItem,
      owner: agent,
      fencingToken: claimed.fencingToken,
      ttlMs: claimTtlMs,
    }),
  );
  return { workItem, lease: leaseOf(claimed, ports) };
}

export async function refuseTaken(record: WorkItemRecord, tx: WorkItemTx, ports: WorkItemPorts): Promise<void> {
  const retryAfterMs = claimLeftMs(record, ports);
  if (record.owner === undefined || retryAfterMs === 0) return;
  const owner = await tx.agents.find(record.owner.id);
  throw new DomainError(
    "claim.taken",
    `"${record.title}" is claimed by ${record.owner.name}; pick the next one from "sylk ready"`,
    {
      details: {
        holder: owner === undefined ? record.owner : viewHolder(owner, ports.liveness),
        suggestedAction: "pick-next",
      },
      retryAfterMs,
    },
  );
}

async function refuseUnready({ id, status, title, closedReason }: WorkItemRecord, tx: WorkItemTx): Promise<void> {
  if (status === "closed")
    throw new DomainError(
      "work-item.closed",
      `"${title}" is closed (${closedReason ?? "done"}); pick the next one from "sylk ready"`,
      { details: { closedReason } },
    );
  const blockedBy = await tx.workItems.openDependencies(id);
  if (blockedBy.length > 0)
    throw new DomainError(
      "work-item.blocked",
      `"${title}" waits for ${blockedBy.join(", ")}; claim one of those first`,
      { details: { blockedBy } },
    );
}

async function refuseHoarding(
  { agent }: AgentCaller,
  { maxClaimsPerAgent }: WorkItemSettings,
  tx: WorkItemTx,
): Promise<void> {
  if ((await tx.workItems.countOwnedBy(agent.id)) < maxClaimsPerAgent) return;
  const held = await tx.workItems.ownedBy(agent.id);
  throw new DomainError(
    "claim.limit",
    `${agent.name} already holds ${held.length} of ${maxClaimsPerAgent} claims; close or release one first, for example ${held[0]?.id}`,
    {
      details: { limit: maxClaimsPerAgent, used: held.length, held: held.map(({ id }) => id) },
    },
  );
}
