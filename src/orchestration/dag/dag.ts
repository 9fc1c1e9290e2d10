/**
 * The words of the DAG engine: a graph of nodes with a policy, and what happens to each node in one run.
 *
 *   pending -> queued -> running -> succeeded | failed        (terminal: also skipped, cancelled)
 *                 ^---------'  a retry, or an attempt that was interrupted
 *                 ^- blocked <-'  it waits for a person or a reservation and holds no slot
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
  /** Runs once every ordinary node has ended, whatever their ends. It waits for its dependencies to end, not to succeed. */
  readonly final?: boolean;
  /** For each attempt, from the call of the dispatcher. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  /** For the dispatcher of this node, and of those that depend on it. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** For whoever looks at the graph; the engine never reads it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type DagPolicy = {
  /** Eager (default): a node starts once its dependencies succeeded. Layered: not before every earlier layer ended. */
  readonly mode?: "eager" | "layered";
  readonly maxConcurrency: number;
  /** True: the first final failure ends the run. False: only what depends on the failed node is skipped. */
  readonly failFast: boolean;
  readonly defaultRetry: RetryPolicy;
  readonly defaultTimeoutMs: number;
};

export type Dag = { readonly nodes: readonly DagNode[]; readonly policy: DagPolicy };

/** A change of a graph that runs. Only nodes that never started can be removed or replaced; all of it counts, or nothing. */
export type Adjustment = {
  readonly add?: readonly DagNode[];
  /** Known by their ids. */
  readonly replace?: readonly DagNode[];
  readonly remove?: readonly string[];
};

export type NodeState = "pending" | "queued" | "running" | "succeeded" | "failed" | "blocked" | "skipped" | "cancelled";

/** What may follow what by itself; a terminal state has no successor. */
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

/** The only ways out of a terminal state: a retry or a skip was requested. Of those that succeeded only final nodes leave. */
export const requestedMoves: Readonly<Record<NodeState, readonly NodeState[]>> = {
  ...legalMoves,
  succeeded: ["pending"],
  failed: ["pending", "skipped"],
  skipped: ["pending"],
  cancelled: ["pending"],
};

/** Decides about a retry: permanent and user-fixable errors would only fail again. */
export type ErrorClass = "transient" | "permanent" | "user-fixable" | "rate-limit" | "provider-degraded" | "timeout";

export type NodeError = {
  readonly class: ErrorClass;
  readonly message: string;
  /** The next attempt comes no earlier than this. */
  readonly retryAfterMs?: number;
};

/** Why a node is where it is, unless its own error says so; `failed:x`, `skipped:x` name the node that reached it. */
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
  /** Wall time at which the default answer counts; without a default answer the node waits on. */
  readonly deadlineAt?: number;
  readonly defaultAnswer?: unknown;
};

export type NodeAnswer = { readonly on: BlockRequest["on"]; readonly question: string; readonly answer: unknown };

type NodeFacts = {
  /** The latest attempt, from 1; 0 before the first. */
  readonly attempt: number;
  /** Attempts that failed and were followed by another. An interrupted attempt is not among them. */
  readonly retries: number;
  readonly result?: unknown;
  readonly error?: NodeError;
  readonly cause?: NodeCause;
  /** What the person said who cancelled or skipped it. */
  readonly reason?: string;
  /** Wall time of the next attempt, while the node waits for it. */
  readonly retryAt?: number;
  /** While it is blocked. */
  readonly block?: BlockRequest;
  /** Everything it was answered so far, kept to the end: an attempt that is repeated must not ask again. */
  readonly answers?: readonly NodeAnswer[];
  /** Skipped, and what depends on it goes on without its result. */
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

/** What depends on it may start. */
export function isDone({ state, treatedAsDone }: NodeRecord): boolean {
  return state === "succeeded" || (state === "skipped" && treatedAsDone === true);
}

export function isTerminal(state: NodeState): boolean {
  return legalMoves[state].length === 0;
}
