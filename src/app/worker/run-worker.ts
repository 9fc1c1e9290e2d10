/**
 * The worker process: it runs the roles of one run, or asks a model one question. It waits until the daemon has recorded
 * it, then starts its work. When its channel closes, the daemon has ended, so the worker exits.
 */
import { inspect } from "node:util";
import {
  type FromPromptWorker,
  type PromptWork,
  type ToPromptWorker,
  troubleOf,
} from "../../orchestration/executors/index.ts";
import {
  type Channel,
  createChannel,
  type DaemonMethods,
  type Frame,
  type RunWork,
  type ToDaemon,
  type ToWorker,
  type WorkerMethods,
} from "../../orchestration/runs/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createRedactor, type Redactor } from "../../platform/redact/index.ts";
import type { Worker } from "./build-worker.ts";

export async function runWorker(): Promise<void> {
  const stopping = new AbortController();
  /** Buffers frames that arrive with the task, before the channel listens. */
  const early: Frame[] = [];
  let receive = (frame: Frame): void => void early.push(frame);
  let begun = false;
  const task = await new Promise<Task>((resolve) => {
    process.on("message", (message: ToWorker | ToPromptWorker) => {
      if (message.kind === "go" || message.kind === "ask") {
        begun = true;
        resolve(message);
      } else if (message.kind === "stop") {
        stopping.abort();
        if (!begun) process.exit(0);
      } else receive(message);
    });
    process.once("disconnect", () => {
      stopping.abort();
      // The next daemon kills processes that do not end, because they are recorded.
      process.exit(1);
    });
    tell({ kind: "ready" });
  });
  beat(task.work.beatMs);
  const redactor = createRedactor(...task.work.secrets);
  cleanErrors(redactor);
  if (task.kind === "ask") await answer(task.work, stopping.signal);
  else
    await serve(task.work, redactor, stopping.signal, (channel) => {
      receive = channel.receive;
      early.forEach(receive);
    });
  process.exit(0);
}

type Task = ToPromptWorker | Extract<ToWorker, { kind: "go" }>;

/** Sends a heartbeat while the event loop runs. */
function beat(everyMs: number): void {
  tell({ kind: "beat" });
  systemClock().after(everyMs, () => beat(everyMs));
}

/** Answers messages until it is told to stop. */
async function serve(
  work: RunWork,
  redactor: Redactor,
  signal: AbortSignal,
  listen: (channel: Channel<DaemonMethods>) => void,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const worker: Promise<Worker> = import("./build-worker.ts").then(({ buildWorker }) =>
    buildWorker(work, channel, redactor),
  );
  worker.catch(() => {}); // each message gets the error
  const channel: Channel<DaemonMethods> = createChannel<DaemonMethods, WorkerMethods>({
    send: tell,
    serve: { deliver: async (message, given) => (await worker).deliver(message, AbortSignal.any([given, signal])) },
  });
  listen(channel);
  if (signal.aborted) return;
  await stopped;
  await worker.then((built) => built.close());
}

async function answer(work: PromptWork, signal: AbortSignal): Promise<void> {
  const { answerPrompt } = await import("../../adapters/models/index.ts");
  try {
    await tellDaemon({ kind: "answered", answer: await answerPrompt(work, systemClock(), signal) });
  } catch (error) {
    await tellDaemon({ kind: "failed", failure: troubleOf(error) });
  }
}

/** Resolves once the message is sent, because the process exits next. */
function tellDaemon(message: FromPromptWorker): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

/** Redacts the worker's output, which goes to a file: stack traces may quote a key. */
function cleanErrors({ text }: Redactor): void {
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) =>
    write(text(Buffer.from(chunk).toString()), ...(rest as []));
  process.setUncaughtExceptionCaptureCallback((error) => {
    process.stderr.write(`${inspect(error)}\n`);
    process.exit(1);
  });
}

function tell(message: ToDaemon): void {
  process.send?.(message);
}
