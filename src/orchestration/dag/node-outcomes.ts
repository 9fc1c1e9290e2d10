/**
 * How a dispatcher ends an attempt: it returns a result, or one with an adjustment; it throws a failure or a question.
 * Anything else that it throws counts as permanent.
 */
import type { Adjustment, BlockRequest, NodeError } from "./dag.ts";

/** A result that changes the graph. Success and adjustment are one decision: both are recorded, or neither is. */
export class AdjustingSuccess {
  readonly result: unknown;
  readonly adjustment: Adjustment;
  constructor(result: unknown, adjustment: Adjustment) {
    this.result = result;
    this.adjustment = adjustment;
  }
}

/** Returned by a dispatcher. An adjustment that the engine refuses fails the node as permanent and changes nothing. */
export function succeedWith(result: unknown, adjustment: Adjustment): AdjustingSuccess {
  return new AdjustingSuccess(result, adjustment);
}

/** Says what kind of failure it met. */
export class NodeFailure extends Error {
  readonly error: NodeError;
  constructor(error: NodeError, options: { readonly cause?: unknown } = {}) {
    super(error.message, options);
    this.name = "NodeFailure";
    this.error = error;
  }
}

/** Gives its slot back and waits for an answer; the next attempt finds it in its context. */
export class Blocked extends Error {
  readonly request: BlockRequest;
  /** Nothing of the attempt was begun: it does not count, and the node can still be changed. */
  readonly beforeStart: boolean;
  constructor(request: BlockRequest, { beforeStart = false } = {}) {
    super(`it waits for ${request.on}: ${request.question}`);
    this.name = "Blocked";
    this.request = request;
    this.beforeStart = beforeStart;
  }
}
