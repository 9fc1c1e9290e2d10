/**
 * The Architect's model, in the worker of a run: turns a request into a plan, and answers Engineers.
 *
 *   USER_INPUT -> context -> model -> proposal -> validated (asked again once) -> PLAN_RESPONSE
 *   TASK_HELP  -> an answer, or "only the user can say it" (see answer-help.ts)
 */
import type { Message, MessageOf, Plan, Run } from "../../contract/index.ts";
import { NodeFailure } from "../../orchestration/dag/index.ts";
import type { PlannedWork } from "../../orchestration/graphs/index.ts";
import { answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import { acceptProposal, type PlanProposal } from "../../orchestration/planning/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { readPrompt } from "../../platform/shipped-files.ts";
import { projectChecks } from "../shared/checks/index.ts";
import type { ConversationSkills } from "../skills/index.ts";
import { answerHelp } from "./answer-help.ts";
import { briefingPrompt, feedbackPrompt, planPrompt } from "./prompt.ts";
import { proposePlan as proposal } from "./skills.ts";

type Ports = Pick<RunContext, "work" | "guide" | "converse" | "ids" | "clock" | "workspace" | "workspaces"> & {
  /** Questions to the Librarian about the code of the run. */
  readonly librarianTools: readonly ModelTool[];
  /** The run as it is now. */
  readonly show: () => Promise<Run>;
  readonly openSkills: (about: { readonly text: string; readonly parent: Message }) => Promise<ConversationSkills>;
};

const minuteMs = 60_000;
const mostProposals = 2;
/** Looks at the code, skills and commands before it proposes: each skill of the Librarian once, and a correction. */
const mostSteps = 16;

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
  const { guide, converse, ids, librarianTools, openSkills } = ports;
  const { text: request, data } = message.payload;
  const feedback = typeof data?.feedback === "string" ? data.feedback : undefined;
  const earlier = feedback === undefined ? "" : await earlierWork(feedback, data?.replaces, ports);
  const context = await guide.ask(
    "architect",
    "librarian",
    "CONTEXT_REQUEST",
    { question: feedback === undefined ? request : `${request}\n${feedback}` },
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
      const proposed = proposal.parse(input);
      const missing = await missingFiles(proposed, ports);
      const acceptance = missing.length > 0 ? { problems: missing } : acceptProposal(proposed, ids);
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
  const end = await converse("architect", undefined, {
    system: `${readPrompt("agents/architect/prompt.md")}${skills.section}`,
    prompt: `${planPrompt(request, context.payload)}${briefingPrompt(data?.briefing)}${earlier}`,
    tools: [proposePlan, ...librarianTools, ...skills.tools],
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
          ? `the model proposed no plan${saidInstead(end?.text ?? "")}`
          : `the model proposed a plan that cannot run, ${refusals === 1 ? "once" : `${refusals} times`}: ${problems}`,
    });
  return { ...plan, ...(await plannedChecks(ports)) };
}

/** The files that existing work is said to be in must be there, or the work would be left out for nothing. */
async function missingFiles(
  { existing = [] }: PlanProposal,
  { workspace, workspaces }: Pick<Ports, "workspace" | "workspaces">,
): Promise<readonly string[]> {
  if (existing.length === 0) return [];
  const written = new Set((await workspaces.changes(workspace)).map(({ path }) => path));
  const problems: string[] = [];
  for (const { title, files } of existing)
    for (const file of files)
      if (!written.has(file) && (await workspaces.baseFile(workspace, file)) === undefined)
        problems.push(`"${title}" does not exist yet: there is no file ${file}`);
  return problems;
}

/** The message comes from Sylk's own graph: `replaced` is the work of a plan node, if any. */
async function earlierWork(feedback: string, replaced: unknown, ports: Ports): Promise<string> {
  const { show, workspace, workspaces } = ports;
  const changes = await workspaces.changes(workspace);
  return feedbackPrompt(feedback, await show(), { changes, replaced: (replaced ?? []) as readonly PlannedWork[] });
}

const longestSaying = 1_000;

/** A question or a refusal of the model is the reason, so the user reads it. */
function saidInstead(text: string): string {
  const said = text.trim();
  if (said === "") return "";
  return `. It said: ${said.length > longestSaying ? `${said.slice(0, longestSaying)}…` : said}`;
}

/** Shown with the plan: the person who approves it sees what will judge the change. */
async function plannedChecks(ports: Ports): Promise<Pick<Plan, "checks">> {
  const named = await projectChecks(ports);
  const checks = (["tests", "inspection"] as const).flatMap((kind) => {
    const command = named[kind];
    return command === undefined ? [] : [{ kind, command: [...command.argv], source: command.source }];
  });
  return { checks };
}
