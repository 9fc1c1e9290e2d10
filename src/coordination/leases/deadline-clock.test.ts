import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createDeadlineClock } from "./deadline-clock.ts";

it("runs out after its limit, is extended and never brought nearer, and is forgotten when it is over", () => {
  const clock = manualClock();
  const deadlines = createDeadlineClock(clock);
  clock.advance(123);
  deadlines.run("answer", 1_000);
  clock.advance(999);
  expect(deadlines.leftMs("answer", 1_000)).toBe(1);
  deadlines.run("answer", 1_000);
  deadlines.run("answer", 10);
  expect(deadlines.leftMs("answer", 1_000)).toBe(1_000);
  deadlines.end("answer");
  expect(deadlines.leftMs("answer", 1_000)).toBe(1_000 - 1_122);
});

it("gives one of an earlier life its full limit from the start, and does not follow the wall clock", () => {
  const clock = manualClock();
  const deadlines = createDeadlineClock(clock);
  clock.jumpWall(3_600_000);
  expect(deadlines.leftMs("unseen", 1_000)).toBe(1_000);
});
