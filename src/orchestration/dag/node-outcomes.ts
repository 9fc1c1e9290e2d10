/** How a dispatcher says that it did not get done, by what it throws. Anything else it throws counts as permanent. */
import type { BlockRequest, NodeError } from "./dag.ts";

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
