import fc from "fast-check";
import { expect, it } from "vitest";
import type { LedgerTotal } from "../daemon/contract.ts";
import { sayMoney, sayTokens, sharesOf, tokensOf } from "./add-known.ts";

const row = (parts: Partial<LedgerTotal>) =>
  ({ input: null, output: null, cacheRead: null, cacheWrite: null, ...parts }) as LedgerTotal;

it("never counts unknown as zero [DASH-9]", () => {
  expect(tokensOf(row({}))).toBeUndefined();
  expect(tokensOf(row({ input: 0 }))).toBe(0);
  expect(sayTokens(tokensOf(row({})))).toBe("unknown");
  expect(sayMoney({ usd: null, unpriced: 4 })).toBe("unknown");
  expect(sayMoney({ usd: 1.2, unpriced: 4 })).toBe("at least $1.20");
  expect(sayMoney({ usd: 0, unpriced: 0 })).toBe("$0.00");
});

it("sums the known parts, whatever they are", () => {
  const part = fc.option(fc.nat());
  fc.assert(
    fc.property(part, part, part, part, (input, output, cacheRead, cacheWrite) => {
      const parts = [input, output, cacheRead, cacheWrite];
      const sum = tokensOf(row({ input, output, cacheRead, cacheWrite }));
      expect(sum).toBe(
        parts.every((each) => each === null) ? undefined : parts.reduce<number>((a, b) => a + (b ?? 0), 0),
      );
    }),
  );
});

it("draws bars as shares of the largest, and none where a row is unknown", () => {
  expect(sharesOf([2, undefined, 4])).toEqual([0.5, undefined, 1]);
  expect(sharesOf([0, undefined])).toEqual([0, undefined]);
});
