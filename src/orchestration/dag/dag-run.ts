/** The interface of a run: its options, its journal, and the handle of its owner. */
import type { Clock } from "../../platform/clock/index.ts";
import type { Dispatch } from "./attempts.ts";
import type { Adjustment, Dag, DagOutcome, NodeRecord, NodeTransition } from "./dag.ts";
import type { DagPlan, DagStatus } from "./dag-status.ts";
import type { AdjustedDag } from "./decision.ts";
import type { Listener } from "./listeners.ts";

/**
 * A restored run needs only the last transition of each node (through `recordAfter`) and the adjusted graph. An adjusted
 * entry deletes the records of the nodes that it removes or replaces. It appends added nodes to the graph, then replaced
 * ones.
 */
export type JournalEntry =
  | { readonly kind: "transition"; readonly transition: NodeTransition }
  | ({ readonly kind: "adjusted" } & AdjustedDag);

export type Journal = {
  /**
   * Resolves once the entries are durable. One call is one transaction: after a crash all of its entries exist, in order,
   * or none. A success and its adjustment are always in one call.
   */
  record(entries: readonly JournalEntry[]): Promise<void>;
};

export type RunDagOptions = {
  /** The current graph, with all recorded adjustments applied. */
  readonly dag: Dag;
  /** The version of that graph; 1 before the first adjustment. */
  readonly version?: number;
  /** Names the run in its events. */
  readonly id?: string;
  /** The records of an earlier process: the last transition of each node, through `recordAfter`. */
  readonly restored?: ReadonlyMap<string, NodeRecord>;
  /** How long the succeeded nodes took, in milliseconds. The estimate of the remaining time uses it. */
  readonly took?: ReadonlyMap<string, number>;
  /**
   * Reopens a run that had ended. These nodes run again, with their dependents and the nodes that the ending had cancelled;
   * then the final nodes. If only a final node is named, only that node runs.
   */
  readonly retry?: readonly string[];
  /** Starts no node before `unpause`. */
  readonly paused?: boolean;
  /** The known roles. If given, a node with an unknown role is refused before any node runs. */
  readonly roles?: ReadonlySet<string>;
  /** Passed to every node in its dispatch context. */
  readonly session?: Readonly<Record<string, unknown>>;
  readonly journal: Journal;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Receives errors of subscribers. The run continues. */
  readonly onSubscriberError?: (error: unknown) => void;
  /** Cancels the run for good; see `cancel` of DagRun. */
  readonly signal: AbortSignal;
  /** How long an attempt may take to stop. */
  readonly abortGraceMs?: number;
};

export type DagEvent = NodeTransition & { readonly dag: string };

/** Requests resolve once they are recorded. If one is refused with DagRefusal or InvalidDag, nothing has changed. */
export type DagRun = {
  /** Rejects only when the journal failed, or because of a bug. */
  readonly finished: Promise<DagOutcome>;
  /** Starts no further node. "abort" also stops running nodes; those that did not finish run again after `unpause`. */
  pause(running: "finish" | "abort"): void;
  unpause(): void;
  /** Cancels the ordinary nodes and blocked final nodes, then runs the other final nodes. Also works during a pause. */
  cancel(reason?: string): void;
  status(): DagStatus;
  /** The current graph. */
  plan(): DagPlan;
  /** Calls the listener once for each transition, when it is recorded. Returns a function that unsubscribes. */
  subscribe(listener: Listener<DagEvent>): () => void;
  /** Retries a failed, skipped or cancelled node (a final node also after success), and the nodes skipped because of it. */
  retry(node: string): Promise<void>;
  /** With `treatAsDone`, its dependents run without its result. Otherwise they are skipped, too. */
  skip(node: string, reason: string, options?: { readonly treatAsDone?: boolean }): Promise<void>;
  /** The next attempt of the blocked node gets the answer in its context; `true` if none is given. */
  unblock(node: string, answer?: unknown): Promise<void>;
  /** Returns the new version. Refused once a final node has started. */
  adjust(adjustment: Adjustment, options: { readonly expectedVersion: number }): Promise<number>;
};
