/** Why a claim is refused, and what to do next in that place: pick the next item, look anew, or stop. */
import { DomainError, type AgentRef } from "../../contract/index.ts";
import { viewHolder } from "../registry/index.ts";
import { claimLeftMs } from "./claim-lease.ts";
import type { WorkItemPorts, WorkItemSettings, WorkItemTx } from "./ports.ts";
import type { WorkItemRecord } from "./store.ts";

export async function refuseTaken(
  record: WorkItemRecord,
  tx: Pick<WorkItemTx, "agents">,
  ports: Pick<WorkItemPorts, "liveness">,
): Promise<void> {
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

export function refuseClosed({ status, title, closedReason }: WorkItemRecord): void {
  if (status !== "closed") return;
  throw new DomainError(
    "work-item.closed",
    `"${title}" is closed (${closedReason ?? "done"}); pick the next one from "sylk ready"`,
    { details: { closedReason, suggestedAction: "rerun-discovery" } },
  );
}

export async function refuseUnready(record: WorkItemRecord, tx: Pick<WorkItemTx, "workItems">): Promise<void> {
  refuseClosed(record);
  const { id, title, status, blockedReason } = record;
  if (status === "blocked")
    throw new DomainError(
      "work-item.blocked",
      `"${title}" is blocked (${blockedReason}); when that is over: sylk work update ${id} --status open`,
      { details: { blockedBy: [], blockedReason, suggestedAction: "rerun-discovery" } },
    );
  const blockedBy = await tx.workItems.openDependencies(id);
  if (blockedBy.length > 0)
    throw new DomainError("work-item.blocked", `"${title}" waits for ${named(blockedBy)}; claim one of those first`, {
      details: { blockedBy, suggestedAction: "rerun-discovery" },
    });
}

export async function refuseHoarding(
  { id, name }: AgentRef,
  { maxClaimsPerAgent }: Pick<WorkItemSettings, "maxClaimsPerAgent">,
  tx: Pick<WorkItemTx, "workItems">,
): Promise<void> {
  if ((await tx.workItems.countOwnedBy(id)) < maxClaimsPerAgent) return;
  const held = await tx.workItems.ownedBy(id);
  throw new DomainError(
    "claim.limit",
    `${name} already holds ${held.length} of ${maxClaimsPerAgent} claims; close or release one first, for example ${held[0]?.id}`,
    {
      details: {
        limit: maxClaimsPerAgent,
        used: held.length,
        held: held.map((item) => item.id),
        suggestedAction: "stop-dispatch",
      },
    },
  );
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(", ");
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
