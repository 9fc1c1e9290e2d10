import fc from "fast-check";
import { expect, it } from "vitest";
import { logEvent } from "../events/testkit.ts";
import { budgetUse, burnOf } from "./burn-budget.ts";

it("never falls, and ends at the sum of all known calls [DASH-9]", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000))), (calls) => {
      const events = calls.map(([inputTokens, outputTokens], index) =>
        logEvent(index + 1, {
          type: "run.spent",
          data: { cost: { calls: 1, inputTokens, outputTokens, unknownCalls: 0 } },
        }),
      );
      const burn = burnOf([logEvent(0), ...events]);
      expect(burn.at(-1)?.used ?? 0).toBe(calls.reduce((sum, [input, output]) => sum + input + output, 0));
      burn.forEach(({ used }, index) => expect(used).toBeGreaterThanOrEqual(burn[index - 1]?.used ?? 0));
    }),
  );
});

it("knows no share without a limit, and keeps calls of unknown size apart [DASH-9]", () => {
  const cost = { calls: 3, inputTokens: 60, outputTokens: 40, unknownCalls: 1 };
  expect(budgetUse(cost, undefined)).toEqual({ used: 100, limit: undefined, share: undefined, unknownCalls: 1 });
  expect(budgetUse(cost, 80).share).toBe(1.25);
});
