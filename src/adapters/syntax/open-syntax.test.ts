import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharedSyntax, tableOf } from "./testkit/facts-table.ts";

/** Each `sample.<ending>.txt` has its expected facts in `sample.<ending>.golden.txt`. */
const folder = join(import.meta.dirname, "../../../test/languages");
const samples = readdirSync(folder).filter((name) => name.endsWith(".txt") && !name.endsWith(".golden.txt"));

it.each(samples)("the facts of %s are those that its table lists", async (sample) => {
  const syntax = await sharedSyntax();
  const file = sample.replace(/\.txt$/, "");
  const facts = syntax.extract(file === "cargo.toml" ? "Cargo.toml" : file, readFileSync(join(folder, sample), "utf8"));
  expect(facts.isPartial).toBe(false);
  const golden = join(folder, `${file}.golden.txt`);
  if (process.env["SYLK_RECORD"] === "1") writeFileSync(golden, tableOf(facts));
  expect(tableOf(facts)).toBe(existsSync(golden) ? readFileSync(golden, "utf8") : "");
});

it.each([
  ["src/a.TS", "", "typescript"],
  ["Makefile.py", "", "python"],
  ["bin/serve", "#!/usr/bin/env -S python3.12 -u", "python"],
  ["bin/serve", "#!/bin/sh -e", "bash"],
  ["bin/serve", "#!/opt/tool", "text"],
  ["Gemfile", "", "ruby"],
  ["go.mod", "", "go-mod"],
  ["README.md", "", "markdown"],
  ["py", "", "text"],
  ["a.unknown", "", "text"],
  [".ts", "", "typescript"],
])("%s with the first line %j is %s", async (path, firstLine, language) => {
  const syntax = await sharedSyntax();
  expect(syntax.languageOf(path, firstLine)).toBe(language);
});

it("a file without a grammar has no symbols and is whole", async () => {
  const syntax = await sharedSyntax();
  expect(syntax.extract("notes.txt", "class A {}")).toEqual({
    language: "text",
    symbols: [],
    imports: [],
    references: [],
    docs: [],
    isPartial: false,
  });
});

it.each([
  ["too-large", "x = 1\n".repeat(200_000)],
  ["minified", `x = ${"[1],".repeat(6_000)}`],
  ["minified", `${"x = 1;".repeat(100)}\n`.repeat(50)],
  ["minified", "a".repeat(1_000_000)],
  ["binary", "x = 1\n\0\u0001"],
])("a text that no person wrote is not parsed: %s", async (reason, text) => {
  const syntax = await sharedSyntax();
  expect(syntax.extract("a.py", text)).toMatchObject({ symbols: [], isPartial: true, partialReason: reason });
});

it("broken syntax is said, and what is around it is read", async () => {
  const syntax = await sharedSyntax();
  const facts = syntax.extract("a.ts", "export function first() {}\nclass {{ ] ;\nexport function last() {}\n");
  expect(facts).toMatchObject({ isPartial: true, partialReason: "syntax" });
  expect(facts.symbols.map(({ name }) => name)).toContain("first");
});

it("a limit on facts is said", async () => {
  const syntax = await sharedSyntax();
  const text = Array.from({ length: 50 }, (_, index) => `export const a${index} = b${index};`).join("\n");
  expect(syntax.extract("a.ts", text, { maxSymbols: 10 })).toMatchObject({ isPartial: true, partialReason: "limit" });
  expect(syntax.extract("a.ts", text, { maxSymbols: 10 }).symbols).toHaveLength(10);
  expect(syntax.extract("a.ts", text, { maxReferences: 10 }).references).toHaveLength(10);
});

it("reads a language with a very large lexer in little memory", () => {
  const program = join(import.meta.dirname, "testkit/read-often.ts");
  const script = join(folder, "sample.sh.txt");
  const megabytes = Number(execFileSync(process.execPath, [program, script], { encoding: "utf8" }));
  expect(megabytes).toBeGreaterThan(50);
  expect(megabytes).toBeLessThan(300); // 550 to 660 when V8 optimizes it
});
