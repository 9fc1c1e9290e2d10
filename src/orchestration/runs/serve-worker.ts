/**
 * The methods that a run's worker may call on its daemon.
 *
 *   messages -> the run's router · facts and spending -> the store · a command's approval -> a person
 *   reservations and findings -> dispatch, as the Engineer of the node
 */
import {
  DomainError,
  type AgentCaller,
  type NodeId,
  run as contract,
  type RunCost,
  type RunId,
} from "../../contract/index.ts";
import { type CodeIndex, lookInto } from "../../knowledge/code-index/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { SessionRouter } from "../guide/index.ts";
import type { TokenUsage } from "../models/index.ts";
import type { Served } from "./channel.ts";
import { viewRun } from "./run-view.ts";
import type { RunRecord, RunTx } from "./store.ts";
import {
  type CommandQuestion,
  type DaemonMethods,
  engineerOperations,
  type EngineerOperation,
  type RunFact,
  type Spent,
} from "./worker-protocol.ts";

export type ServePorts = {
  readonly store: Store<RunTx>;
  readonly clock: Clock;
  readonly routerOf: (run: RunId) => Pick<SessionRouter, "ask"> | undefined;
  readonly approveCommand: (run: RunId, command: CommandQuestion, signal: AbortSignal) => Promise<boolean>;
  /** The agent of the Engineer that works on this node. */
  readonly engineerOf: (run: RunId, node: NodeId) => AgentCaller | undefined;
  readonly dispatch: (
    operation: EngineerOperation,
    input: unknown,
    caller: AgentCaller,
    signal: AbortSignal,
  ) => Promise<unknown>;
  readonly index: Pick<CodeIndex, "ask">;
  /** Calls a skill of the Librarian on a tree. */
  readonly librarian: (
    call: DaemonMethods["librarian"]["input"],
    at: Pick<RunRecord, "session" | "project"> & { readonly tree: string },
    signal: AbortSignal,
  ) => Promise<unknown>;
  readonly report: (reports: DaemonMethods["report"]["input"], run: RunRecord) => Promise<void>;
  /** Removes secrets from the output of models and commands. */
  readonly clean: <T>(value: T) => T;
};

export function serveWorker(run: RunId, ports: ServePorts): Served<DaemonMethods> {
  const { store, clean } = ports;
  const found = async (): Promise<RunRecord> => (await store.reader.runs.find(run))!;
  const place = async () => {
    const { workspace, session, project } = await found();
    if (workspace === undefined) throw new Error(`${run} has no tree to ask about`);
    return { tree: workspace.tree, session, project };
  };
  return {
    async ask({ from, to, type, payload, parent, deadlineMs }, signal) {
      const router = ports.routerOf(run);
      if (router === undefined) throw new Error(`${run} has ended and takes no more messages`);
      const terms = { deadlineMs, signal, ...(parent === undefined ? {} : { parent: { id: parent } }) };
      // The router checks the payload against its type.
      return router.ask(from, to, type, clean(payload), terms);
    },
    record: (fact) => store.transact(run, (tx) => recordFact(run, clean(fact), tx, ports)),
    spend: (spent) => store.transact(run, (tx) => spend(run, spent, tx, ports)),
    approve: (command, signal) => ports.approveCommand(run, command, signal),
    async act({ node, operation, input }, signal) {
      const engineer = ports.engineerOf(run, node);
      if (engineer === undefined || !engineerOperations.includes(operation))
        throw new DomainError("caller.denied", `${operation} needs an Engineer that works on ${node}`, {
          details: { needed: "an Engineer at work" },
        });
      return ports.dispatch(operation, input, engineer, signal);
    },
    async code({ name, input }) {
      const { tree } = await place();
      return clean(await lookInto(ports.index, tree)(name, input as never));
    },
    librarian: async (call, signal) => clean(await ports.librarian(call, await place(), signal)),
    report: async (reports) => ports.report(reports, await found()),
    show: async () => viewRun(await found(), store.reader),
  };
}

async function recordFact(id: RunId, fact: RunFact, tx: RunTx, { clock }: ServePorts): Promise<void> {
  const run = (await tx.runs.find(id))!;
  switch (fact.kind) {
    case "model":
      return tx.runs.update({ ...run, model: fact.model, label: fact.label, updatedAt: clock.now() });
    case "process":
      return fact.running ? tx.processes.add({ ...fact.process, owner: id }) : tx.processes.remove(fact.process);
    case "retry": {
      const { role, node, waitMs, reason } = fact;
      const data = { run: id, session: run.session, role, waitMs, reason, ...defined({ node }) };
      await tx.events.append(run.project, contract.RunModelRetried.of(id, data));
      return;
    }
    case "skills": {
      const { kind: _, node, loaded, tooLarge, problems, ...facts } = fact;
      const lists = { loaded: [...loaded], tooLarge: [...tooLarge], problems: [...problems] };
      const data = { run: id, session: run.session, ...facts, ...lists, ...defined({ node }) };
      await tx.events.append(run.project, contract.RunSkillsLoaded.of(id, data));
    }
  }
}

/** The store keeps the sum, so the budget also holds after a worker's end. */
async function spend(
  id: RunId,
  spent: Spent | undefined,
  tx: RunTx,
  { clock }: ServePorts,
): Promise<string | undefined> {
  let run = (await tx.runs.find(id))!;
  if (spent !== undefined) {
    const { role, node, model, usage } = spent;
    const cost = costOf(usage);
    run = { ...run, cost: added(run.cost, cost), updatedAt: clock.now() };
    await tx.runs.update(run);
    const data = { run: id, session: run.session, role, ...defined({ node }), model, cost };
    await tx.events.append(run.project, contract.RunSpent.of(id, data));
  }
  const { budget } = run.options;
  const used = run.cost.inputTokens + run.cost.outputTokens;
  if (budget === undefined || used < budget) return undefined;
  return `the run's budget of ${budget} tokens is used up (${used}); raise it with "sylk run budget ${id} <tokens> --reason …", then repeat the node with "sylk run retry"`;
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
