/**
 * The words of the DAG engine: a graph of nodes with a policy, and what happens to each node in one run.
 *
 *   pending -> queued -> running -> succeeded | failed        (terminal: also skipped, cancelled)
 *                 ^---------'  a retry, or an attempt that was interrupted
 *
 * Invariant: every state change is exactly one NodeTransition, and the last transition of a node is all there is to
 * know about it: `recordAfter` folds a journal into the records that a run is restored from.
 */

export type RetryPolicy = {
  /** Attempts after the first one. */
  readonly max: number;
  /** The first wait; each further one doubles, up to 30 s. */
  readonly backoffMs: number;
};

export type DagNode = {
  readonly id: string;
  readonly role: string;
  readonly title: string;
  readonly prompt: string;
  readonly dependsOn: readonly string[];
  /** For each attempt, from the call of the dispatcher. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  readonly context?: Readonly<Record<string, unknown>>;
};

export type DagPolicy = {
  readonly maxConcurrency: number;
  /** True: the first final failure ends the run. False: only what depends on the failed node is skipped. */
  readonly failFast: boolean;
  readonly defaultRetry: RetryPolicy;
  readonly defaultTimeoutMs: number;
};

export type Dag = { readonly nodes: readonly DagNode[]; readonly policy: DagPolicy };

export type NodeState = "pending" | "queued" | "running" | "succeeded" | "failed" | "blocked" | "skipped" | "cancelled";

/** What may follow what; a terminal state has no successor. Nothing blocks a node yet: its row is the room for it. */
export const legalMoves: Readonly<Record<NodeState, readonly NodeState[]>> = {
  pending: ["queued", "skipped", "cancelled"],
  queued: ["running", "cancelled"],
  running: ["succeeded", "failed", "queued", "cancelled"],
  blocked: ["queued", "cancelled"],
  succeeded: [],
  failed: [],
  skipped: [],
  cancelled: [],
};

/** Decides about a retry: permanent and user-fixable errors would only fail again. */
export type ErrorClass = "transient" | "permanent" | "user-fixable" | "rate-limit" | "provider-degraded" | "timeout";

export type NodeError = {
  readonly class: ErrorClass;
  readonly message: string;
  /** The next attempt comes no earlier than this. */
  readonly retryAfterMs?: number;
};

/** Why a node is where it is, unless its own error says so; `failed:x` names the node whose failure reached it. */
export type NodeCause = "interrupted" | "cancel-requested" | `failed:${string}`;

type NodeFacts = {
  /** The latest attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Attempts that failed and were followed by another. An interrupted attempt is not among them. */
  readonly retries: number;
  readonly result?: unknown;
  readonly error?: NodeError;
  readonly cause?: NodeCause;
  /** Wall time of the next attempt, while the node waits for it. */
  readonly retryAt?: number;
};

export type NodeRecord = NodeFacts & { readonly state: NodeState };

export type NodeTransition = NodeFacts & {
  readonly node: string;
  readonly from: NodeState;
  readonly to: NodeState;
  /** Wall time. */
  readonly at: number;
};

export type RunOutcome = "succeeded" | "failed" | "cancelled";

export type DagOutcome = { readonly outcome: RunOutcome; readonly nodes: ReadonlyMap<string, NodeRecord> };

export function recordAfter({ node: _node, from: _from, at: _at, to, ...facts }: NodeTransition): NodeRecord {
  return { state: to, ...facts };
}

export function isTerminal(state: NodeState): boolean {
  return legalMoves[state].length === 0;
}

/** How a dispatcher says what kind of failure it met. Anything else that it throws counts as permanent. */
export class NodeFailure extends Error {
  readonly error: NodeError;
  constructor(error: NodeError, options: { readonly cause?: unknown } = {}) {
    super(error.message, options);
    this.name = "NodeFailure";
    this.error = error;
  }
}
