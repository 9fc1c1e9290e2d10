/** Errors of a prompt worker, in a form that passes its channel, and back. */
import { DomainError, fromErrorBody, toErrorBody } from "../../contract/index.ts";
import { ModelFailure } from "../models/index.ts";
import type { PromptTrouble } from "./prompt-protocol.ts";

export function troubleOf(error: unknown): PromptTrouble {
  if (error instanceof ModelFailure)
    return { type: "model", kind: error.kind, message: error.message, retryAfterMs: error.retryAfterMs };
  if (error instanceof DomainError) return { type: "refusal", body: toErrorBody(error) };
  return { type: "defect", message: error instanceof Error ? error.message : String(error) };
}

export function errorOf(trouble: PromptTrouble): Error {
  switch (trouble.type) {
    case "model":
      return new ModelFailure(trouble.kind, trouble.message, { retryAfterMs: trouble.retryAfterMs });
    case "refusal":
      return fromErrorBody(trouble.body);
    case "defect":
      return new ModelFailure("permanent", trouble.message);
  }
}
