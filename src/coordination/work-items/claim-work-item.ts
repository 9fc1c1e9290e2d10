/**
 * The one atomic claim: check and set in one transaction, so of any number of racing agents exactly one wins.
 *
 *   free, or its owner's lease ran out -> owned by the caller, fencing token + 1 -> work-item.claimed
 *   stuck, and its owner lets it go    -> the same; the former owner is told who took it
 *   already the caller's               -> the same token again
 *   another agent's                    -> claim.taken, naming the holder, who learns of the attempt
 */
import {
  DomainError,
  fromErrorBody,
  toErrorBody,
  workItem as contract,
  type AgentCaller,
  type AgentRef,
  type ErrorBody,
  type OutputOf,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { claimLeftMs, leaseOf } from "./claim-lease.ts";
import { endClaim } from "./end-claim.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts, WorkItemRepositories, WorkItemSettings, WorkItemTx } from "./ports.ts";
import { refuseHoarding, refuseTaken, refuseUnready } from "./refuse-claim.ts";
import type { WorkItemRecord } from "./store.ts";
import { isTakeable } from "./stuck-work-item.ts";
import { notifyAgent } from "./notify-agent.ts";
import { viewWorkItem } from "./work-item-view.ts";

type Claimed = OutputOf<"work-item.claim">;

export async function claimWorkItem(
  key: string,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<Claimed> {
  const settings = await ports.settingsFor(caller.tree);
  const outcome = await transact(caller.project.id, async (tx): Promise<Claimed | ErrorBody> => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(key, caller, tx);
    try {
      return await claimed(record, caller, settings, tx, ports);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "claim.taken")) throw error;
      // Kept although the claim is refused: that is why the refusal is an answer here, and thrown only afterwards.
      await tellOfAttempt(record, caller.agent, tx, ports);
      return toErrorBody(error);
    }
  });
  if ("error" in outcome) throw fromErrorBody(outcome);
  return outcome;
}

async function claimed(
  record: WorkItemRecord,
  caller: AgentCaller,
  settings: WorkItemSettings,
  tx: WorkItemTx,
  ports: WorkItemPorts,
): Promise<Claimed> {
  if (record.owner?.id === caller.agent.id) return answer(record, tx, ports);
  const takesOver = isTakeable(record, ports);
  if (!takesOver) await refuseTaken(record, tx, ports);
  await refuseUnready(record, tx);
  await refuseHoarding(caller.agent, settings, tx);
  const how = takesOver && claimLeftMs(record, ports) > 0 ? "stuck" : "expired";
  const free = await endClaim(record, { how, status: record.status, by: caller.agent }, tx, ports);
  return answer(await win(free, caller.agent, settings, tx, ports), tx, ports);
}

async function win(
  record: WorkItemRecord,
  agent: AgentRef,
  settings: WorkItemSettings,
  tx: WorkItemTx,
  ports: WorkItemPorts,
): Promise<WorkItemRecord> {
  const owned = ownedBy(agent, record, settings, ports);
  await tx.workItems.update(owned);
  await tx.events.append(
    record.project,
    contract.WorkItemClaimed.of(record.id, {
      workItem: viewWorkItem(owned),
      owner: agent,
      fencingToken: owned.fencingToken,
      ttlMs: settings.claimTtlMs,
      stallAfterMs: settings.stallAfterMs,
    }),
  );
  return owned;
}

/** The item in its next owner's hands: nothing that was said about the last one's work holds any more. */
export function ownedBy(
  agent: AgentRef,
  { stuck: _stuck, progress: _progress, ...record }: WorkItemRecord,
  { claimTtlMs, stallAfterMs }: WorkItemSettings,
  { clock, progress }: Pick<WorkItemPorts, "clock" | "progress">,
): WorkItemRecord {
  // Entered although the transaction may still be undone: then it is never asked for.
  progress.moved(record.id);
  const now = clock.now();
  return {
    ...record,
    status: "in_progress",
    owner: agent,
    claimTtlMs,
    stallAfterMs,
    claimedAt: now,
    fencingToken: record.fencingToken + 1,
    version: record.version + 1,
    updatedAt: now,
  };
}

async function answer(record: WorkItemRecord, tx: WorkItemTx, ports: WorkItemPorts): Promise<Claimed> {
  const handoff = record.fencingToken > 1 ? await tx.workItems.handoffOf(record.id) : undefined;
  return {
    workItem: viewWorkItem(record),
    lease: leaseOf(record, ports),
    ...defined({ handoff }),
  };
}

async function tellOfAttempt(
  record: WorkItemRecord,
  by: AgentRef,
  tx: WorkItemTx,
  ports: WorkItemPorts,
): Promise<void> {
  const text = `${by.name} tried to claim "${record.title}"; hand it over with: sylk handoff ${record.id} --to ${by.name}`;
  await notifyAgent(record.owner!, record, { kind: "claim-tried", text, by }, tx, ports);
}
