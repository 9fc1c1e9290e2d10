/**
 * Changing a work item: what is named is replaced, the rest stays. Blocking it ends its claim, because no agent can work on
 * a blocked item; so only its owner may do that while it lives.
 */
import {
  type AgentCaller,
  type InputOf,
  invalidInput,
  type OutputOf,
  workItem as contract,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { endClaim } from "./end-claim.ts";
import { findWorkItem } from "./find-work-item.ts";
import type { WorkItemPorts, WorkItemRepositories, WorkItemTx } from "./ports.ts";
import { refuseClosed, refuseTaken } from "./refuse-claim.ts";
import { refuseCycles, resolveLinks } from "./resolve-links.ts";
import type { WorkItemRecord } from "./store.ts";
import { viewWorkItem } from "./work-item-view.ts";

type Change = InputOf<"work-item.update">;

export function updateWorkItem(
  change: Change,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<OutputOf<"work-item.update">> {
  refuseReasonless(change);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(change.id, caller, tx);
    const rewritten = await rewrite(record, change, caller, tx, ports);
    const changed = change.status === undefined ? rewritten : await setStatus(rewritten, change, caller, tx, ports);
    const workItem = viewWorkItem(changed);
    await tx.events.append(record.project, contract.WorkItemUpdated.of(record.id, { workItem }));
    return { workItem };
  });
}

function refuseReasonless({ status, reason }: Change): void {
  if ((status === "blocked") === (reason !== undefined)) return;
  const message = status === "blocked" ? "is needed: say what blocks it" : 'goes with status "blocked" alone';
  throw invalidInput("reason", message, { sentence: `reason ${message}` });
}

async function rewrite(
  record: WorkItemRecord,
  change: Change,
  caller: AgentCaller,
  tx: WorkItemTx,
  { clock }: WorkItemPorts,
): Promise<WorkItemRecord> {
  const { parent = record.parent, dependsOn = record.dependsOn } = change;
  const { relatesTo = record.relatesTo, discoveredFrom = record.discoveredFrom } = change;
  const named = { parent: parent === "" ? undefined : parent, dependsOn, relatesTo, discoveredFrom };
  const links = await resolveLinks(named, caller.project, tx);
  await refuseCycles(record.id, links, tx);
  const { parent: _parent, ...rest } = record;
  const { title = record.title, type = record.type, priority = record.priority, body = record.body } = change;
  const rewritten: WorkItemRecord = {
    ...rest,
    ...links,
    title,
    type,
    priority,
    ...defined({ body }),
    labels: [...new Set(change.labels ?? record.labels)],
    version: record.version + 1,
    updatedAt: clock.now(),
  };
  await tx.workItems.rewrite(rewritten);
  return rewritten;
}

async function setStatus(
  record: WorkItemRecord,
  { status, reason }: Change,
  caller: AgentCaller,
  tx: WorkItemTx,
  ports: WorkItemPorts,
): Promise<WorkItemRecord> {
  refuseClosed(record);
  if (record.owner?.id !== caller.agent.id) await refuseTaken(record, tx, ports);
  const free = await endClaim(record, { how: "released", status: "open" }, tx, ports);
  const { blockedReason: _blockedReason, ...rest } = free;
  const changed: WorkItemRecord =
    status === "blocked" ? { ...rest, status, blockedReason: reason! } : { ...rest, status: "open" };
  await tx.workItems.update(changed);
  return changed;
}
