import fc from "fast-check";
import { expect, it } from "vitest";
import { highlightCode, spansOfWords } from "./highlight-code.ts";

const read = (line: string, path = "a.ts") => highlightCode(line, path).map(({ kind, text }) => `${kind}:${text}`);

it("tells keywords, strings, numbers and comments apart [DASH-8]", () => {
  expect(read('const a = "if // 3"; // if 3')).toEqual([
    "keyword:const",
    "plain: a = ",
    'string:"if // 3"',
    "plain:; ",
    "comment:// if 3",
  ]);
  expect(read("return 42")).toEqual(["keyword:return", "plain: ", "number:42"]);
  expect(read("x = 1 # one", "a.py")).toEqual(["plain:x = ", "number:1", "comment: # one"]);
  expect(read("this.#x", "a.ts")).toEqual(["keyword:this", "plain:.#x"]);
});

it("loses no character of a line, and marks exactly what was found", () => {
  const line = fc.string({ unit: fc.constantFrom(..."ab \"'`/*#1.\\if⇧é".split("")), maxLength: 60 });
  fc.assert(
    fc.property(line, fc.constantFrom("a", "if", "b a"), fc.constantFrom("a.ts", "a.py"), (text, words, path) => {
      const pieces = highlightCode(text, path, spansOfWords(text, words));
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      expect(pieces.every((piece) => piece.text !== "")).toBe(true);
      const marked = new Set(spansOfWords(text, words).flatMap(([from, to]) => range(from, to)));
      const shown = pieces.flatMap((piece) => piece.text.split("").map(() => piece.isMatch));
      expect(shown.flatMap((isMatch, at) => (isMatch ? [at] : []))).toEqual([...marked].toSorted((a, b) => a - b));
    }),
  );
});

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
