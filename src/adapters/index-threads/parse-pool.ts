/** Parse threads, started when there is something to parse and ended when there is nothing: idle they would hold memory. */
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { Parser, ParseReply, ParseRequest } from "../../knowledge/code-index/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { ParseTerms, Replied } from "./parse-thread.ts";

type Job = { readonly request: ParseRequest; readonly done: (reply: ParseReply) => void };
type Seat = { readonly thread: Promise<Worker>; job: Job | undefined };

const mostThreads = 4;
const idleMs = 3_000;

export function createParsePool(terms: ParseTerms, clock: Clock): Parser {
  const width = Math.min(mostThreads, availableParallelism());
  const seats = new Set<Seat>();
  const waiting: Job[] = [];
  let idle: Timer | undefined;
  let lastId = 0;

  function sit(): Seat {
    const thread = import("./parse-thread.ts").then(({ startParseThread }) => {
      const worker = startParseThread(terms);
      worker.on("message", ({ reply, isWorn }: Replied) => {
        if (isWorn && seats.delete(seat)) void worker.terminate();
        finish(seat, reply);
      });
      worker.on("error", (error: Error) => stand(seat, `the parser failed: ${error.message}`));
      worker.on("exit", () => stand(seat, "the parser ended"));
      return worker;
    });
    const seat: Seat = { thread, job: undefined };
    thread.catch((error: unknown) => stand(seat, `the parser cannot start: ${String(error)}`));
    seats.add(seat);
    return seat;
  }

  function finish(seat: Seat, reply: ParseReply): void {
    const { job } = seat;
    seat.job = undefined;
    job?.done(reply);
    give();
  }

  /** A thread that is gone takes its file with it: the next one would end on it, too. */
  function stand(seat: Seat, reason: string): void {
    if (!seats.delete(seat)) return;
    finish(seat, { state: "left-out", reason });
  }

  function give(): void {
    idle?.cancel();
    while (waiting.length > 0) {
      const free = [...seats].find(({ job }) => job === undefined) ?? (seats.size < width ? sit() : undefined);
      if (free === undefined) return;
      const job = waiting.shift()!;
      free.job = job;
      void free.thread.then(
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        (worker) => worker.postMessage({ id: ++lastId, request: job.request }),
        () => {},
      );
    }
    if ([...seats].every(({ job }) => job === undefined)) idle = clock.after(idleMs, () => void empty());
  }

  async function empty(): Promise<void> {
    const all = [...seats];
    seats.clear();
    await Promise.allSettled(all.map(async ({ thread }) => (await thread).terminate()));
    for (const { job } of all) job?.done({ state: "changed" });
  }

  return {
    width,
    parse: (request) =>
      new Promise((done) => {
        waiting.push({ request, done });
        give();
      }),
    async cancel() {
      idle?.cancel();
      for (const { done } of waiting.splice(0)) done({ state: "changed" });
      await empty();
    },
  };
}
