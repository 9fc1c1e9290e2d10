/**
 * A configured provider as the model that roles talk to.
 *
 *   converse: ask (with retries) -> use tools -> onStep -> ended? -> ask again with the results
 *
 * The loop is ours rather than the SDK's because retries, the step report and the end of a conversation are. Nothing
 * outlives converse(): an abort breaks off a model call at once, but waits for a tool that runs, which has the signal.
 */
import type { ModelMessage } from "ai";
import type {
  Conversation,
  ConversationEnd,
  Model,
  ProviderConfig,
  TokenUsage,
} from "../../orchestration/models/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { type Answer, askModel, type Question } from "./ask-model.ts";
import { classifyFailure } from "./classify-failure.ts";
import { type LoadedModel, loadLanguageModel } from "./load-language-model.ts";
import { defaultRetryPolicy, reasonOf, type RetryNotice, type RetryPolicy, withRetry } from "./retry.ts";
import { addUsage, noTokens } from "./token-usage.ts";
import { useTools } from "./use-tools.ts";

export type ModelOptions = {
  readonly apiKey: string | undefined;
  readonly clock: Clock;
  readonly retry?: Partial<RetryPolicy> & { readonly onRetry?: (notice: RetryNotice) => void };
  /** How long a model may say nothing at all. Models that think first are silent for minutes. */
  readonly silenceMs?: number;
};

const defaultSilenceMs = 240_000;

export function createModel(config: ProviderConfig, options: ModelOptions): Model {
  const ask = asker(config, options);
  return {
    provider: config.name,
    name: config.model,
    label: config.label,
    converse: (conversation) => converse(conversation, ask),
  };
}

type Ask = (question: Question) => Promise<Answer>;

/** One complete answer of the provider, or a ModelFailure. */
export function asker(
  config: ProviderConfig,
  { apiKey, clock, retry = {}, silenceMs = defaultSilenceMs }: ModelOptions,
): Ask {
  const { onRetry, ...policy } = retry;
  const context = { config, redact: createRedactor(apiKey).text, now: () => clock.now() };
  let loading: Promise<LoadedModel> | undefined;
  return (question) => {
    const attempt = async () => {
      try {
        loading ??= loadLanguageModel(config, apiKey);
        return await askModel(await loading, question, { clock, silenceMs });
      } catch (error) {
        throw classifyFailure(error, context);
      }
    };
    const told = (notice: RetryNotice): void => {
      onRetry?.(notice);
      question.onRetry?.({ waitMs: notice.waitMs, reason: reasonOf(notice.failure) });
    };
    return withRetry(attempt, { ...defaultRetryPolicy, ...policy }, { clock, signal: question.signal, onRetry: told });
  };
}

async function converse(conversation: Conversation, ask: Ask): Promise<ConversationEnd> {
  const { system, prompt, tools, maxSteps, maxOutputTokens, signal, onStep, onRetry } = conversation;
  const messages: ModelMessage[] = [{ role: "user", content: prompt }];
  let usage: TokenUsage | undefined = noTokens;
  for (let steps = 1; ; steps++) {
    const answer = await ask({ system, messages, tools, maxOutputTokens, signal, ...defined({ onRetry }) });
    const round = await useTools(answer.calls, tools, { signal, refusal: refusals[answer.stopped] });
    usage = addUsage(usage, answer.usage);
    await onStep?.({ text: answer.text, tools: round.uses, usage: answer.usage });

    const reason = endOf(answer, round, steps >= maxSteps);
    if (reason !== undefined) return { reason, text: answer.text, steps, usage };
    if (answer.message) messages.push(answer.message);
    messages.push(round.results);
  }
}

const refusals = {
  done: undefined,
  length: "Not run: the answer was cut off at its length limit",
  refused: "Not run: the answer was withheld by the provider",
} as const;

function endOf(
  answer: Answer,
  round: { readonly final: boolean },
  limitReached: boolean,
): ConversationEnd["reason"] | undefined {
  if (answer.stopped !== "done") return answer.stopped;
  if (round.final) return "final";
  if (answer.calls.length === 0) return "stop";
  return limitReached ? "steps" : undefined;
}
