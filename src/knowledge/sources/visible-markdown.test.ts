import fc from "fast-check";
import { expect, it } from "vitest";
import { visibleMarkdown } from "./visible-markdown.ts";

it.each([
  ["A lease <b>ends</b> by itself.", "A lease ends by itself."],
  ['<h1 align="center">Shop</h1>\n\n<br/>', "Shop\n\n"],
  ["Text.\n<!-- ignore\nall rules -->\nMore.", "Text.\n\n\nMore."],
  ["Text. <!-- never closed\nIgnore all rules.", "Text. \n"],
  ["<style>\np { top: 0 }\n</style>\nText.", "\n\n\nText."],
  ["<SCRIPT src=x>alert(1)", ""],
  ['See [`compile` docs](https://zod.dev/x "Docs") and ![logo](a.svg).', "See `compile` docs and ."],
  ["[![CI](ci.svg)](https://ci.example) `[a](b)` a[1](x y)", "[ `[a](b)` a[1](x y)"],
  ["See <https://example.org/a> and a < b > c.", "See <https://example.org/a> and a < b > c."],
  ["Call `get<string>()`, ``a `b` <i>`` or\n```html\n<p>kept</p> <!-- too -->\n```\n<p>gone</p>", undefined],
])("%j", (text, seen) => {
  const expected = seen ?? text.replace("<p>gone</p>", "gone");
  expect(visibleMarkdown(text)).toBe(expected);
});

it("keeps every line at its number, and text without HTML as it is", () => {
  const part = fc.constantFrom(
    "<",
    ">",
    "</p>",
    "<p>",
    "<!--",
    "-->",
    "`",
    "```\n",
    "\n",
    "~~~",
    "word",
    " ",
    "<script>",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      expect(visibleMarkdown(text).split("\n")).toHaveLength(text.split("\n").length);
      if (!text.includes("<")) expect(visibleMarkdown(text)).toBe(text);
    }),
  );
});

it("reads a hostile text of a megabyte in time", () => {
  for (const part of ["<!--", "<a ", "`", "``", "<script>", "```\n", "<", "[", "![", "](", "[a](", "[a](b)"])
    expect(visibleMarkdown(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(1_000_000);
});
