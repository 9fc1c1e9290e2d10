import fc from "fast-check";
import { expect, it } from "vitest";
import { roundUp, scaleBars, scaleLine } from "./scale-bars.ts";

it("draws longer for more, within the chart, and nothing for what is unknown [DASH-9]", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.nat(10_000_000), { nil: null }), { minLength: 1 }),
      fc.integer({ min: 10, max: 400 }),
      (values, length) => {
        const bars = scaleBars(values, length);
        values.forEach((value, index) => {
          const bar = bars[index];
          if (value === null) return expect(bar).toBeUndefined();
          expect(bar).toBeGreaterThanOrEqual(0);
          expect(bar).toBeLessThanOrEqual(length);
          values.forEach(
            (other, at) => other !== null && other > value && expect(bars[at]).toBeGreaterThanOrEqual(bar!),
          );
        });
      },
    ),
  );
});

it("ends its axis at a round number that holds everything", () => {
  expect([0, 1, 3, 7, 42, 1_000, 1_001].map(roundUp)).toEqual([1, 1, 5, 10, 50, 1_000, 2_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), (value) => {
      expect(roundUp(value)).toBeGreaterThanOrEqual(value);
    }),
  );
});

it("keeps a line inside its chart, also with one point", () => {
  expect(scaleLine([{ at: 5, value: 50 }], { width: 10, height: 20, most: 100 })).toEqual([{ x: 0, y: 10 }]);
  expect(
    scaleLine(
      [
        { at: 0, value: 0 },
        { at: 4, value: 200 },
      ],
      { width: 10, height: 20, most: 100 },
    ),
  ).toEqual([
    { x: 0, y: 20 },
    { x: 10, y: 0 },
  ]);
});
