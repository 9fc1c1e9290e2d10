import fc from "fast-check";
import { expect, it } from "vitest";
import { awakeClock } from "./awake-clock.ts";
import { manualClock } from "./manual-clock.ts";
import type { Clock } from "./clock.ts";

/** A machine whose process can be suspended: time passes, and no timer fires until it runs again. */
function machine() {
  const clock = manualClock();
  let frozenMs = 0;
  const suspendable: Clock = {
    now: () => clock.now() + frozenMs,
    monotonic: () => clock.monotonic() + frozenMs,
    after: (ms, fn) => clock.after(ms, fn),
  };
  return { clock: awakeClock(suspendable), run: clock.advance, suspend: (ms: number) => void (frozenMs += ms) };
}

it("counts time while it runs, and at most a second of the time it was suspended", () => {
  const { clock, run, suspend } = machine();
  const start = clock.monotonic();
  run(10_000);
  expect(clock.monotonic() - start).toBe(10_000);
  suspend(3_600_000);
  expect(clock.monotonic() - start).toBe(11_000);
  run(5_000);
  expect(clock.monotonic() - start).toBe(16_000);
});

it("takes a short stall for what it is: time", () => {
  const { clock, run, suspend } = machine();
  const start = clock.monotonic();
  run(5_000);
  suspend(2_000);
  expect(clock.monotonic() - start).toBe(7_000);
});

it("fires a timer when its time was really lived through, and not when cancelled", () => {
  const { clock, run, suspend } = machine();
  const fired: string[] = [];
  clock.after(5_000, () => fired.push("kept"));
  clock.after(5_000, () => fired.push("cancelled")).cancel();
  run(1_000);
  suspend(60_000);
  run(4_000 - 1_001);
  expect(fired).toEqual([]);
  run(1_001);
  expect(fired).toEqual(["kept"]);
});

it("never goes back and never runs faster than the machine, however life and suspension interleave", () => {
  const step = fc.record({ suspended: fc.boolean(), ms: fc.nat(20_000), read: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { clock, run, suspend } = machine();
      const start = clock.monotonic();
      let last = start;
      for (const { suspended, ms, read } of steps) {
        (suspended ? suspend : run)(ms);
        if (!read) continue;
        const now = clock.monotonic();
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
      }
      const passed = steps.reduce((sum, { ms }) => sum + ms, 0);
      const lived = steps.reduce((sum, { suspended, ms }) => sum + (suspended ? 0 : ms), 0);
      expect(clock.monotonic() - start).toBeGreaterThanOrEqual(lived);
      expect(clock.monotonic() - start).toBeLessThanOrEqual(passed);
    }),
  );
});
