/** Errors of a worker, in a form that passes its channel, and back. */
import { DomainError, fromErrorBody, toErrorBody } from "../../contract/index.ts";
import { NodeFailure } from "../dag/index.ts";
import { ModelFailure } from "../models/index.ts";
import type { Trouble } from "./prompt-protocol.ts";

export function troubleOf(error: unknown): Trouble {
  if (error instanceof ModelFailure)
    return { type: "model", kind: error.kind, message: error.message, retryAfterMs: error.retryAfterMs };
  if (error instanceof NodeFailure) return { type: "node", error: error.error };
  if (error instanceof DomainError) return { type: "refusal", body: toErrorBody(error) };
  return { type: "defect", message: error instanceof Error ? error.message : String(error) };
}

export function errorOf(trouble: Trouble): Error {
  switch (trouble.type) {
    case "model":
      return new ModelFailure(trouble.kind, trouble.message, { retryAfterMs: trouble.retryAfterMs });
    case "node":
      return new NodeFailure(trouble.error);
    case "refusal":
      return fromErrorBody(trouble.body);
    case "defect":
      return new ModelFailure("permanent", trouble.message);
  }
}
