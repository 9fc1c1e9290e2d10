/** A request that a run cannot fulfil. Nothing has changed; the message says the way out. */

export type RefusalReason = "unknown-node" | "wrong-state" | "stale-version" | "run-ending" | "run-ended";

type Details = {
  readonly node?: string;
  /** Of the graph as it stands, when the expected one is not it. */
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
