/**
 * The types of the DAG engine: a graph of nodes with a policy, and the states of each node in one run.
 *
 *   pending -> queued -> running -> succeeded | failed        (terminal: also skipped, cancelled)
 *                 ^---------'  a retry, or an attempt that was interrupted
 *                 ^- blocked <-'  it waits for a person or a reservation, without a slot
 *
 * Invariant: every state change is exactly one NodeTransition, and the last transition of a node holds everything about
 * it. `recordAfter` folds a journal into the records that restore a run.
 */

export type RetryPolicy = {
  /** Attempts after the first one. */
  readonly max: number;
  /** The first delay. Each further delay doubles, up to 30 s. */
  readonly backoffMs: number;
};

export type DagNode = {
  readonly id: string;
  readonly role: string;
  readonly title: string;
  readonly prompt: string;
  readonly dependsOn: readonly string[];
  /** Runs once every ordinary node has ended in any state. It waits for its dependencies to end, not to succeed. */
  readonly final?: boolean;
  /** Time limit of each attempt, from the call of the dispatcher. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** Passed to the dispatcher of this node and of its dependents. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** For readers of the graph. The engine never reads it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type DagPolicy = {
  /** Eager (default): a node starts once its dependencies succeeded. Layered: also not before every earlier layer ended. */
  readonly mode?: "eager" | "layered";
  readonly maxConcurrency: number;
  /** True: the first failed node ends the run. False: only its dependents are skipped. */
  readonly failFast: boolean;
  readonly defaultRetry: RetryPolicy;
  readonly defaultTimeoutMs: number;
};

export type Dag = { readonly nodes: readonly DagNode[]; readonly policy: DagPolicy };

/** A change of a running graph, applied completely or not at all. Only nodes that never started can be removed or replaced. */
export type Adjustment = {
  readonly add?: readonly DagNode[];
  /** Each replaces the node with the same id. */
  readonly replace?: readonly DagNode[];
  readonly remove?: readonly string[];
};

export type NodeState = "pending" | "queued" | "running" | "succeeded" | "failed" | "blocked" | "skipped" | "cancelled";

/** The state changes of the engine itself. A terminal state has no successor. */
export const legalMoves: Readonly<Record<NodeState, readonly NodeState[]>> = {
  pending: ["queued", "skipped", "cancelled"],
  queued: ["running", "skipped", "cancelled"],
  running: ["succeeded", "failed", "queued", "blocked", "cancelled"],
  blocked: ["queued", "skipped", "cancelled"],
  succeeded: [],
  failed: [],
  skipped: [],
  cancelled: [],
};

/** Only a requested retry or skip leads out of a terminal state. Of the succeeded nodes only final ones can be retried. */
export const requestedMoves: Readonly<Record<NodeState, readonly NodeState[]>> = {
  ...legalMoves,
  succeeded: ["pending"],
  failed: ["pending", "skipped"],
  skipped: ["pending"],
  cancelled: ["pending"],
};

/** Decides whether to retry: permanent and user-fixable errors would only fail again. */
export type ErrorClass = "transient" | "permanent" | "user-fixable" | "rate-limit" | "provider-degraded" | "timeout";

export type NodeError = {
  readonly class: ErrorClass;
  readonly message: string;
  /** The next attempt waits at least this long. */
  readonly retryAfterMs?: number;
};

/** The reason for a node's state, unless its error says it. `failed:x` and `skipped:x` name the node that caused it. */
export type NodeCause =
  | "interrupted"
  | "cancel-requested"
  | "skip-requested"
  | "retry-requested"
  | "answered"
  | "deadline-passed"
  | "reservation-freed"
  | `failed:${string}`
  | `skipped:${string}`;

/** What a blocked node waits for. */
export type BlockRequest = {
  readonly on: "approval" | "clarification" | "reservation";
  readonly question: string;
  /** For the person who is asked. */
  readonly details?: readonly string[];
  /** Wall time at which the default answer is used. Without a default answer the node keeps waiting. */
  readonly deadlineAt?: number;
  readonly defaultAnswer?: unknown;
};

export type NodeAnswer = { readonly on: BlockRequest["on"]; readonly question: string; readonly answer: unknown };

type NodeFacts = {
  /** The latest attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Number of retries after failed attempts. Interrupted attempts do not count. */
  readonly retries: number;
  /** Number of attempts whose dispatcher broke down. The third one fails the node. */
  readonly interruptions?: number;
  readonly result?: unknown;
  readonly error?: NodeError;
  readonly cause?: NodeCause;
  /** The reason given with a cancel or skip. */
  readonly reason?: string;
  /** Wall time of the next attempt, while the node waits for it. */
  readonly retryAt?: number;
  /** Only while the node is blocked. */
  readonly block?: BlockRequest;
  /** All answers so far. They are kept, so that a repeated attempt does not ask again. */
  readonly answers?: readonly NodeAnswer[];
  /** Skipped, but its dependents run without its result. */
  readonly treatedAsDone?: true;
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

/** True when the node's dependents may start. */
export function isDone({ state, treatedAsDone }: NodeRecord): boolean {
  return state === "succeeded" || (state === "skipped" && treatedAsDone === true);
}

export function isTerminal(state: NodeState): boolean {
  return legalMoves[state].length === 0;
}
