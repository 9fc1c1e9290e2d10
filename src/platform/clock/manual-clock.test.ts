import { expect, it } from "vitest";
import { manualClock } from "./manual-clock.ts";

it("moves both times together when advanced", () => {
  const clock = manualClock({ wall: 50_000, monotonic: 7 });
  clock.advance(1_500);
  expect([clock.now(), clock.monotonic()]).toEqual([51_500, 1_507]);
});

it("moves only the wall time on a jump and fires nothing", () => {
  const clock = manualClock({ wall: 50_000, monotonic: 0 });
  let fired = 0;
  clock.after(10, () => fired++);
  clock.jumpWall(3_600_000);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([3_650_000, 0, 0]);
  clock.jumpWall(-7_200_000);
  clock.advance(10);
  expect([clock.monotonic(), fired]).toEqual([10, 1]);
});

it("fires a timer that a timer scheduled, each at its own deadline", () => {
  const clock = manualClock({ monotonic: 0 });
  const seen: number[] = [];
  const tick = () => {
    seen.push(clock.monotonic());
    if (seen.length < 4) clock.after(10, tick);
  };
  clock.after(10, tick);
  clock.advance(35);
  expect(seen).toEqual([10, 20, 30]);
  clock.advance(5);
  expect(seen).toEqual([10, 20, 30, 40]);
  expect(clock.pendingTimers()).toBe(0);
});

it("does not fire a timer that another one cancelled at the same moment", () => {
  const clock = manualClock();
  let fired = false;
  clock.after(5, () => late.cancel());
  const late = clock.after(5, () => (fired = true));
  clock.advance(5);
  expect(fired).toBe(false);
});

it("stays usable after a timer threw", () => {
  const clock = manualClock({ monotonic: 0 });
  let fired = false;
  clock.after(1, () => {
    throw new Error("planted");
  });
  clock.after(2, () => (fired = true));
  expect(() => clock.advance(5)).toThrow("planted");
  clock.advance(5);
  expect(fired).toBe(true);
});

it("breaks off timers that re-arm themselves without delay", () => {
  const clock = manualClock();
  const again = () => void clock.after(0, again);
  again();
  expect(() => clock.advance(1)).toThrow("without delay");
});

it("refuses to run backwards and refuses a delay that is no number", () => {
  const clock = manualClock();
  expect(() => clock.advance(-1)).toThrow(RangeError);
  expect(() => clock.after(Number.NaN, () => {})).toThrow(RangeError);
});
