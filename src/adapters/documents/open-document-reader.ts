/**
 * Documents are read in a thread: started by the first one, ended when it is idle, replaced when a document takes too long
 * or too much memory. The daemon's own thread only passes messages on.
 */
import type { Worker } from "node:worker_threads";
import { DomainError } from "../../contract/index.ts";
import type { DocumentReader, ReadDocument, ReadRequest } from "../../knowledge/sources/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { RepliedDocument } from "./document-thread.ts";

type Terms = { readonly clock: Clock; readonly limitMs?: number };

const usualLimitMs = 20_000;
const idleMs = 5_000;

export function openDocumentReader({ clock, limitMs = usualLimitMs }: Terms): DocumentReader {
  let thread: Worker | undefined;
  let idle: Timer | undefined;
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function stop(): Promise<void> {
    idle?.cancel();
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  async function readNow(request: ReadRequest, signal: AbortSignal): Promise<ReadDocument> {
    signal.throwIfAborted();
    idle?.cancel();
    thread ??= (await import("./document-thread.ts")).startDocumentThread();
    const own = thread;
    const id = ++lastId;
    const done = Promise.withResolvers<RepliedDocument>();
    const refuse = (reason: string): void => done.resolve({ id, reason });
    const onEnd = (): void => refuse("its reader ended; it may be too large");
    const onError = (error: Error): void => refuse(`its reader failed: ${error.message}`);
    const onAbort = (): void => refuse("the caller has gone");
    const timer = clock.after(limitMs, () => refuse(`it was not read within ${limitMs / 1_000} s`));
    own.on("message", done.resolve).on("error", onError).on("exit", onEnd);
    signal.addEventListener("abort", onAbort);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    own.postMessage({ id, request });
    const reply = await done.promise;
    timer.cancel();
    signal.removeEventListener("abort", onAbort);
    own.off("message", done.resolve).off("error", onError).off("exit", onEnd);
    if ("document" in reply) {
      idle = clock.after(idleMs, () => void stop());
      return reply.document;
    }
    // What was refused may still be at work there.
    await stop();
    throw new DomainError("source.unreadable", `${request.location} cannot be read: ${reply.reason}`, {
      details: { location: request.location, type: request.type },
    });
  }

  return {
    read(request, signal) {
      const done = queue.then(() => readNow(request, signal));
      queue = done.catch(() => {}); // its caller gets the error
      return done;
    },
    stop,
  };
}
