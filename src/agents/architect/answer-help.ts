/**
 * Questions of Engineers, as the Architect's model answers them.
 *
 *   TASK_HELP -> model -> what the request and the plan say | "only the user can say it"
 */
import type { Message, MessageOf, PayloadOf, Plan } from "../../contract/index.ts";
import type { Answer } from "../../orchestration/guide/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { readPrompt } from "../../platform/shipped-files.ts";
import { type ConversationSkills, skillTool } from "../skills/index.ts";
import { helpPrompt } from "./prompt.ts";
import { answerEngineer, clarify } from "./skills.ts";

type Ports = Pick<RunContext, "work" | "converse" | "clock"> & {
  readonly plan: Plan | undefined;
  readonly openSkills: (about: { readonly text: string; readonly parent: Message }) => Promise<ConversationSkills>;
};
type Ack = Answer<"TASK_HELP">;

const minuteMs = 60_000;
const defaultMinutes = 60;
const mostMinutes = 7 * 24 * 60;
const mostSteps = 6;

function within(minutes: number): number {
  return Math.min(Math.max(1, minutes), mostMinutes);
}

export async function answerHelp(
  parent: MessageOf<"TASK_HELP">,
  signal: AbortSignal,
  { work, plan, converse, clock, openSkills }: Ports,
): Promise<Ack> {
  const { node, question, context } = parent.payload;
  const skills = await openSkills({ text: question, parent });
  let payload: PayloadOf<"ACK"> | undefined;
  const said: readonly ModelTool[] = [
    skillTool(answerEngineer, async ({ answer }) => {
      payload = { answer };
      return { told: true };
    }),
    skillTool(
      clarify,
      async ({ question: wording, options = [], default_answer: answer, minutes = defaultMinutes }) => {
        const asked = options.length === 0 ? wording : `${wording} (${options.join(" | ")})`;
        const until = { defaultAnswer: answer, deadlineAt: clock.now() + within(minutes) * minuteMs };
        payload = { ask: { question: asked, ...(answer === undefined ? {} : until) } };
        return { asked: true };
      },
    ),
  ];
  await converse("architect", node, {
    system: `${readPrompt("agents/architect/help-prompt.md")}${skills.section}`,
    prompt: helpPrompt({ request: work.run.request, plan: plan?.summary, question, context }),
    tools: [...said.map((tool) => ({ ...tool, final: true as const })), ...skills.tools],
    maxSteps: mostSteps,
    maxOutputTokens: 2_000,
    signal,
  });
  // A model that says neither has not said that it knows: the user is asked in the Engineer's own words.
  return { type: "ACK", payload: payload ?? { ask: { question } } };
}
