/**
 * The daemon's worker processes: at most one for each run, while its models and checks run.
 *
 *   deliver(message) -> worker starts and waits -> its process is recorded -> "go" -> the message's answer
 *                       `-> no message for a while: the worker is told to stop
 *
 * The end of a worker interrupts its attempts. The daemon first kills every recorded process group of the run, so that no
 * old process writes after its node is dispatched again. It kills a worker without a heartbeat in the same way. A worker
 * has no journal: a new one needs only the next message.
 */
import type { ChildProcess } from "node:child_process";
import { DomainError, type MessageOf, type RunId } from "../../contract/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import { defaultBeatMs, missedBeats } from "../../platform/heartbeat.ts";
import type { Log } from "../../platform/log/index.ts";
import { Interrupted } from "../dag/index.ts";
import type { ProcessRecorder } from "../executors/index.ts";
import type { Answer } from "../guide/index.ts";
import { type Channel, createChannel, type Served } from "./channel.ts";
import { WorkerUnavailable } from "./reach-worker.ts";
import type { DaemonMethods, RunWork, ToDaemon, ToWorker, WorkerMethods } from "./worker-protocol.ts";

export type RunWorkers = {
  /**
   * Throws WorkerUnavailable when a person can fix the cause (no key, no provider), Interrupted when the worker ends, or
   * when the worker `pid`, for which the message was meant, has ended.
   */
  deliver(
    run: RunId,
    message: MessageOf,
    terms: { readonly signal: AbortSignal; readonly pid?: number | undefined },
  ): Promise<Answer>;
  /** Starts the worker unless it runs. Resolves with its process id when it has its work. */
  open(run: RunId): Promise<number>;
  /** Stops the run's worker and every process it started. Resolves when they have ended. */
  rest(run: RunId): Promise<void>;
};

export type WorkerPorts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly processes: Pick<ProcessRecorder, "record" | "endLeftovers">;
  readonly spawnWorker: () => ChildProcess;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  readonly workFor: (run: RunId) => Promise<RunWork>;
  readonly serve: (run: RunId) => Served<DaemonMethods>;
  /** Called on each heartbeat. */
  readonly onBeat?: (run: RunId) => void;
  /** Called when a worker ends. Without an error, it ended as expected. */
  readonly onWorkerEnded?: (error?: string) => void;
  readonly beatMs?: number;
};

type Worker = {
  readonly child: ChildProcess;
  readonly channel: Channel<WorkerMethods>;
  /** Resolves when it has its work. */
  readonly begun: PromiseWithResolvers<void>;
  /** Resolves when it and everything it started have ended. */
  gone: Promise<void>;
  stopping: boolean;
  /** Messages it has not answered. */
  busy: number;
  /** Number of missed heartbeats in a row. */
  missed: number;
  nextBeat: Timer | undefined;
  idle: Timer | undefined;
};

const stopGraceMs = 3_000;
/** Longer than the gap between two nodes, shorter than most waits for a person's decision. */
const lingerMs = 1_000;

export function createRunWorkers(ports: WorkerPorts): RunWorkers {
  const { clock, log, beatMs = defaultBeatMs } = ports;
  const workers = new Map<RunId, Worker>();

  async function workerOf(run: RunId): Promise<Worker> {
    const known = workers.get(run);
    if (known?.stopping === false) return known;
    await known?.gone;
    return workers.get(run) ?? start(run);
  }

  function start(run: RunId): Worker {
    const child = ports.spawnWorker();
    const send = (message: ToWorker): void => tell(child, message);
    const channel = createChannel<WorkerMethods, DaemonMethods>({ send, serve: ports.serve(run) });
    const begun = Promise.withResolvers<void>();
    begun.promise.catch(() => {}); // each waiting message gets the error
    const worker: Worker = {
      child,
      channel,
      begun,
      gone: Promise.resolve(),
      stopping: false,
      busy: 0,
      missed: 0,
      nextBeat: undefined,
      idle: undefined,
    };
    const exited = new Promise<void>((resolve) => {
      child.once("close", () => resolve()); // not "exit": its last messages may still be in the channel then
      // A process that never started has no end of its own.
      child.on("error", () => void (child.pid === undefined && resolve()));
    });
    worker.gone = exited
      .then(() => ended(run, worker))
      .catch((error: unknown) => void log.error("worker.end-failed", { run, error }));
    workers.set(run, worker);
    child.on("message", (message: ToDaemon) => {
      worker.missed = 0;
      if (message.kind === "beat") ports.onBeat?.(run);
      else if (message.kind === "ready") begin(run, worker).catch((error: unknown) => fail(run, worker, error));
      else channel.receive(message);
    });
    return worker;
  }

  /** The worker waits for "go", so it is recorded before it does anything. */
  async function begin(run: RunId, worker: Worker): Promise<void> {
    const pid = worker.child.pid!;
    const startedAt = await ports.startTimeOf(pid);
    if (startedAt === undefined) return; // it has already ended; `ended` handles that
    await ports.processes.record(run, { pid, startedAt });
    const work = await ports.workFor(run);
    watch(run, worker);
    tell(worker.child, { kind: "go", work });
    worker.begun.resolve();
  }

  function fail(run: RunId, worker: Worker, error: unknown): void {
    log.error("worker.failed", { run, error });
    const reason = error instanceof DomainError ? new WorkerUnavailable(error.message, { cause: error }) : unexpected();
    worker.begun.reject(reason);
    worker.child.kill("SIGKILL");
  }

  /** A timer of the daemon counts. So after the machine slept, one heartbeat is missing, not many. */
  function watch(run: RunId, worker: Worker): void {
    worker.nextBeat = clock.after(beatMs, () => {
      if (++worker.missed < missedBeats.dead) return watch(run, worker);
      log.error("worker.silent", { run, missed: worker.missed });
      worker.child.kill("SIGKILL");
    });
  }

  async function ended(run: RunId, worker: Worker): Promise<void> {
    worker.nextBeat?.cancel();
    worker.idle?.cancel();
    const isExpected = worker.stopping;
    worker.stopping = true;
    await ports.processes.endLeftovers(run);
    workers.delete(run);
    const reason = unexpected();
    worker.begun.reject(reason);
    worker.channel.close(reason);
    ports.onWorkerEnded?.(...(isExpected ? [] : ["it ended before its work"]));
  }

  async function stop(worker: Worker): Promise<void> {
    if (!worker.stopping) {
      worker.stopping = true;
      tell(worker.child, { kind: "stop" });
    }
    const timer = clock.after(stopGraceMs, () => worker.child.kill("SIGKILL"), { keepAlive: true });
    await worker.gone;
    timer.cancel();
  }

  return {
    async deliver(run, message, { signal, pid }) {
      const worker = await workerOf(run);
      if (pid !== undefined && worker.child.pid !== pid) throw unexpected();
      worker.idle?.cancel();
      worker.busy++;
      try {
        await worker.begun.promise;
        return await worker.channel.call("deliver", message, signal);
      } finally {
        worker.busy--;
        if (worker.busy === 0 && !worker.stopping) worker.idle = clock.after(lingerMs, () => void stop(worker));
      }
    },
    async open(run) {
      const { begun, child, idle } = await workerOf(run);
      idle?.cancel(); // a message of an agent in this process follows
      await begun.promise;
      return child.pid!;
    },
    async rest(run) {
      const worker = workers.get(run);
      if (worker !== undefined) await stop(worker);
    },
  };
}

function unexpected(): Interrupted {
  return new Interrupted('its worker ended unexpectedly; "sylk logs" has the details');
}

/** A worker that dies while it is told something is heard of by its exit. */
function tell(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => {});
}
