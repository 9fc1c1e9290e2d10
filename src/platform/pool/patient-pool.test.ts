import { expect, it } from "vitest";
import { DomainError } from "../../contract/index.ts";
import { manualClock } from "../clock/index.ts";
import { patientPool } from "./patient-pool.ts";
import { createPool } from "./pool.ts";

const job = { group: "a", kind: "x", lane: "normal" } as const;

function fullPool() {
  const clock = manualClock();
  const pool = createPool({ clock, limits: { all: 1, perGroup: 1 }, queue: { all: 1, perGroup: 1 } });
  const first = Promise.withResolvers<void>();
  const running = pool.submit({ ...job, run: () => first.promise });
  const waiting = pool.submit({ ...job, run: async () => {} });
  return { clock, pool, end: () => first.resolve(), done: Promise.all([running, waiting]) };
}

it("comes again where the pool has no room to wait, and runs when there is", async () => {
  const { clock, pool, end, done } = fullPool();
  const patient = patientPool(pool, clock).submit({ ...job, run: async () => "done" });
  await new Promise(setImmediate);
  expect(pool.metrics()).toMatchObject({ refused: 1, waiting: 1 });
  end();
  await done;
  clock.advance(1_000);
  expect(await patient).toBe("done");
});

it("comes again for want of room only: what a job fails by is its own, once", async () => {
  const clock = manualClock();
  const pool = createPool({ clock, limits: { all: 1, perGroup: 1 } });
  let runs = 0;
  const run = () => {
    runs++;
    throw new DomainError("input.invalid", "no such file");
  };
  await expect(patientPool(pool, clock).submit({ ...job, run })).rejects.toThrow("no such file");
  expect([runs, clock.pendingTimers()]).toEqual([1, 0]);
});

it("stops coming when its owner stops it, and leaves no timer", async () => {
  const { clock, pool, end, done } = fullPool();
  const owner = new AbortController();
  const patient = patientPool(pool, clock).submit({ ...job, signal: owner.signal, run: async () => "done" });
  await new Promise(setImmediate);
  owner.abort(new Error("not any more"));
  await expect(patient).rejects.toThrow("not any more");
  end();
  await done;
  expect(clock.pendingTimers()).toBe(0);
});
