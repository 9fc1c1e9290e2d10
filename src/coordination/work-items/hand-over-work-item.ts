/**
 * Handoff: an item passes from owner to owner.
 *
 *   not the owner            -> asks; without a live owner: handed over at once
 *   the owner, with an answer -> accept: handed over to who asked; decline: it stays
 *   the owner, with `to`      -> handed over to that agent at once
 *   no answer in time         -> the sweeper: handed over when the owner is stalled, else the request ends
 */
import {
  DomainError,
  handoff as contract,
  type AgentCaller,
  type AgentRef,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { refOf, requireLiveAgent } from "../registry/index.ts";
import { claimLeftMs } from "./claim-lease.ts";
import { ownedBy } from "./claim-work-item.ts";
import { leaveHandoff, withoutClaim } from "./end-claim.ts";
import { findWorkItem } from "./find-work-item.ts";
import { requireOwner } from "./give-up-work-item.ts";
import { questionOf, requestOf } from "./owner-questions.ts";
import type { WorkItemPorts, WorkItemRepositories, WorkItemSettings, WorkItemTx } from "./ports.ts";
import { refuseHoarding, refuseUnready } from "./refuse-claim.ts";
import type { WorkItemRecord } from "./store.ts";
import { notifyAgent } from "./notify-agent.ts";
import { viewWorkItem } from "./work-item-view.ts";

type Answer = OutputOf<"work-item.handoff">;
type Deal = {
  readonly settings: WorkItemSettings;
  readonly tx: WorkItemTx;
  readonly ports: Pick<WorkItemPorts, "clock" | "deadlines" | "progress" | "answerWithinMs">;
};

export async function handOffWorkItem(
  { id: key, to: wanted, answer }: InputOf<"work-item.handoff">,
  { caller, transact }: AgentCall<WorkItemRepositories>,
  ports: WorkItemPorts,
): Promise<Answer> {
  const settings = await ports.settingsFor(caller.tree);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findWorkItem(key, caller, tx);
    await refuseUnready(record, tx);
    const deal = { settings, tx, ports };
    if (answer !== undefined) return answerRequest(record, answer, caller, deal);
    const to = wanted === undefined ? caller.agent : await agentNamed(wanted, caller, tx);
    if (record.owner?.id === caller.agent.id || claimLeftMs(record, ports) === 0) return handOver(record, to, deal);
    return ask(record, to, caller, deal);
  });
}

async function ask(record: WorkItemRecord, to: AgentRef, { agent }: AgentCaller, { tx, ports }: Deal): Promise<Answer> {
  const { handoffRequest: earlier, owner } = record;
  if (owner === undefined) throw new Error("the item that is asked for has no owner");
  if (earlier !== undefined && earlier.to.id !== to.id) throw pending(record, ports);
  if (earlier !== undefined) return { workItem: viewWorkItem(record), state: "asked" };
  const at = ports.clock.now();
  const asked: WorkItemRecord = {
    ...record,
    handoffRequest: { to, by: agent, at },
    version: record.version + 1,
    updatedAt: at,
  };
  await tx.workItems.update(asked);
  ports.deadlines.run(requestOf(record), ports.answerWithinMs);
  const workItem = viewWorkItem(asked);
  const { answerWithinMs } = ports;
  await tx.events.append(
    record.project,
    contract.WorkItemHandoffAsked.of(record.id, { workItem, owner, to, answerWithinMs }),
  );
  const text = `${agent.name} asks for "${record.title}"; answer with: sylk handoff ${record.id} --accept (or --decline)`;
  await notifyAgent(owner, asked, { kind: "handoff-asked", text, by: agent }, tx, ports);
  return { workItem, state: "asked" };
}

async function answerRequest(
  record: WorkItemRecord,
  answer: "accept" | "decline",
  caller: AgentCaller,
  deal: Deal,
): Promise<Answer> {
  requireOwner(record, caller);
  const { handoffRequest } = record;
  if (handoffRequest === undefined)
    throw new DomainError(
      "handoff.not-asked",
      `No agent has asked for "${record.title}"; to give it away: sylk handoff ${record.id} --to <agent>`,
      { details: { id: record.id } },
    );
  if (answer === "accept") return handOver(record, handoffRequest.to, deal);
  return { workItem: viewWorkItem(await endRequest(record, deal.tx, deal.ports)), state: "declined" };
}

/** The owner keeps it: by its word, or because it still moves when the time is up. */
export async function endRequest(
  record: WorkItemRecord,
  tx: Pick<WorkItemTx, "workItems" | "events" | "afterCommit">,
  ports: Pick<WorkItemPorts, "clock" | "deadlines">,
): Promise<WorkItemRecord> {
  const { handoffRequest, ...rest } = record;
  if (handoffRequest === undefined || record.owner === undefined) return record;
  const kept: WorkItemRecord = { ...rest, version: record.version + 1, updatedAt: ports.clock.now() };
  await tx.workItems.update(kept);
  const { to } = handoffRequest;
  const fact = { workItem: viewWorkItem(kept), owner: record.owner, to };
  await tx.events.append(record.project, contract.WorkItemHandoffDeclined.of(record.id, fact));
  const text = `${record.owner.name} keeps "${record.title}"; pick the next one from "sylk ready"`;
  await notifyAgent(to, record, { kind: "handoff-declined", text, by: record.owner }, tx, ports);
  tx.afterCommit(() => ports.deadlines.end(requestOf(record)));
  return kept;
}

export async function handOver(record: WorkItemRecord, to: AgentRef, { settings, tx, ports }: Deal): Promise<Answer> {
  const former = record.owner;
  if (former?.id === to.id) return { workItem: viewWorkItem(record), state: "handed-over" };
  await refuseHoarding(to, settings, tx);
  const handoff = former && (await leaveHandoff(record, former, { how: "handed-over" }, tx, ports));
  const owned = ownedBy(to, withoutClaim(record, "in_progress", ports.clock.now()), settings, ports);
  await tx.workItems.update(owned);
  const workItem = viewWorkItem(owned);
  const { fencingToken } = owned;
  const fact = {
    workItem,
    owner: to,
    formerOwner: former ?? to,
    fencingToken,
    ttlMs: settings.claimTtlMs,
    stallAfterMs: settings.stallAfterMs,
  };
  await tx.events.append(record.project, contract.WorkItemHandedOver.of(record.id, fact));
  const text = `"${record.title}" is now owned by ${to.name}; what its last owner left: sylk work show ${record.id}`;
  for (const agent of former === undefined ? [to] : [former, to])
    await notifyAgent(agent, owned, { kind: "handed-over", text, ...(former && { by: former }) }, tx, ports);
  tx.afterCommit(() => {
    ports.deadlines.end(requestOf(record));
    ports.deadlines.end(questionOf(record));
  });
  return { workItem, state: "handed-over", ...(handoff && { handoff }) };
}

function pending(record: WorkItemRecord, { deadlines, answerWithinMs }: Deal["ports"]): DomainError {
  const { id, title, handoffRequest } = record;
  const to = handoffRequest?.to.name;
  return new DomainError("handoff.pending", `${to} has asked for "${title}" already; wait for the owner's answer`, {
    details: { id, handoffRequest },
    retryAfterMs: Math.max(1, deadlines.leftMs(requestOf(record), answerWithinMs)),
  });
}

async function agentNamed(text: string, { project }: AgentCaller, tx: WorkItemTx): Promise<AgentRef> {
  const found = (await tx.agents.find(text as AgentRef["id"])) ?? (await tx.agents.findByName(project.id, text));
  if (found === undefined || found.project.id !== project.id)
    throw new DomainError("agent.not-found", `No agent "${text}" here; "sylk who" lists them`, {
      details: { id: text },
    });
  if (found.endedAt !== undefined)
    throw new DomainError("agent.ended", `${found.name} has ended; "sylk who" lists the live agents`, {
      details: { agent: refOf(found) },
    });
  return refOf(found);
}
