/** What a run is given, what it writes down, and how its owner holds it. */
import type { Clock } from "../../platform/clock/index.ts";
import type { Dispatch } from "./attempts.ts";
import type { Adjustment, Dag, DagOutcome, NodeRecord, NodeTransition } from "./dag.ts";
import type { DagPlan, DagStatus } from "./dag-status.ts";
import type { AdjustedDag } from "./decision.ts";
import type { Listener } from "./listeners.ts";

/**
 * The last transition of each node (through `recordAfter`) and the graph after its adjustments are all that a restored
 * run needs. An adjusted entry ends what was recorded of the nodes it removes or replaces; the nodes that it adds come
 * last in the graph, then those that it replaces.
 */
export type JournalEntry =
  | { readonly kind: "transition"; readonly transition: NodeTransition }
  | ({ readonly kind: "adjusted" } & AdjustedDag);

export type Journal = {
  /**
   * Resolves once they are safe. One call is one transaction: after a crash all of its entries are there, in order, or
   * none. A success and the adjustment that it brings are always in one call.
   */
  record(entries: readonly JournalEntry[]): Promise<void>;
};

export type RunDagOptions = {
  /** As it stands: after the adjustments that were recorded. */
  readonly dag: Dag;
  /** Of that graph; 1 before the first adjustment. */
  readonly version?: number;
  /** Names the run in its events. */
  readonly id?: string;
  /** What an earlier life of this run recorded: the last transition of each node, through `recordAfter`. */
  readonly restored?: ReadonlyMap<string, NodeRecord>;
  /** How long those of them that succeeded took, in milliseconds: what is left is estimated by them. */
  readonly took?: ReadonlyMap<string, number>;
  /**
   * Takes a run up again that had ended: these nodes, what depends on them, what the ending had cancelled, and then the
   * final nodes. A final node that is named alone runs alone.
   */
  readonly retry?: readonly string[];
  /** Starts nothing before `unpause`. */
  readonly paused?: boolean;
  /** Known roles; with them a node of an unknown role is refused before anything runs. */
  readonly roles?: ReadonlySet<string>;
  /** For every node, in its dispatch context. */
  readonly session?: Readonly<Record<string, unknown>>;
  readonly journal: Journal;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** What a subscriber throws comes here, and the run goes on. */
  readonly onSubscriberError?: (error: unknown) => void;
  /** Cancels the run for good; see `cancel` of DagRun. */
  readonly signal: AbortSignal;
  /** How long an attempt may take to stop. */
  readonly abortGraceMs?: number;
};

export type DagEvent = NodeTransition & { readonly dag: string };

/** Requests resolve once they are recorded; a DagRefusal or InvalidDag says why not, and nothing has changed. */
export type DagRun = {
  /** Rejects only when the journal failed, or by a defect. */
  readonly finished: Promise<DagOutcome>;
  /** Starts nothing more. With "abort" what runs is stopped and, unless it got done, runs again after `unpause`. */
  pause(running: "finish" | "abort"): void;
  unpause(): void;
  /** Ends the ordinary nodes, then runs the final ones; one of these that is blocked ends, too. Outranks a pause. */
  cancel(reason?: string): void;
  status(): DagStatus;
  /** The graph as it stands. */
  plan(): DagPlan;
  /** Hears each transition once, when it is recorded. Returns the way to stop listening. */
  subscribe(listener: Listener<DagEvent>): () => void;
  /** The way out of failed, skipped and cancelled (of a final node also succeeded), with what ended because of it. */
  retry(node: string): Promise<void>;
  /** With `treatAsDone` what depends on it goes on without its result; otherwise it is skipped too. */
  skip(node: string, reason: string, options?: { readonly treatAsDone?: boolean }): Promise<void>;
  /** The next attempt of a blocked node finds the answer (true, if none is given) in its context. */
  unblock(node: string, answer?: unknown): Promise<void>;
  /** Returns the new version. Refused once a final node has started. */
  adjust(adjustment: Adjustment, options: { readonly expectedVersion: number }): Promise<number>;
};
