import fc from "fast-check";
import { expect, it } from "vitest";
import { splitPassages } from "./split-passages.ts";
import { splitSentences } from "./split-sentences.ts";

const styles = fc.constantFrom("markdown" as const, "numbered" as const, "none" as const);
const lines = fc.array(
  fc.oneof(
    fc.constantFrom("", "# Title", "```", "1.  Introduction", "- item", "A sentence. Another one!"),
    fc.string({ maxLength: 80 }),
    fc.constant("word ".repeat(900)),
  ),
  { maxLength: 60 },
);

it("passages put together are the text, each at its place and line, and none is longer than 4,000 characters", () => {
  fc.assert(
    fc.property(lines, styles, (given, style) => {
      const text = given.join("\n");
      const passages = splitPassages(text, style);
      expect(passages.map((passage) => passage.text).join("")).toBe(text);
      for (const { start, line, text: own } of passages) {
        expect(text.slice(start, start + own.length)).toBe(own);
        expect(text.slice(0, start).split("\n").length).toBe(line);
        expect(own.length).toBeLessThanOrEqual(4_000);
      }
    }),
  );
});

it("sentences stand where they say", () => {
  fc.assert(
    fc.property(lines, (given) => {
      const text = given.join("\n");
      for (const { start, end, text: own } of splitSentences(text)) expect(text.slice(start, end)).toBe(own);
    }),
  );
});
