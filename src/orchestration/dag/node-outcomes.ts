/**
 * How a dispatcher ends an attempt. It returns a result, or a result with an adjustment. Or it throws NodeFailure, Blocked
 * or Interrupted. Any other error counts as permanent.
 */
import type { Adjustment, BlockRequest, NodeError } from "./dag.ts";

/** A result that changes the graph. Success and adjustment are recorded together or not at all. */
export class AdjustingSuccess {
  readonly result: unknown;
  readonly adjustment: Adjustment;
  constructor(result: unknown, adjustment: Adjustment) {
    this.result = result;
    this.adjustment = adjustment;
  }
}

/** A dispatcher returns this. If the engine refuses the adjustment, the node fails as permanent and the graph stays. */
export function succeedWith(result: unknown, adjustment: Adjustment): AdjustingSuccess {
  return new AdjustingSuccess(result, adjustment);
}

/** A failure with its class. */
export class NodeFailure extends Error {
  readonly error: NodeError;
  constructor(error: NodeError, options: { readonly cause?: unknown } = {}) {
    super(error.message, options);
    this.name = "NodeFailure";
    this.error = error;
  }
}

/** The dispatcher broke down, which is not the node's fault: the node is queued again, at most twice. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** The node releases its slot and waits for an answer. The next attempt gets the answer in its context. */
export class Blocked extends Error {
  readonly request: BlockRequest;
  /** The work did not begin: the attempt does not count, and the node can still be changed. */
  readonly beforeStart: boolean;
  constructor(request: BlockRequest, { beforeStart = false } = {}) {
    super(`it waits for ${request.on}: ${request.question}`);
    this.name = "Blocked";
    this.request = request;
    this.beforeStart = beforeStart;
  }
}
