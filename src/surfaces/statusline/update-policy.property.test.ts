import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Form, mayRedraw, nextForm, redrawEveryMs } from "./update-policy.ts";

const rates = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 40 });
const forms = (all: readonly number[], mode: "auto" | "live" | "digest" = "auto"): readonly Form[] => {
  let form: Form = "names";
  return all.map((rate) => (form = nextForm(form, rate, mode)));
};

it("draws at most once in two seconds, however often it is asked [STAT-2]", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3_000 }), { maxLength: 60 }), (pauses) => {
      let now = 0;
      const drawn: number[] = [];
      for (const pause of pauses) {
        now += pause;
        if (mayRedraw(drawn.at(-1), now)) drawn.push(now);
      }
      drawn.slice(1).forEach((at, index) => expect(at - drawn[index]!).toBeGreaterThanOrEqual(redrawEveryMs));
      // Nothing stays undrawn for longer than the asking itself pauses.
      if (pauses.length > 0) expect(now - drawn.at(-1)!).toBeLessThan(redrawEveryMs);
    }),
  );
});

it("sums up above ten events a minute, and between the thresholds stays as it was [STAT-2]", () => {
  fc.assert(
    fc.property(rates, (all) => {
      const decided = forms(all);
      all.forEach((rate, index) => {
        const before = decided[index - 1] ?? "names";
        if (rate > 10) expect(decided[index]).toBe("summary");
        else if (rate < 5) expect(decided[index]).toBe("names");
        else expect(decided[index]).toBe(before);
      });
    }),
  );
});

it("does not flicker around a threshold [STAT-2]", () => {
  expect(new Set(forms([11, 10, 9, 11, 10, 5, 6, 12]))).toEqual(new Set(["summary"]));
  expect(new Set(forms([4, 5, 10, 9, 4, 10]))).toEqual(new Set(["names"]));
});

it("does what the user has set, whatever happens [STAT-2]", () => {
  fc.assert(
    fc.property(rates, (all) => {
      expect(new Set(forms(all, "live"))).toEqual(new Set(["names"]));
      expect(new Set(forms(all, "digest"))).toEqual(new Set(["summary"]));
    }),
  );
});
