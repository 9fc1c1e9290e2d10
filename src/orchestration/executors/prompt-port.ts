/**
 * One question to a model, answered by a process of its own: the daemon loads no model library.
 */
import type { TokenUsage } from "../models/index.ts";
import type { ProcessIdentity } from "./command-port.ts";

export type PromptRequest = {
  /** Who asks: told to the model unless `system` says otherwise. */
  readonly role: string;
  readonly system?: string | undefined;
  readonly prompt: string;
  /** Configured provider; without it the default one. */
  readonly provider?: string | undefined;
  /** Scenario file that a scripted model plays instead of a real one. */
  readonly rehearse?: string | undefined;
  readonly timeoutMs: number;
  /** Of the answer; many unless said. */
  readonly maxOutputTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the process group before the question is asked; it waits for the promise. */
  readonly onStarted?: ((process: ProcessIdentity) => Promise<void>) | undefined;
  /** Called while the process lives, again and again. */
  readonly onBeat?: (() => void) | undefined;
};

export type PromptAnswer = {
  readonly text: string;
  /** provider/model */
  readonly model: string;
  /** "rehearsal" when a scripted model answered. */
  readonly label?: string | undefined;
  /** Undefined when the provider did not say: unknown is not zero. */
  readonly usage: TokenUsage | undefined;
};

export type PromptPort = {
  /** Throws ModelFailure, or the DomainError that says what to put right (no provider, a scenario that cannot be read). */
  answer(request: PromptRequest): Promise<PromptAnswer>;
};
