import { expect, it } from "vitest";
import type { ProjectId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createGatePasses } from "./gate-passes.ts";

const [shop, other] = ["prj_shop", "prj_other"] as [ProjectId, ProjectId];

it("gives each pass to one commit, of its own project, and not to one that was let through too early", () => {
  const clock = manualClock();
  const passes = createGatePasses(clock);
  passes.passed(shop, ["a.ts", "b.ts"]);
  expect(passes.take(other, ["a.ts"], 0)).toBe(false);
  expect(passes.take(shop, ["a.ts", "c.ts"], 0)).toBe(false);
  expect(passes.take(shop, ["a.ts"], clock.now() + 1)).toBe(false);
  expect(passes.take(shop, ["a.ts"], clock.now())).toBe(true);
  expect(passes.take(shop, ["b.ts"], 0)).toBe(false);
});

it("adds up what was asked for in two steps, and forgets the oldest", () => {
  const passes = createGatePasses(manualClock());
  passes.passed(shop, ["a.ts"]);
  passes.passed(shop, ["by-a-hook.ts"]);
  expect(passes.take(shop, ["a.ts", "by-a-hook.ts"], 0)).toBe(true);
  passes.passed(shop, ["old.ts"]);
  for (let count = 0; count < 1_000; count++) passes.passed(shop, ["new.ts"]);
  expect([passes.take(shop, ["old.ts"], 0), passes.take(shop, ["new.ts"], 0)]).toEqual([false, true]);
});
