import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput } from "../../../contract/index.ts";
import { searchWords } from "./search-words.ts";

it("leaves a question that fits as it is, and names each word of a long one once", () => {
  expect(searchWords("where is the price formatted?")).toBe("where is the price formatted?");
  const long = `price ${"the same words again ".repeat(60)} format`;
  expect(searchWords(long)).toBe("price the same words again format");
  expect(searchWords("x".repeat(640))).toBe("x".repeat(500));
});

it("is text that a search accepts, for any question", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 3_000 }), fc.string({ maxLength: 5 }), (question, joint) => {
      const text = searchWords(question + joint.repeat(200));
      if (text !== "") parseInput(operations["code.search"], { text });
      expect(text.length).toBeLessThanOrEqual(500);
    }),
  );
});
