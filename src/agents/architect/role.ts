/**
 * The Architect: turns a request into a plan, has it executed, turns rejections into corrections, and says how it ended.
 *
 *   USER_INPUT    -> context -> model -> proposal -> validated (asked again once) -> PLAN_RESPONSE
 *   PLAN_APPROVED -> DAG_EXECUTE, corrected round by round until the checks pass or it gets nowhere -> WORKFLOW_COMPLETE
 *   TASK_HELP     -> an answer, the user's if need be (see answer-help.ts)
 */
import type { Finding, Message, MessageOf, PayloadOf, Plan, PlanNode } from "../../contract/index.ts";
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import { acceptProposal, fingerprint, planCorrection, PlanRefused } from "../../orchestration/planning/index.ts";
import { type RunContext, runDeadlineMs } from "../../orchestration/runs/index.ts";
import { readPrompt } from "../../platform/shipped-files.ts";
import type { ConversationSkills } from "../skills/index.ts";
import { answerHelp } from "./answer-help.ts";
import { planPrompt } from "./prompt.ts";
import { proposePlan as proposal } from "./skills.ts";

type Ports = Pick<RunContext, "work" | "guide" | "converse" | "ids" | "record" | "clock"> & {
  readonly openSkills: (about: { readonly text: string; readonly parent: Message }) => Promise<ConversationSkills>;
};

const minuteMs = 60_000;
const mostRounds = 3;
const mostProposals = 2;
/** A few looks at skills and commands before it proposes. */
const mostSteps = 8;

export function createArchitect(ports: Ports): RoleHandler {
  /** What Inspector and Tester sent back since the last round. */
  let corrections: Finding[] = [];
  let { plan } = ports.work.run;
  return answerMessages({
    async USER_INPUT(message, signal) {
      plan = await planFor(message, signal, ports);
      return { type: "PLAN_RESPONSE", payload: { plan } };
    },
    PLAN_APPROVED: async (message, signal) => ({
      type: "WORKFLOW_COMPLETE",
      payload: await seeThrough(message, signal, ports, takeCorrections),
    }),
    TASK_HELP: (message, signal) => answerHelp(message, signal, { ...ports, plan }),
    VALIDATION_CORRECTIONS: keepCorrections,
    TEST_CORRECTIONS: keepCorrections,
  });

  async function keepCorrections({ payload }: MessageOf<"VALIDATION_CORRECTIONS" | "TEST_CORRECTIONS">) {
    corrections.push(...payload.findings);
    return { type: "ACK" as const, payload: { taken: corrections.length } };
  }

  function takeCorrections(): readonly Finding[] {
    const taken = corrections;
    corrections = [];
    return taken;
  }
}

async function planFor(message: MessageOf<"USER_INPUT">, signal: AbortSignal, ports: Ports): Promise<Plan> {
  const { guide, converse, ids, openSkills } = ports;
  const { text: request } = message.payload;
  const context = await guide.ask(
    "architect",
    "librarian",
    "CONTEXT_REQUEST",
    { question: request },
    { parent: message, deadlineMs: 2 * minuteMs, signal },
  );
  const skills = await openSkills({ text: request, parent: message });
  const ending = new AbortController();
  let plan: Plan | undefined;
  let refusals = 0;
  let problems = "";
  const proposePlan: ModelTool = {
    ...proposal,
    final: true,
    async run(input) {
      const acceptance = acceptProposal(proposal.parse(input), ids);
      if ("plan" in acceptance) {
        plan = acceptance.plan;
        return { accepted: true };
      }
      refusals++;
      problems = acceptance.problems.join("; ");
      if (refusals >= mostProposals) ending.abort();
      throw new Error(
        `the plan cannot run: ${problems}${refusals === 1 ? ". Correct it and propose it once more" : ""}`,
      );
    },
  };
  await converse("architect", undefined, {
    system: `${readPrompt("agents/architect/prompt.md")}${skills.section}`,
    prompt: planPrompt(request, context.payload),
    tools: [proposePlan, ...skills.tools],
    maxSteps: mostSteps,
    maxOutputTokens: 8_000,
    signal: AbortSignal.any([signal, ending.signal]),
  }).catch((error: unknown) => {
    if (!ending.signal.aborted || signal.aborted) throw error;
  });
  if (plan === undefined)
    throw new PlanRefused(
      refusals === 0
        ? "the model proposed no plan"
        : `the model proposed a plan that cannot run, ${refusals === 1 ? "once" : `${refusals} times`}: ${problems}`,
    );
  return plan;
}

async function seeThrough(
  message: MessageOf<"PLAN_APPROVED">,
  signal: AbortSignal,
  { work, guide, ids, record }: Ports,
  takeCorrections: () => readonly Finding[],
): Promise<PayloadOf<"WORKFLOW_COMPLETE">> {
  let round = Math.max(0, ...work.nodes.map((node) => node.round));
  // A worker that planned itself has the nodes from the message; a later one finds the last round in the store.
  let nodes: readonly PlanNode[] =
    work.nodes.length === 0 ? message.payload.nodes : work.nodes.filter((node) => node.round === round);
  let lastRejection = "";
  for (;;) {
    const { payload: report } = await guide.ask(
      "architect",
      "orchestrator",
      "DAG_EXECUTE",
      { round, nodes: [...nodes] },
      { parent: message, deadlineMs: runDeadlineMs, signal },
    );
    const findings = takeCorrections();
    const rejection = fingerprint(findings);
    // The same rejection twice means that more rounds would only cost more.
    const hopeless = rejection === lastRejection || round + 1 >= mostRounds;
    if (!report.rejected || findings.length === 0 || hopeless) return report;
    lastRejection = rejection;
    round++;
    nodes = planCorrection(findings, ids);
    await record({ kind: "nodes", round, nodes });
  }
}
