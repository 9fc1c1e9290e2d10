/**
 * The Architect's model, in the worker of a run: turns a request into a plan, and answers Engineers.
 *
 *   USER_INPUT -> context -> model -> proposal -> validated (asked again once) -> PLAN_RESPONSE
 *   TASK_HELP  -> an answer, or "only the user can say it" (see answer-help.ts)
 */
import type { Message, MessageOf, Plan } from "../../contract/index.ts";
import { NodeFailure } from "../../orchestration/dag/index.ts";
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import { acceptProposal } from "../../orchestration/planning/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { readPrompt } from "../../platform/shipped-files.ts";
import type { ConversationSkills } from "../skills/index.ts";
import { answerHelp } from "./answer-help.ts";
import { planPrompt } from "./prompt.ts";
import { proposePlan as proposal } from "./skills.ts";

type Ports = Pick<RunContext, "work" | "guide" | "converse" | "ids" | "clock"> & {
  readonly openSkills: (about: { readonly text: string; readonly parent: Message }) => Promise<ConversationSkills>;
};

const minuteMs = 60_000;
const mostProposals = 2;
/** A few looks at skills and commands before it proposes. */
const mostSteps = 8;

export function createArchitect(ports: Ports): RoleHandler {
  let { plan } = ports.work.run;
  return answerMessages({
    async USER_INPUT(message, signal) {
      plan = await planFor(message, signal, ports);
      return { type: "PLAN_RESPONSE", payload: { plan } };
    },
    TASK_HELP: (message, signal) => answerHelp(message, signal, { ...ports, plan }),
  });
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
    throw new NodeFailure({
      class: "permanent",
      message:
        refusals === 0
          ? "the model proposed no plan"
          : `the model proposed a plan that cannot run, ${refusals === 1 ? "once" : `${refusals} times`}: ${problems}`,
    });
  return plan;
}
