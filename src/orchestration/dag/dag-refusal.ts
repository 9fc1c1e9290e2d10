/** The run refuses a request. Nothing has changed; the message says what to do instead. */

export type RefusalReason = "unknown-node" | "wrong-state" | "stale-version" | "run-ending" | "run-ended";

type Details = {
  readonly node?: string;
  /** The current version of the graph, when the request expected another one. */
  readonly currentVersion?: number;
};

export class DagRefusal extends Error {
  readonly reason: RefusalReason;
  readonly node: string | undefined;
  readonly currentVersion: number | undefined;
  constructor(reason: RefusalReason, message: string, { node, currentVersion }: Details = {}) {
    super(message);
    this.name = "DagRefusal";
    this.reason = reason;
    this.node = node;
    this.currentVersion = currentVersion;
  }
}
