/**
 * The Orchestrator executes the nodes of a run. It is plain code without a model: it sends each node to a role through the
 * Guide.
 *
 *   plan     -> USER_INPUT    to the Architect  -> the plan, with the nodes that follow from it
 *   engineer -> TASK_DISPATCH to an Engineer    -> done | failed | a question that blocks the node
 *   check    -> VALIDATE_TASK, TESTS_READY      -> the check with its findings; a red check is a result
 */
import type { AgentCaller, NodeId, PayloadOf, PlanNode, RunId } from "../../contract/index.ts";
import { Blocked, type DispatchContext, NodeFailure, succeedWith } from "../../orchestration/dag/index.ts";
import { asNodeFailure, type Attempt, type RunNodeSpec } from "../../orchestration/graphs/index.ts";
import { type Answer, routeInput, type SessionRouter, Unanswered } from "../../orchestration/guide/index.ts";
import { runPolicy } from "../../orchestration/planning/index.ts";
import { adding, type CheckResult, nodesOfPlan, type Planned, type RunRecord } from "../../orchestration/runs/index.ts";
import { defined } from "../../platform/defined.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import type { Corrections } from "../shared/checks/index.ts";

/** An agent in the run's tree, registered for one attempt of an engineer node. */
export type EngineerSeat = { readonly caller: AgentCaller; end(): Promise<void> };

export type CarryOutPorts = {
  readonly ids: IdSource;
  readonly findRun: (id: RunId) => Promise<RunRecord>;
  readonly routerOf: (run: RunId) => Pick<SessionRouter, "ask">;
  readonly pool: Pick<Pool, "submit">;
  readonly seatEngineer: (run: RunRecord, node: NodeId) => Promise<EngineerSeat>;
  readonly corrections: Corrections;
};
type RunAttempt = Attempt<RunNodeSpec>;

const minuteMs = 60_000;
const planDeadlineMs = 15 * minuteMs;
const checkDeadlineMs = 15 * minuteMs;

export async function carryOutPlan(attempt: RunAttempt, ports: CarryOutPorts): Promise<unknown> {
  await attempt.begin();
  const run = await ports.findRun(attempt.dag as RunId);
  const { prompt: feedback, round, approved = run.options.approve, replaces = [] } = attempt.spec;
  const { to, text, by } = routeInput(run.request);
  const terms = { deadlineMs: planDeadlineMs, signal: attempt.context.signal };
  const asked = ports
    .routerOf(run.id)
    .ask(
      "user",
      to,
      "USER_INPUT",
      { text, routedBy: by, ...(feedback === "" ? {} : { data: { feedback, replaces } }) },
      terms,
    );
  const answer = await outcome(asked);
  if (answer.type !== "PLAN_RESPONSE")
    throw new NodeFailure({ class: "permanent", message: `${to} answered the request without a plan` });
  const { plan } = answer.payload;
  const { checks, existing } = plan;
  const planned: Planned = { plan: plan.id, outline: plan.summary, ...defined({ checks, existing }) };
  return succeedWith(planned, adding(nodesOfPlan(plan, { after: attempt.node, approved, round }, ports.ids)));
}

/** Takes a pool slot of the session first. Corrections get a higher priority, because their run is nearly done. */
export function carryOutWork(attempt: RunAttempt, ports: CarryOutPorts): Promise<unknown> {
  const { session, spec, context } = attempt;
  return ports.pool.submit({
    group: session,
    kind: spec.role,
    lane: spec.round > 0 ? "high" : "normal",
    signal: context.signal,
    run: (signal) => work(attempt, signal, ports),
  });
}

async function work({ dag, node, spec, context, begin }: RunAttempt, signal: AbortSignal, ports: CarryOutPorts) {
  const run = await ports.findRun(dag as RunId);
  const seat = await ports.seatEngineer(run, node as NodeId);
  try {
    await begin(seat.caller.agent.name);
    const terms = { deadlineMs: runPolicy.defaultTimeoutMs, signal };
    const payload = { node: asPlanNode(node, spec), attempt: context.attempt, ...given(context) };
    const asked = ports.routerOf(run.id).ask("orchestrator", "engineer", "TASK_DISPATCH", payload, terms);
    return resultOf(await outcome(asked));
  } finally {
    await seat.end();
  }
}

function asPlanNode(id: string, { title, role, prompt, dependsOn, files }: RunNodeSpec): PlanNode {
  const node = { id: id as NodeId, title, role, prompt, dependsOn: [...dependsOn] as NodeId[] };
  return files === undefined ? node : { ...node, files: [...files] };
}

/** The input of an Engineer: results, contexts and artifacts of earlier nodes, answers, and the session. */
function given({ parents, parentContexts, session, answers: all }: DispatchContext) {
  const answers = all.filter(({ on }) => on === "clarification");
  const work = [...parents].flatMap(([id, result]) => {
    const done = result as PayloadOf<"TASK_COMPLETE"> | undefined;
    return done?.summary === undefined ? [] : [[id, { ...done, context: parentContexts.get(id) ?? {} }] as const];
  });
  return {
    parents: Object.fromEntries(work),
    session,
    ...(answers.length === 0
      ? {}
      : { answers: answers.map(({ question, answer }) => ({ question, answer: String(answer) })) }),
  };
}

function resultOf(answer: Exclude<Answer<"TASK_DISPATCH">, { readonly type: "REROUTE_REQUEST" }>): unknown {
  if (answer.type === "TASK_COMPLETE") return answer.payload;
  if (answer.type === "TASK_HELP") {
    const { question, forUser: { deadlineAt, defaultAnswer } = {} } = answer.payload;
    throw new Blocked({
      on: "clarification",
      question,
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
      ...(defaultAnswer === undefined ? {} : { defaultAnswer }),
    });
  }
  const { reason, class: kind, retryAfterMs } = answer.payload;
  throw new NodeFailure({ class: kind, message: reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

export async function carryOutCheck(attempt: RunAttempt, ports: CarryOutPorts): Promise<CheckResult> {
  await attempt.begin();
  const id = attempt.dag as RunId;
  const { round, check: kind } = attempt.spec;
  const router = ports.routerOf(id);
  const terms = { deadlineMs: checkDeadlineMs, signal: attempt.context.signal };
  const by = kind === "inspection" ? "inspector" : "tester";
  ports.corrections.take(id, by); // drop those of an attempt that was interrupted
  const { payload } =
    kind === "inspection"
      ? await outcome(router.ask("orchestrator", "inspector", "VALIDATE_TASK", { round }, terms))
      : await outcome(router.ask("orchestrator", "tester", "TESTS_READY", { round }, terms));
  return { check: payload.check, findings: ports.corrections.take(id, by) };
}

/** Turns a role's error into the outcome of its node. */
async function outcome<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unanswered)
      throw new NodeFailure({ class: "timeout", message: error.message }, { cause: error });
    throw asNodeFailure(error);
  }
}
