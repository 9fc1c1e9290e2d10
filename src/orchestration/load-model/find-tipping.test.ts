import fc from "fast-check";
import { expect, it } from "vitest";
import type { Measurement } from "../../contract/index.ts";
import { findTipping } from "./find-tipping.ts";
import { jain } from "./measure.ts";

function measured(agents: number, commitsPerHour: number, changed: Partial<Measurement> = {}): Measurement {
  return {
    agents,
    commitsPerHour,
    blockedShare: 0,
    blockedShareHalves: [0, 0],
    itemsOpen: 0,
    ...changed,
  } as Measurement;
}

it("tips where an added agent brings less than half of what one alone does", () => {
  const rows = [measured(1, 10), measured(2, 20), measured(5, 49), measured(10, 70, { blockedShare: 0.31 })];
  expect(findTipping(rows)).toMatchObject({ tipsAt: 10, steadyUpTo: 10 });
  expect(findTipping(rows).sentence).toContain(
    "It tips between 5 and 10 agents: there 31 % of all time is spent waiting, and each added agent brings 4.2 commits an hour where one alone brings 10.",
  );
});

it("tips where more than a third of the time is spent waiting", () => {
  expect(findTipping([measured(1, 10), measured(5, 48, { blockedShare: 0.34 })])).toMatchObject({ tipsAt: 5 });
});

it("does not tip while everyone brings their share", () => {
  expect(findTipping([measured(1, 10), measured(50, 450)])).toMatchObject({ tipsAt: undefined, steadyUpTo: 50 });
});

it.each([
  ["waiting grows", { blockedShareHalves: [0.1, 0.25] as const }],
  ["work piles up", { itemsOpen: 6 }],
])("is no steady state where %s", (_, changed) => {
  expect(findTipping([measured(1, 10), measured(5, 50, changed)]).steadyUpTo).toBe(1);
});

it("says so when there is nothing to compare", () => {
  expect(findTipping([]).sentence).toBe("Nothing was measured.");
  expect(findTipping([measured(3, 10)]).sentence).toContain("needs a second count");
});

it("measures fairness from one part of the whole to all alike", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { minLength: 1, maxLength: 50 }), (shares) => {
      const index = jain(shares);
      expect(index).toBeLessThanOrEqual(1 + 1e-9);
      expect(index).toBeGreaterThanOrEqual(1 / shares.length - 1e-9);
    }),
  );
  expect(jain([3, 3, 3])).toBe(1);
  expect(jain([5, 0, 0, 0])).toBe(0.25);
});
