import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "./manual-clock.ts";

type Step =
  | { do: "after"; ms: number }
  | { do: "cancel"; index: number }
  | { do: "advance"; ms: number }
  | { do: "jumpWall"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("after" as const), ms: fc.integer({ min: -5, max: 100 }) }),
  fc.record({ do: fc.constant("cancel" as const), index: fc.nat(30) }),
  fc.record({ do: fc.constant("advance" as const), ms: fc.nat(60) }),
  fc.record({ do: fc.constant("jumpWall" as const), ms: fc.integer({ min: -1e9, max: 1e9 }) }),
);

it("fires every timer that is not cancelled exactly once, in deadline order, never early and never by a wall jump", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = manualClock();
      const timers: { deadline: number; cancel(): void; cancelled: boolean; firedAt: number[] }[] = [];
      const order: { deadline: number; id: number }[] = [];

      for (const action of steps) {
        const firedBefore = order.length;
        if (action.do === "after") {
          const id = timers.length;
          const deadline = clock.monotonic() + Math.max(0, action.ms);
          const { cancel } = clock.after(action.ms, () => {
            timers[id]?.firedAt.push(clock.monotonic());
            order.push({ deadline, id });
          });
          timers.push({ deadline, cancel, cancelled: false, firedAt: [] });
        } else if (action.do === "cancel") {
          const timer = timers[action.index];
          timer?.cancel();
          if (timer) timer.cancelled ||= timer.firedAt.length === 0;
        } else {
          clock[action.do](action.ms);
        }
        if (action.do !== "advance") expect(order.length).toBe(firedBefore);
      }

      for (const { deadline, cancelled, firedAt } of timers) {
        const due = deadline <= clock.monotonic();
        if (cancelled) expect(firedAt).toEqual([]);
        else if (firedAt.length > 0) expect(firedAt.length).toBe(1);
        if (firedAt[0] !== undefined) expect(firedAt[0]).toBeGreaterThanOrEqual(deadline);
        if (!due) expect(firedAt).toEqual([]);
      }
      clock.advance(1_000);
      expect(timers.every(({ cancelled, firedAt }) => firedAt.length === (cancelled ? 0 : 1))).toBe(true);
      const sorted = order.toSorted((a, b) => a.deadline - b.deadline || a.id - b.id);
      expect(order).toEqual(sorted);
    }),
    { numRuns: 200 },
  );
});

it("never lets monotonic time go back, whatever the wall does", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1_000), fc.integer({ min: -1e12, max: 1e12 }))), (moves) => {
      const clock = manualClock();
      for (const [forward, jump] of moves) {
        const before = clock.monotonic();
        clock.jumpWall(jump);
        expect(clock.monotonic()).toBe(before);
        clock.advance(forward);
        expect(clock.monotonic()).toBe(before + forward);
      }
    }),
    { numRuns: 100 },
  );
});
