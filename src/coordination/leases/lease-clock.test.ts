import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createLeaseClock } from "./lease-clock.ts";

const ttlMs = 10_000;

it("runs a lease out after its time limit, to the millisecond", () => {
  const clock = manualClock();
  const leases = createLeaseClock(clock);
  clock.advance(123);
  leases.run("rsv", ttlMs);
  clock.advance(ttlMs - 1);
  expect([leases.leftMs("rsv", ttlMs), leases.isLive("rsv", ttlMs)]).toEqual([1, true]);
  clock.advance(1);
  expect([leases.leftMs("rsv", ttlMs), leases.isLive("rsv", ttlMs)]).toEqual([0, false]);
});

it("extends a lease from now on, and never brings its end nearer", () => {
  const clock = manualClock();
  const leases = createLeaseClock(clock);
  leases.run("rsv", ttlMs);
  clock.advance(4_000);
  leases.run("rsv", ttlMs);
  expect(leases.leftMs("rsv", ttlMs)).toBe(ttlMs);
  leases.run("rsv", 1_000);
  expect(leases.leftMs("rsv", ttlMs)).toBe(ttlMs);
});

it("gives a lease of an earlier life one full time limit from the start: downtime is no silence", () => {
  const clock = manualClock();
  const leases = createLeaseClock(clock);
  expect(leases.leftMs("unseen", ttlMs)).toBe(ttlMs);
  clock.advance(ttlMs);
  expect(leases.isLive("unseen", ttlMs)).toBe(false);
});

it("forgets a lease that has ended", () => {
  const clock = manualClock();
  const leases = createLeaseClock(clock);
  clock.advance(ttlMs);
  leases.run("rsv", ttlMs);
  leases.end("rsv");
  expect(leases.isLive("rsv", ttlMs)).toBe(false);
});

it.each([3_600_000, -3_600_000])(
  "ends no lease and keeps none when the wall clock jumps by %i ms [CORE-19]",
  (jump) => {
    const clock = manualClock();
    const leases = createLeaseClock(clock);
    leases.run("rsv", ttlMs);
    clock.jumpWall(jump);
    expect(leases.leftMs("rsv", ttlMs)).toBe(ttlMs);
    expect(leases.expiresAt("rsv", ttlMs)).toBe(clock.now() + ttlMs);
    clock.advance(ttlMs);
    expect(leases.isLive("rsv", ttlMs)).toBe(false);
    expect(leases.expiresAt("rsv", ttlMs)).toBe(clock.now());
  },
);
