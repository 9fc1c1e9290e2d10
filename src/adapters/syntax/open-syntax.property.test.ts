import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileFacts } from "../../knowledge/code-index/index.ts";
import { sharedSyntax } from "./testkit/facts-table.ts";

const folder = join(import.meta.dirname, "../../../test/languages");
const samples = readdirSync(folder)
  .filter((name) => name.endsWith(".txt") && !name.endsWith(".golden.txt"))
  .map((name) => ({ path: name.replace(/\.txt$/, ""), text: readFileSync(join(folder, name), "utf8") }));

type Cut = { readonly at: number; readonly length: number; readonly put: string };
const pieces = [
  "",
  "\n",
  "{",
  "}",
  "(",
  ")",
  '"',
  "'",
  "`",
  "/*",
  "*/",
  "#",
  "<",
  ">",
  ":",
  "=>",
  "\r\n",
  "\t",
  "é",
  "😀",
  "\ud800",
];
const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 60 }),
  put: fc.constantFrom(...pieces),
});
const bytes = fc.uint8Array({ maxLength: 400 }).map((data) => Buffer.from(data).toString("utf8"));

describe.each(samples)("$path", ({ path, text }) => {
  it("cut, mended and truncated anywhere: facts lie inside of the text", async () => {
    const syntax = await sharedSyntax();
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 6 }), fc.boolean(), (cuts, isTruncated) => {
        const changed = cuts.reduce((before, { at, length, put }) => {
          const place = Math.floor(at * before.length);
          return before.slice(0, place) + put + (isTruncated ? "" : before.slice(place + length));
        }, text);
        expectInside(syntax.extract(path, changed), changed);
      }),
      { numRuns: 25 },
    );
  });

  it("bytes of any kind: facts lie inside of the text", async () => {
    const syntax = await sharedSyntax();
    const soup = fc.oneof(
      bytes,
      fc.array(fc.constantFrom(...pieces, "a", "if ", "class "), { maxLength: 200 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(soup, (found) => expectInside(syntax.extract(path, found), found)),
      { numRuns: 25 },
    );
  });
});

it("no such text wears the parser out", async () => {
  const syntax = await sharedSyntax();
  expect(syntax.isWorn()).toBe(false);
});

it("the facts of a text depend on nothing that was read before", async () => {
  const syntax = await sharedSyntax();
  const fresh = samples.map(({ path, text }) => syntax.extract(path, text));
  expect(samples.toReversed().map(({ path, text }) => syntax.extract(path, text))).toEqual(fresh.toReversed());
});

function expectInside(facts: FileFacts, text: string): void {
  const lines = text.split("\n");
  const { symbols, imports, references, docs, isPartial, partialReason } = facts;
  const isPlace = (line: number, column: number): boolean =>
    line >= 1 && line <= lines.length && column >= 1 && column <= lines[line - 1]!.length + 1;
  expect(isPartial).toBe(partialReason !== undefined);
  expect(symbols.filter(({ line, column }) => !isPlace(line, column))).toEqual([]);
  expect(references.filter(({ line, column }) => !isPlace(line, column))).toEqual([]);
  expect([...symbols, ...docs].filter(({ line, endLine }) => endLine < line || endLine > lines.length)).toEqual([]);
  expect([...imports, ...docs].filter(({ line }) => line < 1 || line > lines.length)).toEqual([]);
  expect(
    symbols.filter(({ name, signature, doc = "" }) => name === "" || signature.length > 200 || doc.length > 400),
  ).toEqual([]);
  expect(symbols.filter(({ name, signature }) => /\n/.test(name + signature))).toEqual([]);
}
