/**
 * The journal of a run: what its worker says becomes rows and events in one transaction, before the worker acts on it.
 *
 *   worker -> record(entries) -> rows + events -> COMMIT -> the worker goes on
 *
 * After a crash a new worker finds exactly what was recorded and goes on from there.
 */
import {
  type Approval,
  run as contract,
  type Check,
  type Finding,
  type HistoryEntry,
  type LoadedFact,
  type Message,
  type NodeId,
  type Plan,
  type PlanNode,
  type RunCost,
  type RunId,
  type RunStatus,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { ArchiveRepository } from "../../knowledge/archive/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { type NodeTransition, recordAfter } from "../dag/index.ts";
import { type ApprovalRepository, askPerson, settle } from "../approvals/index.ts";
import type { ProcessIdentity, ProcessRepository } from "../executors/index.ts";
import type { TokenUsage } from "../models/index.ts";
import type { Workspace } from "../sessions/index.ts";
import type { RunRecord, RunRepository } from "./store.ts";

export type JournalEntry =
  | { readonly kind: "status"; readonly to: RunStatus; readonly reason?: string }
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "model"; readonly model: string; readonly label: string | undefined }
  | { readonly kind: "workspace"; readonly workspace: Workspace }
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "nodes"; readonly round: number; readonly nodes: readonly PlanNode[] }
  | { readonly kind: "transition"; readonly transition: NodeTransition }
  | { readonly kind: "agent"; readonly node: NodeId; readonly agent: string }
  | { readonly kind: "process"; readonly process: ProcessIdentity; readonly running: boolean }
  | {
      readonly kind: "spent";
      readonly role: string;
      readonly node: NodeId | undefined;
      readonly model: string;
      readonly usage: TokenUsage | undefined;
    }
  | { readonly kind: "check"; readonly check: Check; readonly findings: readonly Finding[] }
  | {
      readonly kind: "approval";
      readonly about: Approval["kind"];
      readonly question: string;
      readonly details: readonly string[];
      /** Of a question: who waits for it, until when, and what counts then. */
      readonly waits?: Pick<Approval, "node" | "deadlineAt" | "defaultAnswer">;
    }
  | {
      readonly kind: "skills";
      readonly role: string;
      readonly node: NodeId | undefined;
      readonly loaded: readonly LoadedFact[];
      readonly tooLarge: readonly string[];
      readonly budget: {
        readonly used: number;
        readonly max: number;
        readonly skills: number;
        readonly maxSkills: number;
      };
      readonly problems: readonly string[];
    }
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "archive"; readonly entry: HistoryEntry };

export type JournalTx = {
  readonly runs: RunRepository;
  readonly events: EventRepository;
  readonly archive: ArchiveRepository;
  readonly approvals: ApprovalRepository;
  readonly processes: ProcessRepository;
};
type Ports = { readonly clock: Clock; readonly ids: IdSource };

export async function applyJournal(
  id: RunId,
  entries: readonly JournalEntry[],
  tx: JournalTx,
  ports: Ports,
): Promise<void> {
  for (const entry of entries) await applyEntry((await tx.runs.find(id))!, entry, tx, ports);
}

async function applyEntry(run: RunRecord, entry: JournalEntry, tx: JournalTx, ports: Ports): Promise<void> {
  const about = { run: run.id, session: run.session };
  const update = (changes: Partial<RunRecord>): Promise<void> =>
    tx.runs.update({ ...run, ...changes, updatedAt: ports.clock.now() });
  switch (entry.kind) {
    case "status":
      // It was stopped while this was on its way; that decision stands.
      if (!isUnderWay(run)) return;
      return changeStatus(run, entry.to, entry.reason, tx, ports);
    case "message":
      await tx.events.append(run.project, contract.RunMessage.of(run.id, { ...about, message: { ...entry.message } }));
      return;
    case "model":
      return update({ model: entry.model, label: entry.label });
    case "workspace":
      return update({ workspace: entry.workspace });
    case "plan":
      return update({ plan: entry.plan });
    case "nodes":
      await tx.runs.insertNodes(run.id, entry.round, entry.nodes);
      await tx.events.append(
        run.project,
        contract.RunPlanned.of(run.id, { ...about, round: entry.round, nodes: [...entry.nodes] }),
      );
      return;
    case "transition":
      if (!isUnderWay(run)) return; // its nodes were stopped with it; what is not recorded is done again
      await applyTransition(run, entry.transition, tx);
      if (entry.transition.from === "blocked") await expireQuestions(run, entry.transition, tx);
      return;
    case "agent": {
      const node = await tx.runs.findNode(entry.node);
      // It waited for a slot until now: its time begins with its work.
      if (node !== undefined) await tx.runs.updateNode({ ...node, agent: entry.agent, startedAt: ports.clock.now() });
      return;
    }
    case "process":
      return entry.running ? tx.processes.add({ ...entry.process, owner: run.id }) : tx.processes.remove(entry.process);
    case "spent": {
      const spent = costOf(entry.usage);
      await update({ cost: added(run.cost, spent) });
      await tx.events.append(
        run.project,
        contract.RunSpent.of(run.id, {
          ...about,
          role: entry.role,
          ...(entry.node === undefined ? {} : { node: entry.node }),
          model: entry.model,
          cost: spent,
        }),
      );
      return;
    }
    case "check":
      await tx.runs.addCheck(run.id, entry.check, entry.findings);
      await tx.events.append(
        run.project,
        contract.RunChecked.of(run.id, { ...about, check: entry.check, findings: [...entry.findings] }),
      );
      return;
    case "approval": {
      if (!isUnderWay(run)) return;
      const { about: kind, question, details, waits } = entry;
      await askPerson(run, { kind, question, details, ...waits }, tx, { ids: ports.ids, now: ports.clock.now() });
      return;
    }
    case "skills": {
      const { kind: _, node, loaded, tooLarge, problems, ...facts } = entry;
      const lists = { loaded: [...loaded], tooLarge: [...tooLarge], problems: [...problems] };
      const data = { ...about, ...facts, ...lists, ...(node === undefined ? {} : { node }) };
      await tx.events.append(run.project, contract.RunSkillsLoaded.of(run.id, data));
      return;
    }
    case "commit":
      return update({ commit: entry.commit });
    case "archive":
      return tx.archive.keep(run.project, await withResults(run, entry.entry, tx));
  }
}

function isUnderWay({ status }: RunRecord): boolean {
  return status === "planning" || status === "running";
}

/** What the worker has not in its hands: everything that was recorded by this and earlier workers. */
async function withResults(run: RunRecord, entry: HistoryEntry, tx: JournalTx): Promise<HistoryEntry> {
  const nodes = (await tx.runs.nodesOf(run.id)).map(({ title, round, state, attempt, agent, error, record }) => ({
    title,
    round,
    state,
    attempt,
    agent,
    error,
    result: record?.result,
  }));
  const findings = await tx.runs.findingsOf(run.id);
  return { ...entry, content: { ...entry.content, nodes, findings, cost: run.cost } };
}

export async function changeStatus(
  run: RunRecord,
  to: RunStatus,
  reason: string | undefined,
  tx: JournalTx,
  { clock }: Pick<Ports, "clock">,
): Promise<void> {
  if (run.status === to && run.reason === reason) return;
  await tx.runs.update({ ...run, status: to, reason, updatedAt: clock.now() });
  await tx.events.append(
    run.project,
    contract.RunStatusChanged.of(run.id, {
      run: run.id,
      session: run.session,
      from: run.status,
      to,
      ...(reason === undefined ? {} : { reason }),
    }),
  );
}

export async function applyTransition(run: RunRecord, transition: NodeTransition, tx: JournalTx): Promise<void> {
  const node = (await tx.runs.findNode(transition.node as NodeId))!;
  const { to, attempt, at } = transition;
  const error = transition.error?.message;
  const ended = to === "succeeded" || to === "failed" || to === "skipped" || to === "cancelled";
  const { startedAt, endedAt: _endedAt, error: _error, ...rest } = node;
  const begun = to === "running" ? at : startedAt;
  await tx.runs.updateNode({
    ...rest,
    state: to,
    attempt,
    ...(begun === undefined ? {} : { startedAt: begun }),
    ...(ended ? { endedAt: at } : {}),
    ...(error === undefined ? {} : { error }),
    record: recordAfter(transition),
  });
  const data = {
    run: run.id,
    session: run.session,
    node: node.id,
    title: node.title,
    from: transition.from,
    to,
    attempt,
    ...(node.agent === undefined ? {} : { agent: node.agent }),
    ...(error === undefined ? {} : { error }),
    ...(transition.cause === undefined ? {} : { cause: transition.cause }),
  };
  await tx.events.append(run.project, contract.RunNodeChanged.of(node.id, data));
}

/** Its node goes on, or never will: nobody is to be asked any more. An answer that came in time stands. */
async function expireQuestions({ id, project }: RunRecord, { node, at }: NodeTransition, tx: JournalTx): Promise<void> {
  for (const waiting of await tx.approvals.list({ graph: id, project: undefined, waitingOnly: true }))
    if (waiting.node === node) await settle(waiting, project, { status: "expired" }, tx, { now: () => at });
}

export function costOf(usage: TokenUsage | undefined): RunCost {
  return usage === undefined
    ? { calls: 1, inputTokens: 0, outputTokens: 0, unknownCalls: 1 }
    : { calls: 1, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, unknownCalls: 0 };
}

function added(a: RunCost, b: RunCost): RunCost {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    unknownCalls: a.unknownCalls + b.unknownCalls,
  };
}
