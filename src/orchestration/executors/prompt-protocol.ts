/** What daemon and prompt worker say to each other, over the worker's own channel; keys travel here and nowhere else. */
import type { ErrorBody } from "../../contract/index.ts";
import type { NodeError } from "../dag/index.ts";
import type { ModelFailureKind, ProviderWithKey } from "../models/index.ts";
import type { PromptAnswer, PromptRequest } from "./prompt-port.ts";

export type PromptWork = Pick<PromptRequest, "role" | "system" | "prompt" | "rehearse" | "maxOutputTokens"> & {
  readonly model: ProviderWithKey | undefined;
  /** How often it says that it lives. */
  readonly beatMs: number;
  /** Every key the daemon knows, so that none of them stands in what the worker prints. */
  readonly secrets: readonly string[];
};

export type ToPromptWorker = { readonly kind: "ask"; readonly work: PromptWork };
export type FromPromptWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "beat" }
  | { readonly kind: "answered"; readonly answer: PromptAnswer }
  | { readonly kind: "failed"; readonly failure: Trouble };

/** An error on its way between two processes. */
export type Trouble =
  | {
      readonly type: "model";
      readonly kind: ModelFailureKind;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
    }
  | { readonly type: "node"; readonly error: NodeError }
  | { readonly type: "refusal"; readonly body: ErrorBody }
  | { readonly type: "defect"; readonly message: string };
