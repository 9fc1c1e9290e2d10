/**
 * The code index as the rest of the program sees it: questions go to the index thread, which is started by the first of
 * them and again after it has ended. The caller's own thread only passes messages on.
 */
import { existsSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { DomainError, fromErrorBody, type InputOf } from "../../contract/index.ts";
import {
  type CodeIndex,
  type CodeQuestion,
  type FileChange,
  indexFileOf,
  type IndexProgress,
} from "../../knowledge/code-index/index.ts";
import type { AskedIndex, IndexTerms, RepliedIndex } from "./index-thread.ts";

type Told = {
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly onTrouble?: (what: string) => void;
  /** Before the answer to the question that found the changes. */
  readonly onChanged?: (tree: string, changes: readonly FileChange[]) => void;
};
type WithoutId<T> = T extends { readonly id: number } ? Omit<T, "id"> : never;
type Waiting = { readonly resolve: (output: never) => void; readonly reject: (error: Error) => void };

export function openCodeIndex(
  terms: IndexTerms,
  { onProgress = () => {}, onTrouble = () => {}, onChanged = () => {} }: Told = {},
): CodeIndex {
  let starting: Promise<Worker> | undefined;
  let onStopped: (() => void) | undefined;
  let isStopped = false;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Promise<Worker> {
    return (starting ??= import("./index-thread.ts").then(({ startIndexThread }) => {
      const thread = startIndexThread(terms);
      thread.unref();
      thread.on("message", take);
      thread.on("error", (error: Error) => ended(error));
      thread.on("exit", () => ended(undefined));
      return thread;
    }));
  }

  function take(reply: RepliedIndex): void {
    if ("progress" in reply) return onProgress(reply.progress);
    if ("trouble" in reply) return onTrouble(reply.trouble);
    if ("changed" in reply) return onChanged(reply.changed.tree, reply.changed.changes);
    if ("stopped" in reply) return onStopped?.();
    const asker = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("output" in reply) asker?.resolve(reply.output as never);
    else asker?.reject(fromErrorBody({ error: reply.error }));
  }

  function ended(cause: Error | undefined): void {
    starting = undefined;
    onStopped?.();
    const error = new DomainError("workspace.unavailable", "The code index ended while it was asked; ask again", {
      cause,
    });
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    if (cause !== undefined && !isStopped) onTrouble(`The index thread ended: ${cause.message}`);
  }

  async function send<Output>(asked: WithoutId<AskedIndex>): Promise<Output> {
    if (isStopped) throw new DomainError("daemon.stopping", "The code index is stopping");
    const thread = await start();
    const id = ++lastId;
    thread.ref();
    try {
      return await new Promise<Output>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        thread.postMessage({ id, ...asked });
      });
    } finally {
      if (waiting.size === 0) thread.unref();
    }
  }

  return {
    ask: (name, folder, input) => send({ name, folder, input: input as InputOf<CodeQuestion> }),
    async forget(common) {
      if (starting === undefined && !existsSync(indexFileOf(terms.folder, common))) return;
      await send({ forget: common });
    },
    async stop() {
      isStopped = true;
      const thread = await starting;
      if (thread === undefined) return;
      const stopped = new Promise<void>((resolve) => (onStopped = resolve));
      thread.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ stop: true });
      await stopped;
      await thread.terminate();
    },
  };
}
