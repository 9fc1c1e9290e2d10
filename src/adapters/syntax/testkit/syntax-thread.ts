/** A thread that answers with the facts of the texts it is sent, as the index runs it: one that is worn is replaced. */
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { FileFacts, SyntaxLimits } from "../../../knowledge/code-index/index.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { openSyntax } from "../open-syntax.ts";

type Question = { readonly path: string; readonly text: string; readonly limits: Partial<SyntaxLimits> };
type Answer = { readonly facts: FileFacts; readonly isWorn: boolean };

const marker = "sylk syntax thread";

export class SyntaxThread implements AsyncDisposable {
  #worker: Worker | undefined;
  /** How many threads were needed so far. */
  starts = 0;

  async extract(path: string, text: string, limits: Partial<SyntaxLimits>): Promise<FileFacts> {
    const worker = (this.#worker ??= this.#start());
    const answer = Promise.withResolvers<Answer>();
    worker.once("message", answer.resolve).once("error", answer.reject);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    worker.postMessage({ path, text, limits } satisfies Question);
    const { facts, isWorn } = await answer.promise;
    worker.off("error", answer.reject);
    if (isWorn) await this[Symbol.asyncDispose]();
    return facts;
  }

  #start(): Worker {
    this.starts += 1;
    return new Worker(new URL(import.meta.url), { workerData: marker });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

if (workerData === marker && parentPort !== null) {
  const port = parentPort;
  const syntax = await openSyntax({ clock: systemClock() });
  port.on("message", ({ path, text, limits }: Question) => {
    const facts = syntax.extract(path, text, limits);
    port.postMessage({ facts, isWorn: syntax.isWorn() } satisfies Answer);
  });
}
