import fc from "fast-check";
import { expect, it } from "vitest";
import { billedOf, leftOut, moneyOf, sayMoney, sayTokens, sumKnown } from "./sum-ledger.ts";

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const total = (given: object) =>
  ({
    name: "m",
    calls: 2,
    input: 5,
    output: 3,
    cacheRead: 0,
    cacheWrite: 0,
    unknown: none,
    context: null,
    usd: null,
    unpriced: 2,
    ...given,
  }) as never;

it("sums parts to the total where all are known, and never counts what is unknown [DASH-9]", () => {
  const value = fc.option(fc.nat(1_000_000), { nil: null });
  fc.assert(
    fc.property(fc.array(value), fc.array(value), (some, others) => {
      const known = [...some, ...others].filter((one) => one !== null);
      expect(sumKnown([...some, ...others])).toBe(known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0));
      const halves = [sumKnown(some), sumKnown(others)];
      expect(sumKnown(halves)).toBe(sumKnown([...some, ...others]));
    }),
  );
});

it("says unknown, not zero, and says what a sum leaves out [DASH-9]", () => {
  expect(sayTokens(billedOf(total({})))).toBe("8");
  expect(sayTokens(billedOf(total({ unknown: { ...none, output: 1 } })))).toBe("8 + unknown");
  expect(sayTokens(billedOf(total({ input: null, output: null, cacheRead: null, cacheWrite: null })))).toBe("unknown");
  expect([
    sayMoney(moneyOf(total({}))),
    sayMoney(moneyOf(total({ usd: 1.5, unpriced: 1 }))),
    sayMoney(moneyOf(total({ usd: 0, unpriced: 0 }))),
  ]).toEqual(["unknown", "$1.50 + unknown", "$0.00"]);
  expect(leftOut(total({ unknown: { ...none, output: 1 } }))).toEqual([
    "1 of 2 calls did not tell output tokens.",
    "2 of 2 calls have no known price; add prices in prices.yaml of the home.",
  ]);
});
