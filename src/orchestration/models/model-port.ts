/**
 * The model as roles see it: a conversation with tools, run to its end. Implemented in adapters/models; routing and
 * execution are code, a model is a plug-in at the edge.
 */
import type * as z from "zod";

export type TokenUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of the input that the provider read from or wrote to its cache; undefined when it did not say. */
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
};

export type ModelTool = {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  /** The result goes back to the model as it is; what it throws goes back as an error, with its message. */
  run(input: unknown, call: { readonly id: string; readonly signal: AbortSignal }): Promise<unknown>;
  /** The conversation ends once this tool has succeeded. */
  readonly final?: boolean;
};

export type ToolUse = { readonly name: string; readonly input: unknown } & (
  | { readonly output: unknown }
  | { readonly error: string }
);

export type ModelStep = {
  readonly text: string;
  readonly tools: readonly ToolUse[];
  readonly usage: TokenUsage | undefined;
};

export type Conversation = {
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly ModelTool[];
  readonly maxSteps: number;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** After each answer of the model and the tools it used: for cost, progress and budget. What it throws ends the conversation. */
  readonly onStep?: (step: ModelStep) => void | Promise<void>;
  /** Before a pause, after which the model is asked again. */
  readonly onRetry?: (retry: ModelRetry) => void;
};

export type ModelRetry = {
  readonly waitMs: number;
  /** In few words: "connection refused". */
  readonly reason: string;
};

export type ConversationEnd = {
  /** stop: the model had nothing more to do; final: a final tool succeeded; steps, length: a limit ended it. */
  readonly reason: "stop" | "final" | "steps" | "length" | "refused";
  readonly text: string;
  readonly steps: number;
  /** Undefined when any step came without usage: unknown is not zero. */
  readonly usage: TokenUsage | undefined;
};

export type Model = {
  readonly provider: string;
  readonly name: string;
  /** Shown wherever this model's answers are shown; "rehearsal" for a scripted one, undefined for a real one. */
  readonly label: string | undefined;
  converse(conversation: Conversation): Promise<ConversationEnd>;
};

/** What a caller should do about a model that failed. */
export type ModelFailureKind =
  | "transient"
  | "rate-limit"
  | "provider-degraded"
  | "user-fixable"
  | "permanent"
  | "aborted";

export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterMs: number | undefined;
  constructor(
    kind: ModelFailureKind,
    message: string,
    { retryAfterMs, cause }: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "ModelFailure";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
