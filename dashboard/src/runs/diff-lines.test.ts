import fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines } from "./diff-lines.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join("\n"));

it("gives both texts back, and names no line as changed where nothing changed", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (left: string): string =>
        lines
          .filter(({ kind }) => kind !== left)
          .map((line) => line.text)
          .join("\n");
      expect([without("added"), without("removed")]).toEqual([before, after]);
      expect(diffLines(before, before).every(({ kind }) => kind === "same")).toBe(true);
    }),
  );
});

it("replaces a text as a whole where it is too long to compare", () => {
  const long = "line\n".repeat(500);
  expect(new Set(diffLines(long, "other").map(({ kind }) => kind))).toEqual(new Set(["removed", "added"]));
});
