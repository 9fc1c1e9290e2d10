/**
 * Workers as the daemon owns them: one process per run that is under way.
 *
 *   launch -> worker starts and waits -> its process is recorded -> "go" with the work -> record … record -> exit
 *
 * Recovery: whatever process groups were recorded are ended before a run is given to a new worker, so that nothing from
 * before writes after its node was dispatched again. A worker that gives no sign of life any more is ended like one that
 * died. A run whose workers die again and again without bringing it a step further is given up after a few tries.
 */
import type { ChildProcess } from "node:child_process";
import { DomainError, type RunId, type SessionId } from "../../contract/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import { defaultBeatMs, missedBeats } from "../../platform/heartbeat.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { ProcessRecorder } from "../executors/index.ts";
import { applyJournal, changeStatus, type JournalEntry, type JournalTx } from "./journal.ts";
import { stopNodes } from "./stop-nodes.ts";
import type { RunRecord } from "./store.ts";
import type { RunWork, ToDaemon, ToWorker } from "./worker-protocol.ts";
import { createWorkerSlots, type TakeSlot, type WorkerSlots } from "./worker-slots.ts";

export type WorkerHost = {
  launch(run: RunId): void;
  /** Ends the run's worker and everything it started; resolves when they are gone. */
  stop(run: RunId): Promise<void>;
  /** Goes on with what was under way, or leaves it paused. */
  goOn(options: { readonly autoResume: boolean }): Promise<void>;
  close(): Promise<void>;
};

type Ports = {
  readonly store: Store<JournalTx>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly processes: Pick<ProcessRecorder, "endLeftovers">;
  readonly spawnWorker: () => ChildProcess;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  readonly workOf: (run: RunRecord) => Promise<RunWork>;
  /** Whoever works in a worker does so in a slot of the one pool, in its session's share. */
  readonly takeSlot: TakeSlot;
  /** Takes secrets out of what models and commands said. */
  readonly clean: <T>(value: T) => T;
  /** Told how each worker ended; without an error, as it should. */
  readonly onWorkerEnded?: (error?: string) => void;
  readonly beatMs?: number;
};
type Worker = {
  readonly child: ChildProcess;
  /** Resolves when it and everything it started have ended. */
  readonly gone: Promise<void>;
  readonly slots: WorkerSlots;
  session: SessionId | undefined;
  stopping: boolean;
  /** Signs of life that did not come, in a row. */
  missed: number;
  nextBeat: Timer | undefined;
};

const barrenTries = 3;
const stopGraceMs = 3_000;

export function createWorkerHost(ports: Ports): WorkerHost {
  const { store, clock, log, beatMs = defaultBeatMs } = ports;
  const workers = new Map<RunId, Worker>();
  /** Launches in a row that brought the run no step further. */
  const barren = new Map<RunId, number>();
  let closed = false;

  function launch(run: RunId): void {
    if (closed || workers.has(run)) return; // one that is about to end looks whether it is wanted again
    const child = ports.spawnWorker();
    const exited = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    const worker: Worker = {
      child,
      slots: createWorkerSlots(ports.takeSlot),
      session: undefined,
      stopping: false,
      missed: 0,
      nextBeat: undefined,
      gone: exited
        .then(() => ended(run, worker))
        .catch((error: unknown) => void log.error("worker.end-failed", { run, error })),
    };
    workers.set(run, worker);
    child.on(
      "message",
      (message: ToDaemon) =>
        void receive(run, worker, message)
          .catch((error: unknown) => fail(run, worker, error))
          .catch((error: unknown) => void log.error("worker.fail-failed", { run, error })),
    );
  }

  /** Counted by a timer of ours: after a pause of the whole machine one beat is missing, not as many as would fit. */
  function watch(run: RunId, worker: Worker): void {
    worker.nextBeat = clock.after(beatMs, () => {
      if (++worker.missed < missedBeats.dead) return watch(run, worker);
      log.error("worker.silent", { run, missed: worker.missed });
      worker.child.kill("SIGKILL");
    });
  }

  async function receive(run: RunId, worker: Worker, message: ToDaemon): Promise<void> {
    worker.missed = 0;
    if (message.kind === "beat") return;
    if (message.kind === "ready") return begin(run, worker);
    if (message.kind === "slot-freed") return worker.slots.free(message.id);
    if (message.kind === "slot") {
      // A daemon that stops grants nothing.
      if (closed || worker.session === undefined) return;
      return worker.slots.grant(worker.session, message, (answer) => send(worker, answer));
    }
    try {
      await store.transact(run, (tx) => applyJournal(run, ports.clean(message.entries), tx, ports));
      if (message.entries.some(isStep)) barren.delete(run);
      send(worker, { kind: "recorded", id: message.id });
    } catch (error) {
      log.error("worker.record-failed", { run, error });
      send(worker, { kind: "recorded", id: message.id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The worker waits for "go": it is recorded before it does anything. */
  async function begin(run: RunId, worker: Worker): Promise<void> {
    const pid = worker.child.pid!;
    const startedAt = await ports.startTimeOf(pid);
    if (startedAt === undefined) return; // it is gone already: its end is handled there
    const record = await store.transact(run, async (tx) => {
      await tx.processes.add({ pid, startedAt, owner: run });
      return (await tx.runs.find(run))!;
    });
    worker.session = record.session;
    watch(run, worker);
    send(worker, { kind: "go", work: await ports.workOf(record) });
  }

  /** What a person can put right (no key, no provider) waits for that person; the rest is tried again. */
  async function fail(run: RunId, worker: Worker, error: unknown): Promise<void> {
    log.error("worker.failed", { run, error });
    ports.onWorkerEnded?.(String(error));
    if (error instanceof DomainError)
      await store.transact(run, async (tx) =>
        changeStatus((await tx.runs.find(run))!, "paused", ports.clean(error.message), tx, ports),
      );
    worker.child.kill("SIGKILL");
  }

  async function ended(run: RunId, worker: Worker): Promise<void> {
    worker.nextBeat?.cancel();
    worker.slots.freeAll();
    await ports.processes.endLeftovers(run);
    workers.delete(run);
    if (closed) return;
    const record = await store.reader.runs.find(run);
    if (record?.status !== "planning" && record?.status !== "running") return ports.onWorkerEnded?.();
    if (worker.stopping) return launch(run); // stopped, and resumed before it was gone
    ports.onWorkerEnded?.("it ended before its run");
    const tries = (barren.get(run) ?? 0) + 1;
    barren.set(run, tries);
    if (tries <= barrenTries) return launch(run);
    await store.transact(run, async (tx) =>
      changeStatus(
        (await tx.runs.find(run))!,
        "failed",
        `its worker ended ${tries} times without getting anywhere; "sylk logs" has the details`,
        tx,
        ports,
      ),
    );
  }

  async function stop(run: RunId): Promise<void> {
    const worker = workers.get(run);
    if (worker === undefined) return;
    worker.stopping = true;
    send(worker, { kind: "stop" });
    const timer = clock.after(stopGraceMs, () => worker.child.kill("SIGKILL"), { keepAlive: true });
    await worker.gone;
    timer.cancel();
  }

  return {
    launch,
    stop,
    async goOn({ autoResume }) {
      const interrupted = await store.reader.runs.withStatus(["planning", "running"]);
      if (autoResume) return interrupted.forEach(({ id }) => launch(id));
      await store.transact("recovery", async (tx: JournalTx & Transaction) => {
        for (const run of interrupted) {
          await changeStatus(run, "paused", `the daemon ended; go on with "sylk resume ${run.id}"`, tx, ports);
          await stopNodes(run, "paused", tx, ports);
        }
      });
    },
    async close() {
      closed = true;
      await Promise.all([...workers.keys()].map(stop));
    },
  };
}

/** Not what every worker records on its way to where the last one fell. */
function isStep(entry: JournalEntry): boolean {
  if (entry.kind === "transition") return entry.transition.to === "succeeded" || entry.transition.to === "failed";
  return entry.kind === "plan" || entry.kind === "nodes" || entry.kind === "check" || entry.kind === "status";
}

function send({ child }: Worker, message: ToWorker): void {
  if (child.connected) child.send(message);
}
