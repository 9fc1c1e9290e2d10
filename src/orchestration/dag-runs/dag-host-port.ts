/** How the daemon's other parts hold the host of DAG runs, and what it needs. */
import type { DagId, SessionId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { DagRun } from "../dag/index.ts";
import type { ProcessRecorder } from "../executors/index.ts";
import type { Attempt } from "./carry-out-node.ts";
import type { LiveFacts } from "./dag-view.ts";
import type { PathReservations } from "./path-reservations.ts";
import type { DagTx } from "./record-batch.ts";

export type DagHost = {
  /** Starts the run or goes on with it. Resolves when its engine runs. */
  launch(id: DagId, terms?: LaunchTerms): Promise<DagRun>;
  /** The engine of a run that is under way. */
  live(id: DagId): DagRun | undefined;
  /** Resolves when the run has ended and its outcome is recorded; at once when it is not under way. */
  over(id: DagId): Promise<void>;
  /** Resolves when what was given to the store last is recorded. */
  recorded(id: DagId): Promise<void>;
  factsOf(id: DagId): Promise<LiveFacts>;
  /** Of a run that is not under way there is nothing to pause. */
  pause(id: DagId, running: "finish" | "abort"): void;
  unpause(id: DagId): Promise<void>;
  /** Resolves when nothing of the run is at work; each node of a run that was cancelled is then recorded as such. */
  settled(id: DagId): Promise<void>;
  /** Goes on with what was under way, or leaves it paused. */
  goOn(options: { readonly autoResume: boolean }): Promise<void>;
  /** Stops what runs; it is done again by the next daemon. */
  close(): Promise<void>;
};

export type LaunchTerms = {
  /** Takes up a run that had ended, with these nodes. */
  readonly retry?: readonly string[];
  /** Starts nothing before it is unpaused. */
  readonly paused?: boolean;
};

export type HostPorts = {
  readonly store: Store<DagTx>;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly random: () => number;
  /** Does what a node is there for; it waits for its place by itself. */
  readonly carryOut: (attempt: Attempt) => Promise<unknown>;
  readonly ids: IdSource;
  /** Processes of attempts. */
  readonly processes: ProcessRecorder<DagTx>;
  /** For every node of the session's graphs, as it is when a graph is taken up. Without it they get nothing of it. */
  readonly sessionContext?: ((session: SessionId) => Promise<Readonly<Record<string, unknown>>>) | undefined;
  /** Without it no node reserves anything. */
  readonly reservations?: PathReservations | undefined;
};
