import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { createAskBus, DeadlinePassed, NoSingleResponder } from "./ask.ts";

function scratch() {
  const clock = manualClock();
  const asking = createAskBus<string, string>({ clock });
  const stop = new AbortController();
  return { clock, asking, stop, terms: { deadlineMs: 100, signal: stop.signal } };
}

it("brings the answer, or the responder's own failure, and leaves no timer", async () => {
  const { asking, clock, terms } = scratch();
  asking.respond("echo", async (request) => `${request}!`);
  asking.respond("broken", () => {
    throw new Error("planted");
  });
  expect(await asking.ask("echo", "hi", terms)).toBe("hi!");
  await expect(asking.ask("broken", "hi", terms)).rejects.toThrow("planted");
  await Promise.resolve();
  expect(clock.pendingTimers()).toBe(0);
});

it("stops the responder at the deadline and says so to the asker", async () => {
  const { asking, clock, terms } = scratch();
  let stopped: unknown;
  asking.respond("slow", (_, signal) => {
    signal.addEventListener("abort", () => (stopped = signal.reason));
    return new Promise(() => {});
  });
  const asked = asking.ask("slow", "hi", terms);
  asked.catch(() => {}); // looked at below
  clock.advance(99);
  expect(stopped).toBeUndefined();
  clock.advance(1);
  await expect(asked).rejects.toThrow(DeadlinePassed);
  expect(stopped).toBeInstanceOf(DeadlinePassed);
});

it("passes the asker's stop on and waits for what the responder makes of it", async () => {
  const { asking, stop, terms } = scratch();
  asking.respond(
    "tidy",
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve("tidied up"));
      }),
  );
  const asked = asking.ask("tidy", "hi", terms);
  stop.abort();
  expect(await asked).toBe("tidied up");
});

it("refuses to ask none or two at once, before any work", async () => {
  const { asking, clock, terms } = scratch();
  await expect(asking.ask("none", "hi", terms)).rejects.toThrow('0 answer "none"; there must be one');
  let worked = 0;
  const leave = asking.respond("twice", async () => `${++worked}`);
  asking.respond("*", async () => `${++worked}`);
  await expect(asking.ask("twice", "hi", terms)).rejects.toThrow(NoSingleResponder);
  expect([worked, clock.pendingTimers()]).toEqual([0, 0]);
  leave();
  expect(await asking.ask("twice", "hi", terms)).toBe("1");
});
