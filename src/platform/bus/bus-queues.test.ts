import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { createBus, type SubscriberFailure, type WhenFull } from "./bus.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { QueueFull } from "./queue-full.ts";

/** A handler that finishes one message per `release`. */
function gate() {
  const seen: number[] = [];
  let open: (() => void)[] = [];
  return {
    seen,
    handler: (message: number) => {
      seen.push(message);
      return new Promise<void>((resolve) => open.push(resolve));
    },
    async release() {
      for (const go of open.splice(0)) go();
      await settled();
    },
    openForGood() {
      for (const go of open) go();
      open = { push: (go: () => void) => (go(), 0) } as (() => void)[];
    },
  };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function scratch(capacity?: number) {
  const failures: SubscriberFailure<number>[] = [];
  const deadLetters = createDeadLetters<number>({
    clock: manualClock(),
    ...(capacity === undefined ? {} : { capacity }),
  });
  const bus = createBus<number>({ deadLetters, onSubscriberError: (failure) => failures.push(failure) });
  const state = (name: string) => bus.subscriptions().find((each) => each.name === name)!;
  return { bus, deadLetters, failures, state };
}

it("refuses a message that a full queue rejects, and gives it to no subscriber", async () => {
  const { bus, state } = scratch();
  const slow = gate();
  const direct: number[] = [];
  bus.subscribe("a", slow.handler, { name: "slow", queue: { whenFull: "reject", capacity: 2 } });
  bus.subscribe("a", (message) => void direct.push(message));
  for (const message of [1, 2]) bus.publish("a", message);
  expect(() => bus.publish("a", 3)).toThrow(QueueFull);
  expect(state("slow")).toMatchObject({ waiting: 2, rejected: 1, highWater: 2, deadLettered: 0 });
  await expect(bus.send("a", 3)).rejects.toThrow(/slow has no room; try again later/);
  expect(direct).toEqual([1, 2]);
  expect(state("slow").rejected).toBe(2);
  bus.publish("a", 3);
  await slow.release();
  await slow.release();
  expect(slow.seen).toEqual([1, 2, 3]);
});

it("lets a sender wait for room, keeps the order, and refuses to wait in publish", async () => {
  const { bus, state } = scratch();
  const slow = gate();
  bus.subscribe("a", slow.handler, { name: "slow", queue: { whenFull: "block", capacity: 1 } });
  await bus.send("a", 1);
  await settled();
  await bus.send("a", 2);
  const entered: number[] = [];
  const sends = [3, 4].map((message) => bus.send("a", message).then(() => entered.push(message)));
  expect(() => bus.publish("a", 9)).toThrow(/use send, which waits/);
  expect(state("slow")).toMatchObject({ waiting: 1, blocked: 2 });
  expect(entered).toEqual([]);
  await slow.release();
  expect(entered).toEqual([3]);
  slow.openForGood();
  await Promise.all(sends);
  await settled();
  expect(slow.seen).toEqual([1, 2, 3, 4]);
});

it("forgets the message of a sender that stops waiting", async () => {
  const { bus, state } = scratch();
  const slow = gate();
  bus.subscribe("a", slow.handler, { name: "slow", queue: { whenFull: "block", capacity: 1 } });
  bus.publish("a", 1);
  const waiting = new AbortController();
  const sent = bus.send("a", 2, waiting.signal);
  waiting.abort(new Error("no longer"));
  await expect(sent).rejects.toThrow("no longer");
  expect(state("slow").blocked).toBe(0);
  slow.openForGood();
  await settled();
  expect(slow.seen).toEqual([1]);
});

it("puts aside what does not fit or fails, lists it, and replays it to that subscription alone", async () => {
  const { bus, deadLetters, failures } = scratch();
  const seen: number[] = [];
  const others: number[] = [];
  let broken = true;
  bus.subscribe(
    "a",
    (message) => {
      if (broken) throw new Error("planted");
      seen.push(message);
    },
    { name: "fragile", queue: { whenFull: "dead-letter", capacity: 1 } },
  );
  bus.subscribe("a", (message) => void others.push(message));
  bus.publish("a", 1);
  bus.publish("a", 2);
  await settled();
  expect(deadLetters.list().map(({ message, reason, attempts }) => [message, reason, attempts])).toEqual([
    [2, "queue_full", 1],
    [1, "processing_error", 1],
  ]);
  expect(failures).toMatchObject([{ message: 1, error: { message: "planted" } }]);
  const [first] = deadLetters.list({ reason: "processing_error" });
  expect(bus.replay(first!.number)).toBe(true);
  await settled();
  expect(deadLetters.list({ reason: "processing_error" })).toMatchObject([{ message: 1, attempts: 2 }]);
  broken = false;
  for (const { number } of deadLetters.list({ subscription: "fragile" })) {
    expect(bus.replay(number)).toBe(true);
    await settled();
  }
  expect([seen, others, deadLetters.size]).toEqual([[2, 1], [1, 2], 0]);
  expect(bus.replay(999)).toBe(false);
});

it("keeps a dead letter whose subscription is gone until one of that name is back", async () => {
  const { bus, deadLetters } = scratch();
  const seen: number[] = [];
  const options = { name: "worker", queue: { whenFull: "dead-letter", capacity: 5 } } as const;
  const leave = bus.subscribe("a", () => {}, options);
  bus.publish("a", 1);
  leave();
  const [letter] = deadLetters.list();
  expect(letter).toMatchObject({ message: 1, reason: "subscription_ended", subscription: "worker" });
  expect(bus.replay(letter!.number)).toBe(false);
  expect(deadLetters.size).toBe(1);
  bus.subscribe("a", (message) => void seen.push(message), options);
  expect(bus.replay(letter!.number)).toBe(true);
  await settled();
  expect(seen).toEqual([1]);
});

it("counts the dead letters that had to make room", () => {
  const { bus, deadLetters } = scratch(2);
  bus.subscribe("a", () => {}, { queue: { whenFull: "dead-letter", capacity: 1 } });
  for (const message of [1, 2, 3, 4]) bus.publish("a", message);
  expect([deadLetters.list().map(({ message }) => message), deadLetters.evicted]).toEqual([[3, 4], 1]);
});

it("refuses a queue without a place for dead letters, or without room", () => {
  const bare = createBus<number>({ onSubscriberError: () => {} });
  expect(() => bare.subscribe("a", () => {}, { queue: { whenFull: "block" } })).toThrow(/without dead letters/);
  const { bus } = scratch();
  expect(() => bus.subscribe("a", () => {}, { queue: { whenFull: "block", capacity: 0 } })).toThrow(RangeError);
  expect([bare.size, bus.size]).toEqual([0, 0]);
});

it("gives no dead letter to a queue without room, nor to a direct subscription of that name, and keeps it", async () => {
  const { bus, deadLetters, state } = scratch();
  const slow = gate();
  bus.subscribe("a", () => expect.unreachable(), { name: "slow", accepts: () => false });
  bus.subscribe("a", slow.handler, { name: "slow", queue: { whenFull: "dead-letter", capacity: 1 } });
  for (const message of [1, 2]) bus.publish("a", message);
  const [letter] = deadLetters.list();
  expect([letter?.message, bus.replay(letter!.number), deadLetters.size]).toEqual([2, false, 1]);
  await settled();
  expect([bus.replay(letter!.number), deadLetters.size]).toEqual([true, 0]);
  slow.openForGood();
  await settled();
  expect(slow.seen).toEqual([1, 2]);
  expect(bus.subscriptions().map(({ deadLettered }) => deadLettered)).toEqual([0, 1]);
  expect(state("slow").whenFull).toBeUndefined();
});

it("puts aside what a handler rejects later, and hands over the next", async () => {
  const { bus, deadLetters, failures, state } = scratch();
  const seen: number[] = [];
  const handler = async (message: number) => {
    await settled();
    if (message === 1) throw new Error("late");
    seen.push(message);
  };
  bus.subscribe("a", handler, { name: "fragile", queue: { whenFull: "block" } });
  for (const message of [1, 2]) bus.publish("a", message);
  for (let turn = 0; turn < 5; turn++) await settled();
  expect([seen, failures.map(({ message }) => message)]).toEqual([[2], [1]]);
  expect(deadLetters.list()).toMatchObject([{ message: 1, reason: "processing_error", error: { message: "late" } }]);
  expect(state("fragile")).toMatchObject({ delivered: 2, failed: 1, deadLettered: 1 });
});

it("continues with the next message even if reporting fails, and does not hide that", async () => {
  const bus = createBus<number>({
    deadLetters: createDeadLetters({ clock: manualClock() }),
    onSubscriberError: () => {
      throw new Error("log is full");
    },
  });
  const seen: number[] = [];
  const handler = (message: number) => {
    seen.push(message);
    throw new Error("broken");
  };
  bus.subscribe("a", handler, { queue: { whenFull: "block" } });
  const hidden = process.listeners("uncaughtException"); // those of the test runner
  process.removeAllListeners("uncaughtException");
  const uncaught: unknown[] = [];
  process.on("uncaughtException", (error) => uncaught.push(error));
  for (const message of [1, 2]) bus.publish("a", message);
  await new Promise((resolve) => void setImmediate(resolve));
  process.removeAllListeners("uncaughtException");
  for (const listener of hidden) process.on("uncaughtException", listener);
  expect([seen, uncaught]).toMatchObject([
    [1, 2],
    [{ message: "log is full" }, { message: "log is full" }],
  ]);
});

it("loses nothing to a queue that a filter of the same message ends", () => {
  const { bus, deadLetters } = scratch();
  const leave = bus.subscribe("a", () => {}, { name: "gone", accepts: () => true, queue: { whenFull: "block" } });
  bus.subscribe("a", () => {}, { accepts: () => (leave(), true) });
  expect([bus.publish("a", 1), deadLetters.size]).toEqual([1, 0]);
});

it("handles, refuses, puts aside or still holds every message of several senders, in order, whatever happens", async () => {
  const queue = fc.record({
    whenFull: fc.constantFrom<WhenFull>("block", "reject", "dead-letter"),
    capacity: fc.integer({ min: 1, max: 3 }),
  });
  const step = fc.constantFrom("publish", "send", "release one", "release two");
  await fc.assert(
    fc.asyncProperty(fc.tuple(queue, queue), fc.array(step, { maxLength: 40, size: "max" }), async (queues, steps) => {
      const { bus, deadLetters, state } = scratch();
      const readerOf = (queue: (typeof queues)[number], name: string) => {
        const { handler, seen, release } = gate();
        return { name, seen, release, leave: bus.subscribe("a", handler, { name, queue }) };
      };
      const [one, two] = [readerOf(queues[0], "one"), readerOf(queues[1], "two")];
      const [refused, dropped]: [number[], number[]] = [[], []];
      const told = (message: number) => (error: unknown) =>
        void (error instanceof QueueFull ? refused : dropped).push(message);
      const sends: Promise<unknown>[] = [];
      let sent = 0;
      for (const each of steps) {
        if (each === "release one") await one.release();
        else if (each === "release two") await two.release();
        else if (each === "send") sends.push(bus.send("a", ++sent).catch(told(sent)));
        else
          try {
            bus.publish("a", ++sent);
          } catch (error) {
            told(sent)(error);
          }
        const overfull = bus.subscriptions().filter(({ waiting }, index) => waiting > queues[index]!.capacity);
        expect(overfull).toEqual([]);
      }
      const counted = [one, two].reduce((sum, { name }) => sum + state(name).rejected, 0);
      for (const { name } of [one, two])
        expect(state(name).deadLettered).toBe(deadLetters.list({ subscription: name }).length);
      for (const { leave } of [one, two]) leave();
      await Promise.all(sends);
      expect(counted).toBeGreaterThanOrEqual(refused.length);
      for (const { name, seen } of [one, two]) {
        const aside = deadLetters.list({ subscription: name }).map(({ message }) => message);
        const kept = [...seen, ...aside, ...refused].sort((a, b) => a - b);
        const missing = dropped.filter((message) => !kept.includes(message)); // its sender was told
        expect([...kept, ...missing].sort((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, at) => at + 1));
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
      }
    }),
    { numRuns: 150 },
  );
});
