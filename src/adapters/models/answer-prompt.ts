/** One question without tools, asked of the model that was chosen. */
import type { PromptAnswer, PromptWork } from "../../orchestration/executors/index.ts";
import { ModelFailure } from "../../orchestration/models/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { openModel } from "./open-model.ts";

const defaultOutputTokens = 16_000;

export async function answerPrompt(
  { role, system = `You are the ${role} of a team of coding agents. Answer what you are asked.`, ...work }: PromptWork,
  clock: Clock,
  signal: AbortSignal,
): Promise<PromptAnswer> {
  const model = await openModel({ ...work, provider: work.model }, clock);
  try {
    const { text, usage, reason } = await model.converse({
      system,
      prompt: work.prompt,
      tools: [],
      maxSteps: 1,
      maxOutputTokens: work.maxOutputTokens ?? defaultOutputTokens,
      signal,
    });
    if (reason === "refused") throw new ModelFailure("permanent", "The provider withheld the answer; ask otherwise");
    return { text, model: `${model.provider}/${model.name}`, label: model.label, usage };
  } finally {
    await model.close();
  }
}
