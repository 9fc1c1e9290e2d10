/**
 * Marks a finding as accepted, discarded or fixed, with its author and the reason.
 *
 *   marked fixed          -> its work item closes too, unless another live agent owns it: then that agent is told
 *   its work item closes  -> an undecided finding is fixed
 */
import {
  DomainError,
  finding as contract,
  type AgentCaller,
  type FindingStatus,
  type InputOf,
  type OutputOf,
  type WorkItem,
  type WorkItemId,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { closeWorkItem, viewWorkItem, findWorkItem } from "../work-items/index.ts";
import { findFinding } from "./find-finding.ts";
import { viewFinding } from "./finding-view.ts";
import { notifyOf } from "./notify-concerned.ts";
import type { FindingPorts, FindingRepositories, FindingTx } from "./ports.ts";
import type { FindingRecord } from "./store.ts";

export function markFinding(
  { id, status, why }: InputOf<"finding.mark">,
  { caller, transact }: AgentCall<FindingRepositories>,
  ports: FindingPorts,
): Promise<OutputOf<"finding.mark">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await mark(await findFinding(id, caller, tx), status, plainText(why), caller, tx, ports);
    const item = record.state.workItem;
    const workItem =
      item !== undefined && status === "fixed" ? await closeItem(item, record, caller, tx, ports) : undefined;
    return { finding: viewFinding(record), ...defined({ workItem }) };
  });
}

/** Wraps the closing of a work item: both change in one transaction. */
export function alsoFixing(
  key: string,
  call: AgentCall<FindingRepositories>,
  ports: FindingPorts,
): AgentCall<FindingRepositories> {
  return {
    ...call,
    transact: (scope, work) =>
      call.transact(scope, async (tx) => {
        const closed = await work(tx);
        const { id, closedReason = "done" } = await findWorkItem(key, call.caller, tx);
        const record = await tx.findings.ofWorkItem(id);
        if (record !== undefined && isUndecided(record))
          await mark(record, "fixed", `${id} was closed: ${closedReason}`, call.caller, tx, ports);
        return closed;
      }),
  };
}

async function mark(
  record: FindingRecord,
  status: FindingStatus,
  why: string,
  { agent }: AgentCaller,
  tx: FindingTx,
  { clock }: FindingPorts,
): Promise<FindingRecord> {
  const marked: FindingRecord = {
    ...record,
    state: { ...record.state, status, mark: { by: agent, why, markedAt: clock.now() } },
  };
  await tx.findings.setState(record.id, marked.state);
  await tx.events.append(record.project, contract.FindingMarked.of(record.id, { finding: viewFinding(marked) }));
  return marked;
}

async function closeItem(
  id: WorkItemId,
  record: FindingRecord,
  caller: AgentCaller,
  tx: FindingTx,
  ports: FindingPorts,
): Promise<WorkItem | undefined> {
  const inThisTransaction: AgentCall<FindingRepositories> = { caller, transact: (_scope, work) => work(tx) };
  const reason = `${record.id} was marked fixed: ${record.state.mark!.why}`.slice(0, 2000);
  const closed = await tx.attempt(() => closeWorkItem({ id, reason }, inThisTransaction, ports.workItems));
  if (closed.ok) return closed.value.workItem;
  if (!(closed.error instanceof DomainError)) throw closed.error;
  if (closed.error.code === "claim.taken") {
    const { owner } = (await tx.workItems.find(id))!;
    const finding = viewFinding(record);
    const offer = {
      ...finding,
      summary: `Marked fixed by ${caller.agent.name}; close ${id} if you agree: ${finding.summary}`,
    };
    if (owner !== undefined) await notifyOf(offer, caller, [owner], tx, ports, "normal");
  } else if (closed.error.code !== "work-item.closed") throw closed.error;
  return viewWorkItem((await tx.workItems.find(id))!);
}

function isUndecided({ state }: FindingRecord): boolean {
  return state.status === "open" || state.status === "accepted";
}
