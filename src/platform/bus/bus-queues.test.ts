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
      open = { push: (go: () => void) => (go(), 0) } as unknown as (() => void)[];
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

it("refuses a message that a full queue rejects, and gives it to nobody [BUS-18]", async () => {
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

it("lets a sender wait for room, keeps the order, and refuses to wait in publish [BUS-18]", async () => {
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

it("puts aside what does not fit or fails, lists it, and replays it to that subscription alone [BUS-18]", async () => {
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

it("handles, refuses, puts aside or still holds every message, in order, whatever happens [BUS-18]", async () => {
  const policy = fc.constantFrom<WhenFull>("block", "reject", "dead-letter");
  const step = fc.constantFrom("publish", "send", "release");
  await fc.assert(
    fc.asyncProperty(policy, fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), async (...given) => {
      const [whenFull, capacity, steps] = given;
      const { bus, deadLetters, state } = scratch();
      const slow = gate();
      const leave = bus.subscribe("a", slow.handler, { name: "slow", queue: { whenFull, capacity } });
      const refused: number[] = [];
      const sends: Promise<unknown>[] = [];
      let sent = 0;
      for (const each of steps) {
        if (each === "release") await slow.release();
        else if (each === "send") {
          const message = ++sent;
          sends.push(bus.send("a", message).catch(() => refused.push(message)));
        } else
          try {
            bus.publish("a", ++sent);
          } catch {
            refused.push(sent);
          }
        expect(state("slow").waiting).toBeLessThanOrEqual(capacity);
      }
      leave();
      await Promise.all(sends);
      const aside = deadLetters.list().map(({ message }) => message);
      const all = [...slow.seen, ...refused, ...aside].sort((a, b) => a - b);
      expect(all).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
      expect(slow.seen).toEqual([...slow.seen].sort((a, b) => a - b));
    }),
    { numRuns: 300 },
  );
});
