/** The interface of the graph host, which also runs the graphs of runs, and the ports it needs. */
import type { GraphId, SessionId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { DagRun, NodeRecord } from "../dag/index.ts";
import type { ProcessRecorder } from "../executors/index.ts";
import type { Attempt } from "./carry-out-node.ts";
import type { LiveFacts } from "./dag-view.ts";
import type { PathReservations } from "./path-reservations.ts";
import type { GraphFollower, GraphTx } from "./record-batch.ts";
import type { GraphRecord, StoredStatus } from "./store.ts";

export type GraphHost<Tx extends GraphTx = GraphTx> = {
  /** Starts or continues the graph. Resolves when its engine runs. */
  launch(id: GraphId, terms?: LaunchTerms): Promise<DagRun>;
  /** The engine of a running graph. */
  live(id: GraphId): DagRun | undefined;
  /** Resolves when the graph has ended and its outcome is recorded. Resolves at once when the graph has no engine. */
  over(id: GraphId): Promise<void>;
  /** If the engine has finished, resolves when that is recorded. Otherwise resolves at once. */
  ended(id: GraphId): Promise<void>;
  /** Resolves when the latest batch is recorded. */
  recorded(id: GraphId): Promise<void>;
  factsOf(id: GraphId): Promise<LiveFacts>;
  /** Does nothing when the graph has no engine. */
  pause(id: GraphId, running: "finish" | "abort"): void;
  unpause(id: GraphId): Promise<void>;
  /** Resolves when no attempt of the graph runs. Of a cancelled graph every node is then recorded as cancelled. */
  settled(id: GraphId): Promise<void>;
  /** Sets the status that a person or a session decided, and records its consequences. */
  changeStatus(graph: GraphRecord, to: StoredStatus, reason: string | undefined, tx: Tx): Promise<void>;
  /** After a daemon start: continues the graphs that were running, or pauses them. */
  resumeAll(options: { readonly autoResume: boolean }): Promise<void>;
  /** Stops running attempts. The next daemon repeats them. */
  close(): Promise<void>;
};

export type LaunchTerms = {
  /** Reopens a graph that had ended, and retries these nodes. */
  readonly retry?: readonly string[];
  /** Starts no node before `unpause`. */
  readonly paused?: boolean;
};

/** A resource that a running graph has besides its engine, such as the worker of a run. */
export type GraphCompanion = {
  /** Stops everything that no attempt needs. Resolves when it has stopped. */
  rest(): Promise<void>;
  close(): Promise<void>;
};

export type HostPorts<Tx extends GraphTx = GraphTx> = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly random: () => number;
  /** Executes an attempt of a node. It waits for a pool slot itself. */
  readonly carryOut: (attempt: Attempt) => Promise<unknown>;
  readonly ids: IdSource;
  /** Records the processes of attempts. */
  readonly processes: ProcessRecorder<Tx>;
  /** Without a follower, a change only appends the events of the graph. */
  readonly followerOf?: ((id: GraphId) => GraphFollower<Tx> | undefined) | undefined;
  readonly companionOf?:
    | ((graph: GraphRecord, run: DagRun, restored: ReadonlyMap<string, NodeRecord>) => GraphCompanion | undefined)
    | undefined;
  /** The session's context, read when a graph is launched and passed to each of its nodes. */
  readonly sessionContext?: ((session: SessionId) => Promise<Readonly<Record<string, unknown>>>) | undefined;
  /** Without this port, nodes cannot reserve paths. */
  readonly reservations?: PathReservations | undefined;
};
