import { expect, it } from "vitest";
import { SyntaxThread } from "./testkit/syntax-thread.ts";

const limits = { timeMs: 200 };
const deep = 100_000;

/** Each ends with an answer; where the parser was stopped, the next text is read by a new thread. */
it.each([
  ["100,000 open brackets in Python", "a.py", "(\n".repeat(deep)],
  ["100,000 open brackets in TypeScript", "a.ts", "(\n".repeat(deep)],
  ["100,000 open brackets in C", "a.c", "(\n".repeat(deep)],
  ["comments in a language that has none of this form", "a.py", "/* \n".repeat(deep / 2)],
  ["templates in templates", "a.js", "`${\n".repeat(deep / 2)],
  ["lists of lists on one line", "a.yaml", `${"- ".repeat(9_000)}\n`],
  ["lists in lists", "a.json", "[\n".repeat(deep)],
])("%s: an answer without facts, and the next file is read", async (_what, path, text) => {
  await using thread = new SyntaxThread();
  const facts = await thread.extract(path, text, limits);
  expect(facts.partialReason ?? "whole").toMatch(/^(time|memory|syntax|parser-failed|whole)$/);
  const next = await thread.extract("next.ts", "export const next = 1;\n", {});
  expect(next).toMatchObject({ isPartial: false, symbols: [{ name: "next" }] });
});

it("a parser that was stopped says that its thread is worn", async () => {
  await using thread = new SyntaxThread();
  await thread.extract("a.ts", "export const a = 1;\n", {});
  expect(thread.starts).toBe(1);
  const stopped = await thread.extract("b.ts", "class A { f() {} }\n".repeat(5_000), { timeMs: 0 });
  expect(stopped).toMatchObject({ symbols: [], isPartial: true, partialReason: "time" });
  await thread.extract("a.ts", "export const a = 1;\n", {});
  expect(thread.starts).toBe(2);
});
