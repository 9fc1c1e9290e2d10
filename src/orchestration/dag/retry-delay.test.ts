import fc from "fast-check";
import { expect, it } from "vitest";
import { longestBackoffMs, restoredDelay, retryDelay } from "./retry-delay.ts";

const error = { class: "transient", message: "later" } as const;
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it("doubles up to the cap, half of it chance", () => {
  const delays = (random: number) =>
    [1, 2, 3, 9, 100].map((retry) => retryDelay(retry, { max: 100, backoffMs: 1_000 }, error, () => random));
  expect(delays(0)).toEqual([500, 1_000, 2_000, 15_000, 15_000]);
  expect(delays(0.999999)).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
});

it("never shrinks from one retry to the next, whatever chance says, and never exceeds the cap", () => {
  fc.assert(
    fc.property(fc.nat(60_000), fc.integer({ min: 1, max: 99 }), chance, chance, (backoffMs, retry, one, other) => {
      const delay = (count: number, random: number) => retryDelay(count, { max: 100, backoffMs }, error, () => random);
      const uncapped = backoffMs * 2 ** retry <= longestBackoffMs;
      if (uncapped) expect(delay(retry + 1, other)).toBeGreaterThanOrEqual(delay(retry, one));
      expect(delay(retry, one)).toBeLessThanOrEqual(longestBackoffMs);
    }),
  );
});

it("waits at least as long as the server asked, also beyond the cap", () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), chance, (retryAfterMs, random) => {
      const delay = retryDelay(1, { max: 1, backoffMs: 100 }, { ...error, retryAfterMs }, () => random);
      expect(delay).toBeGreaterThanOrEqual(retryAfterMs);
      expect(delay).toBeLessThanOrEqual(Math.max(50, retryAfterMs) + 50);
    }),
  );
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, -5])("ignores a server that asks for %s ms", (retryAfterMs) => {
  expect(retryDelay(1, { max: 1, backoffMs: 100 }, { ...error, retryAfterMs }, () => 0)).toBe(50);
  expect(restoredDelay(10, { ...error, retryAfterMs }, 0)).toBe(10);
});
