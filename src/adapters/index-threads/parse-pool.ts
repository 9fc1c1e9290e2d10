/** Parse threads, started when there is something to parse and ended when there is nothing: idle they would hold memory. */
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { DomainError } from "../../contract/index.ts";
import type { FoundPattern, Parser, ParseReply, ReadPattern } from "../../knowledge/code-index/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { ParseTerms, Replied, Result, Work } from "./parse-thread.ts";

type Job = {
  readonly work: Work;
  readonly done: (reply: Result) => void;
  /** The thread ended over it, and why; undefined: all work was cancelled. */
  readonly lost: (reason: string | undefined) => void;
};
type Seat = { readonly thread: Promise<Worker>; job: Job | undefined };

const mostThreads = 4;
const idleMs = 3_000;

export function createParsePool(terms: ParseTerms, clock: Clock): Parser {
  const width = Math.min(mostThreads, availableParallelism());
  const seats = new Set<Seat>();
  const waiting: Job[] = [];
  let idle: Timer | undefined;

  function sit(): Seat {
    const thread = import("./parse-thread.ts").then(({ startParseThread }) => {
      const worker = startParseThread(terms);
      worker.on("message", (replied: Replied) => {
        if (("defect" in replied || replied.isWorn) && seats.delete(seat)) void worker.terminate();
        finish(seat, (job) =>
          "defect" in replied ? job.lost(`cannot be parsed: ${replied.defect}`) : job.done(replied.reply),
        );
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

  function finish(seat: Seat, tell: (job: Job) => void): void {
    const { job } = seat;
    seat.job = undefined;
    if (job !== undefined) tell(job);
    give();
  }

  /** A thread that is gone takes its file with it: the next one would end on it, too. */
  function stand(seat: Seat, reason: string): void {
    if (seats.delete(seat)) finish(seat, (job) => job.lost(reason));
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
        (worker) => worker.postMessage(job.work),
        () => {},
      );
    }
    if ([...seats].every(({ job }) => job === undefined)) idle = clock.after(idleMs, () => void empty());
  }

  async function empty(): Promise<void> {
    const all = [...seats];
    seats.clear();
    await Promise.allSettled(all.map(async ({ thread }) => (await thread).terminate()));
    for (const { job } of all) job?.lost(undefined);
  }

  function ask<Reply extends Result>(work: Work, lost: (reason: string | undefined) => Reply): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    waiting.push({
      work,
      done: (reply) => resolve(reply as Reply),
      lost(reason) {
        try {
          resolve(lost(reason));
        } catch (error) {
          reject(error);
        }
      },
    });
    give();
    return promise;
  }

  return {
    width,
    parse: (request) =>
      ask<ParseReply>({ parse: request }, (reason) =>
        reason === undefined ? { state: "changed" } : { state: "left-out", reason },
      ),
    readPattern: (pattern, language) =>
      ask<ReadPattern>({ readPattern: { pattern, language } }, (reason = "its threads were ended") => {
        throw new DomainError("workspace.unavailable", `The pattern was not read: ${reason}; ask again`);
      }),
    findPattern: (wanted, file) =>
      ask<FoundPattern>({ findPattern: wanted, file }, (reason = "was left when the parser was ended") => ({
        state: "failed",
        reason,
      })),
    async cancel() {
      idle?.cancel();
      for (const { lost } of waiting.splice(0)) lost(undefined);
      await empty();
    },
  };
}
