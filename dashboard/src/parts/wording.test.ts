import { expect, it } from "vitest";
import { count, duration, relativeTime, shortPath, words } from "./wording.ts";

it("says how long with one unit, and never a negative time", () => {
  expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 47 * 3_600_000, 72 * 3_600_000, -5].map(duration)).toEqual([
    "0 s",
    "59 s",
    "1 min",
    "59 min",
    "1 h",
    "47 h",
    "3 d",
    "0 s",
  ]);
});

it("says when, also under a clock that is behind", () => {
  expect(relativeTime(1_000, 61_000)).toBe("1 min ago");
  expect(relativeTime(61_000, 1_000)).toBe("in 1 min");
  expect(relativeTime(1_000, 1_500)).toBe("now");
});

it("counts in words", () => {
  expect([count(1, "file"), count(2_000, "file"), count(0, "entry", "entries")]).toEqual([
    "1 file",
    "2,000 files",
    "0 entries",
  ]);
  expect(words("awaiting_approval")).toBe("awaiting approval");
});

it("leaves out the middle of a deep path, never its name", () => {
  expect(shortPath("src/a.ts")).toBe("src/a.ts");
  expect(shortPath("packages/checkout/src/components/basket/very/deep/discount-of-the-day.test.ts")).toBe(
    "packages/…/basket/very/deep/discount-of-the-day.test.ts",
  );
});
