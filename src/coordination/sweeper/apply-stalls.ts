/** Carries out the decisions about claims that do not move: one transaction, one event each. */
import { handoff as contract, type AgentRef } from "../../contract/index.ts";
import {
  endClaim,
  endRequest,
  handOver,
  questionOf,
  requestOf,
  notifyAgent,
  viewWorkItem,
  type WorkItemPorts,
  type WorkItemRecord,
  type WorkItemTx,
} from "../work-items/index.ts";
import { decideStalls, type ClaimState, type StallDecision } from "./decide-stalls.ts";

export type StallPorts = Pick<WorkItemPorts, "clock" | "deadlines" | "liveness" | "progress" | "answerWithinMs"> & {
  readonly maxClaimsPerAgent: number;
  /** Whether this process of our host is gone; undefined when the agent never told its process. */
};
type Terms = { readonly budget: number; readonly budgetEveryMs: number };

export async function sweepStalls(
  claims: readonly WorkItemRecord[],
  liveAgents: ReadonlySet<string>,
  terms: Terms,
  tx: WorkItemTx,
  ports: StallPorts,
): Promise<StallDecision> {
  const states: ClaimState[] = [];
  for (const record of claims) states.push(await stateOf(record, liveAgents, tx, ports));
  const decision = decideStalls(states, terms);
  for (const record of decision.gone) await endClaim(record, { how: "gone", status: "open" }, tx, ports);
  for (const record of decision.release) await endClaim(record, { how: "stalled", status: "open" }, tx, ports);
  for (const record of decision.ask) await ask(record, tx, ports);
  for (const record of decision.calm) await clearQuestion(record, tx, ports);
  for (const record of decision.handOver) await handOverStalled(record, tx, ports);
  for (const record of decision.endRequest) await endRequest(record, tx, ports);
  return decision;
}

async function stateOf(
  record: WorkItemRecord,
  liveAgents: ReadonlySet<string>,
  tx: WorkItemTx,
  { deadlines, progress, answerWithinMs }: StallPorts,
): Promise<ClaimState> {
  const owner = record.owner!;
  // A live agent may be thinking; only of one that went silent is the process looked for.
  const silent = liveAgents.has(owner.id) ? undefined : await tx.agents.find(owner.id);
  return {
    record,
    idleMs: progress.idleMs(record.id, owner.id),
    answerLeftMs: deadlines.leftMs(questionOf(record), answerWithinMs),
    handoffLeftMs: deadlines.leftMs(requestOf(record), answerWithinMs),
    ownerIsGone: silent?.endedAt !== undefined,
  };
}

async function ask(record: WorkItemRecord, tx: WorkItemTx, ports: StallPorts): Promise<void> {
  const owner = record.owner!;
  const asked = { ...record, askedAt: ports.clock.now(), version: record.version + 1 };
  await tx.workItems.update(asked);
  ports.deadlines.run(questionOf(record), ports.answerWithinMs);
  const { answerWithinMs } = ports;
  const fact = { workItem: viewWorkItem(asked), owner, answerWithinMs };
  await tx.events.append(record.project, contract.WorkItemStallAsked.of(record.id, fact));
  const text = `Nothing has moved on "${record.title}" for a long time. If you still work on it: sylk work progress ${record.id} "<how far>"`;
  await notifyAgent(owner, asked, { kind: "stall-asked", text }, tx, ports);
}

async function clearQuestion(record: WorkItemRecord, tx: WorkItemTx, { deadlines }: StallPorts): Promise<void> {
  const { askedAt: _askedAt, ...rest } = record;
  await tx.workItems.update({ ...rest, version: record.version + 1 });
  tx.afterCommit(() => deadlines.end(questionOf(record)));
}

/** Silence of a stalled owner is consent, as far as the receiver can still take it. */
async function handOverStalled(record: WorkItemRecord, tx: WorkItemTx, ports: StallPorts): Promise<void> {
  const to: AgentRef = record.handoffRequest!.to;
  const receiver = await tx.agents.find(to.id);
  const settings = {
    claimTtlMs: record.claimTtlMs!,
    stallAfterMs: record.stallAfterMs!,
    maxClaimsPerAgent: ports.maxClaimsPerAgent,
  };
  const isThere = receiver !== undefined && receiver.endedAt === undefined;
  const passed = isThere && (await tx.attempt(() => handOver(record, to, { settings, tx, ports })));
  if (passed === false || !passed.ok) await endRequest(record, tx, ports);
}
