/**
 * Asks a model for one answer and waits until it is complete.
 *
 *   question -> streamText, one step, no tool executed -> text, tool calls, usage, why it stopped
 *
 * Streamed although the parts are not shown: a long answer would outlast the time limits of HTTP clients and proxies, and
 * only a stream shows that the model is still at it. Silence for too long ends the attempt.
 */
import type { ModelMessage, ToolSet, TypedToolCall } from "ai";
import { type Conversation, ModelFailure, type ModelTool, type TokenUsage } from "../../orchestration/models/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { LoadedModel } from "./load-language-model.ts";
import { tokenUsage } from "./token-usage.ts";

export type Question = {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  readonly onRetry?: Conversation["onRetry"];
};

export type ToolCall = TypedToolCall<ToolSet>;

export type Answer = {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly stopped: "done" | "length" | "refused";
  readonly usage: TokenUsage | undefined;
  /** As the provider names it: often more exact than what was asked for. */
  readonly model: string;
  /** To go on with; reasoning and signatures of the provider included. */
  readonly message: ModelMessage | undefined;
};

type Limits = { readonly clock: Clock; readonly silenceMs: number };

export async function askModel(loaded: LoadedModel, question: Question, limits: Limits): Promise<Answer> {
  throwIfAborted(question.signal);
  const silence = watchSilence(limits);
  try {
    const result = loaded.sdk.streamText({
      model: loaded.client,
      instructions: question.system,
      messages: [...question.messages],
      tools: toolSet(loaded, question.tools),
      maxOutputTokens: question.maxOutputTokens,
      maxRetries: 0,
      providerOptions: loaded.providerOptions,
      abortSignal: AbortSignal.any([question.signal, silence.signal]),
      onError: () => {}, // it arrives as a part; the default would print it
    });
    for await (const part of result.stream) {
      silence.restart();
      if (part.type === "error") throw part.error;
    }
    throwIfAborted(question.signal);
    if (silence.signal.aborted) throw silence.failure();
    return answerOf(await result.finalStep);
  } catch (error) {
    throwIfAborted(question.signal);
    throw silence.signal.aborted ? silence.failure() : error;
  } finally {
    silence.end();
  }
}

function toolSet({ sdk }: LoadedModel, tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, sdk.tool({ description, inputSchema: input })]),
  );
}

type Step = Awaited<ReturnType<LoadedModel["sdk"]["streamText"]>["finalStep"]>;

function answerOf(step: Step): Answer {
  return {
    text: step.text,
    calls: step.toolCalls,
    stopped: stopOf(step),
    usage: tokenUsage(step.usage),
    model: step.response.modelId,
    message: step.response.messages.find(({ role }) => role === "assistant"),
  };
}

/** A stream that ends politely but without a reason was cut by a proxy in between. */
function stopOf({ finishReason, rawFinishReason }: Step): Answer["stopped"] {
  if (finishReason === "length") return "length";
  if (finishReason === "content-filter") return "refused";
  const unexplained = finishReason === "other" && rawFinishReason === undefined;
  if (unexplained || finishReason === "interrupted" || finishReason === "error")
    throw new ModelFailure("transient", `The answer broke off (${rawFinishReason ?? "the stream ended early"})`);
  return "done";
}

function watchSilence({ clock, silenceMs }: Limits) {
  const controller = new AbortController();
  const start = () => clock.after(silenceMs, () => controller.abort());
  let timer = start();
  return {
    signal: controller.signal,
    restart() {
      timer.cancel();
      timer = start();
    },
    end: () => timer.cancel(),
    failure: () => new ModelFailure("transient", `The model said nothing for ${Math.round(silenceMs / 1000)} s`),
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelFailure("aborted", "The conversation was aborted", { cause: signal.reason });
}
