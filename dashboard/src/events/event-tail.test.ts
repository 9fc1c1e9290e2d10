import fc from "fast-check";
import { expect, it } from "vitest";
import { DomainError, type LogEvent } from "../daemon/contract.ts";
import { createEventTail } from "./event-tail.ts";
import { logEvent } from "./testkit.ts";

/** A daemon in memory: a log that grows, streams to its listener and forgets its beginning. */
function scratchLog({ matches = (event: LogEvent): boolean => event.sequence > 0, most = 20_000 } = {}) {
  const all: LogEvent[] = [];
  const frames: (() => void)[] = [];
  let oldest = 0;
  let listener: (events: readonly LogEvent[]) => void = () => {};
  let folds = 0;
  const tail = createEventTail({
    most,
    matches,
    async read({ after, newest, limit }) {
      await Promise.resolve();
      const end = all.length;
      if (newest !== true && after < oldest) throw new DomainError("events.truncated", "gone", { details: { oldest } });
      const found = all.slice(oldest).filter((event) => event.sequence > after && matches(event));
      const items = newest === true ? found.slice(-limit) : found.slice(0, limit);
      const isMore = newest !== true && found.length > limit;
      return { items, lastSequence: isMore ? items.at(-1)!.sequence : end, ...(isMore ? { nextCursor: "more" } : {}) };
    },
    watchEvents(onEvents) {
      listener = onEvents;
      return () => (listener = () => {});
    },
    nextFrame: (work) => frames.push(work),
  });
  tail.watch(() => folds++);
  const grow = (count: number, isHeard = true): void => {
    const added = Array.from({ length: count }, (_, index) =>
      logEvent(all.length + index + 1, { type: (all.length + index) % 3 === 0 ? "mail.sent" : "agent.changed" }),
    );
    all.push(...added);
    if (isHeard && count > 0) listener(added);
  };
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 40; round++) {
      for (const frame of frames.splice(0)) frame();
      await Promise.resolve();
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { all, tail, grow, settle, forget: (upTo: number) => (oldest = upTo), folds: () => folds };
}

const sequences = (events: readonly LogEvent[]) => events.map(({ sequence }) => sequence);

it("joins the newest page and the live tail without gap or duplicate, whatever comes in between [DASH-11, DASH-12]", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("grow" as const), count: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ kind: fc.constant("missed" as const), count: fc.integer({ min: 1, max: 30 }) }),
    fc.record({
      kind: fc.constantFrom("settle" as const, "older" as const, "away" as const, "back" as const),
      count: fc.constant(0),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3_000 }),
      fc.array(step, { maxLength: 12 }),
      fc.boolean(),
      async (first, steps, isFiltered) => {
        const matches = (event: LogEvent): boolean => !isFiltered || event.type === "mail.sent";
        const log = scratchLog({ matches });
        log.grow(first);
        log.tail.start();
        for (const { kind, count } of steps) {
          if (kind === "grow") log.grow(count);
          if (kind === "missed") log.grow(count, false); // a stream that was cut and resumed later
          if (kind === "settle") await log.settle();
          if (kind === "older") void log.tail.loadOlder();
          if (kind === "away") log.tail.unfollow();
          if (kind === "back") void log.tail.follow();
        }
        await log.settle();
        await log.tail.follow();
        log.grow(1);
        await log.settle();
        const held = sequences(log.tail.view().log.events);
        const wanted = sequences(log.all.filter(matches));
        expect(held).toEqual(wanted.slice(wanted.length - held.length));
        while (!log.tail.view().reachedStart) await log.tail.loadOlder();
        expect(sequences(log.tail.view().log.events)).toEqual(wanted);
      },
    ),
    { numRuns: 60 },
  );
});

it("folds a storm once a frame and holds a bounded number of events [DASH-16]", async () => {
  const log = scratchLog({ most: 500 });
  log.tail.start();
  await log.settle();
  const before = log.folds();
  for (let batch = 0; batch < 100; batch++) log.grow(10);
  await log.settle();
  expect(log.folds() - before).toBeLessThanOrEqual(3);
  expect(sequences(log.tail.view().log.events)).toEqual(sequences(log.all.slice(-500)));
});

it("counts what came while the reader looks at older events, and shows it on return [DASH-11]", async () => {
  const log = scratchLog();
  log.grow(10);
  log.tail.start();
  await log.settle();
  log.tail.unfollow();
  log.grow(7);
  await log.settle();
  expect([log.tail.view().unseen, log.tail.view().log.events.length]).toEqual([7, 10]);
  await log.tail.follow();
  expect([log.tail.view().unseen, log.tail.view().log.events.length]).toEqual([0, 17]);
});

it("says that retention took the beginning [DASH-11]", async () => {
  const log = scratchLog();
  log.grow(400);
  log.forget(150);
  log.tail.start();
  await log.settle();
  await log.tail.loadOlder();
  const { log: held, reachedStart } = log.tail.view();
  expect([held.removed, held.events[0]?.sequence, reachedStart]).toEqual([[{ after: 0, upTo: 150 }], 151, true]);
});
