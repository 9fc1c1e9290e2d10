/**
 * A worker: one process that carries one run, or asks a model one question, owned by the daemon. It waits until the daemon
 * has recorded it, then does what it is told. When its channel closes, the daemon is gone: it ends what it started and leaves.
 */
import { inspect } from "node:util";
import {
  type FromPromptWorker,
  type PromptWork,
  type ToPromptWorker,
  troubleOf,
} from "../../orchestration/executors/index.ts";
import type { RunContext, RunWork, ToDaemon, ToWorker } from "../../orchestration/runs/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createRedactor, type Redactor } from "../../platform/redact/index.ts";

export async function runWorker(): Promise<void> {
  const stopping = new AbortController();
  let begun = false;
  const task = await new Promise<Task>((resolve) => {
    process.on("message", (message: ToWorker | ToPromptWorker) => {
      if (message.kind === "go" || message.kind === "ask") {
        begun = true;
        resolve(message);
      } else if (message.kind === "stop") {
        stopping.abort();
        if (!begun) process.exit(0);
      }
    });
    process.once("disconnect", () => {
      stopping.abort();
      // Whatever does not end by itself is ended by the next daemon, which has it recorded.
      process.exit(1);
    });
    tell({ kind: "ready" });
  });
  beat(task.work.beatMs);
  const redactor = createRedactor(...task.work.secrets);
  cleanErrors(redactor);
  if (task.kind === "ask") await answer(task.work, stopping.signal);
  else await carry(task.work, redactor, stopping.signal);
  process.exit(0);
}

type Task = ToPromptWorker | Extract<ToWorker, { kind: "go" }>;

/** As long as it can do anything at all, it says so. */
function beat(everyMs: number): void {
  tell({ kind: "beat" });
  systemClock().after(everyMs, () => beat(everyMs));
}

async function carry(work: RunWork, redactor: Redactor, signal: AbortSignal): Promise<void> {
  const { composeWorker } = await import("./build-worker.ts");
  await composeWorker(work, { record: journalOf(work), slot: slotsOfDaemon() }, redactor).execute(signal);
}

async function answer(work: PromptWork, signal: AbortSignal): Promise<void> {
  const { answerPrompt } = await import("../../adapters/models/index.ts");
  try {
    await told({ kind: "answered", answer: await answerPrompt(work, systemClock(), signal) });
  } catch (error) {
    await told({ kind: "failed", failure: troubleOf(error) });
  }
}

/** Resolves once it is on its way: the process ends next. */
function told(message: FromPromptWorker): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

/** What a worker prints is kept in a file: stack traces too may quote a key. */
function cleanErrors({ text }: Redactor): void {
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) =>
    write(text(Buffer.from(chunk).toString()), ...(rest as []));
  process.setUncaughtExceptionCaptureCallback((error) => {
    process.stderr.write(`${inspect(error)}\n`);
    process.exit(1);
  });
}

/** Entries go over the channel in order; each is safe when its promise resolves. */
function journalOf(work: RunWork): RunContext["record"] {
  let last = 0;
  const waiting = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  process.on("message", (message: ToWorker) => {
    if (message.kind !== "recorded") return;
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) entry?.resolve();
    else entry?.reject(new Error(`the daemon could not record it: ${message.error}`));
  });
  return (...entries) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      tell({ kind: "record", id, run: work.run.id, entries });
    });
}

/** Slots of the daemon's pool, one request each; who stops waiting gives up its place. */
function slotsOfDaemon(): RunContext["slot"] {
  let last = 0;
  const waiting = new Map<number, (retryAfterMs: number | undefined) => void>();
  process.on("message", (message: ToWorker) => {
    if (message.kind !== "slot-granted" && message.kind !== "slot-refused") return;
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    answer?.(message.kind === "slot-refused" ? message.retryAfterMs : undefined);
  });
  return async (role, lane, signal) => {
    for (;;) {
      signal.throwIfAborted();
      const id = ++last;
      const giveBack = (): void => tell({ kind: "slot-freed", id });
      const refusedFor = await new Promise<number | undefined>((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(id);
          giveBack();
          reject(signal.reason as Error);
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting.set(id, (retryAfterMs) => {
          signal.removeEventListener("abort", leave);
          resolve(retryAfterMs);
        });
        tell({ kind: "slot", id, role, lane });
      });
      if (refusedFor === undefined) return giveBack;
      await new Promise<void>((resolve) => systemClock().after(refusedFor, resolve, { keepAlive: true }));
    }
  };
}

function tell(message: ToDaemon): void {
  process.send?.(message);
}
