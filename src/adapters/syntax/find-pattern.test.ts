/** Which code a pattern means, language by language, by the grammars themselves. */
import { describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { openSyntax } from "./open-syntax.ts";

const opening = openSyntax({ clock: systemClock() });

async function found(language: string, pattern: string, text: string): Promise<readonly string[]> {
  const syntax = await opening;
  expect(syntax.readPattern(pattern, language)).toMatchObject({ state: "read" });
  const answer = syntax.findPattern({ pattern, language, most: 100 }, text);
  if (answer.state === "failed") throw new Error(answer.reason);
  return answer.places.map(({ line, column }) => `${line}:${column}`);
}

describe("in TypeScript", () => {
  it.each([
    ["one node for $A, whatever it is", "log($A)", "log(1); log(a.b(c)); log(); log(1, 2)", ["1:1", "1:9"]],
    ["any number for $$$", "log($$$)", "log(1); log(); log(1, 2)", ["1:1", "1:9", "1:16"]],
    [
      "a comma goes with the $$$ that stands for nothing",
      "log($A, $$$REST)",
      "log(1); log(1, 2, 3); log()",
      ["1:1", "1:9"],
    ],
    ["$$$ before the last argument", "log($$$, $LAST)", "log(1); log(1, 2, 3); log()", ["1:1", "1:9"]],
    ["the same name means the same text", "$A === $A", "a === a; a === b; f(x) === f(x)", ["1:1", "1:19"]],
    ["$_ means anything each time", "$_ === $_", "a === a; a === b", ["1:1", "1:10"]],
    ["the same name is found behind a $$$", "f($$$, $X, $$$) + $X", "f(1, 2, 3) + 2; f(1, 2) + 3", ["1:1"]],
    ["spaces, line ends and comments do not count", "f($A,$B)", "f(\n  1, // one\n  2,\n)", ["1:1"]],
    [
      "a token that the pattern does not write may be there",
      "function $F() { $$$ }",
      "async function a() { b() }",
      ["1:1"],
    ],
    ["one that it writes must be there", "async function $F() { $$$ }", "function a() { b() }", []],
    ["a named node that it does not write must not be there", "function $F($$$) { $$$ }", "function a(): void {}", []],
    ["matches inside of matches", "f($A)", "f(f(1))", ["1:1", "1:3"]],
    ["a string by its text", 'import $A from "node:fs"', 'import a from "node:fs"; import b from "fs"', ["1:1"]],
    ["a property of any object", "$A.unwrap()", "a.b.unwrap(); unwrap()", ["1:1"]],
    ["a method", "async $M($$$) { $$$ }", "class A {\n  async b() { c() }\n  d() {}\n}", ["2:3"]],
    ["a catch", "catch ($E) { }", "try {} catch (e) {}\ntry {} catch (e) { f() }", ["1:8"]],
  ])("%s: %s", async (_rule, pattern, text, places) => {
    expect(await found("typescript", pattern, text)).toEqual(places);
  });
});

it.each([
  ["python", "def $F($$$): $$$BODY", "def a(x):\n    return x\nb = 1\n", ["1:1"]],
  ["python", "open($F)", "with open(name) as f:\n  pass\nopen(a, b)\n", ["1:6"]],
  ["go", "fmt.Println($$$)", "package a\nfunc f() {\n\tfmt.Println(1, 2)\n}\n", ["3:2"]],
  ["go", "if err != nil { $$$ }", "package a\nfunc f() {\n\tif err != nil {\n\t\treturn\n\t}\n}\n", ["3:2"]],
  ["rust", "$A.unwrap()", "fn f() { a.b().unwrap(); }", ["1:10"]],
  ["rust", "impl $T for $S { $$$ }", "impl A for B {\n fn f() {}\n}", ["1:1"]],
  ["java", "class $C { $$$ }", "class A { int b; }", ["1:1"]],
  ["java", "$A.close()", "class A { void f() { in.close(); } }", ["1:22"]],
  ["c", "free($P)", "void f() { free(p); }", ["1:12"]],
  ["c", "if ($C) { $$$ }", "void f() { if (a) { b(); c(); } }", ["1:12"]],
  ["cpp", "std::move($A)", "void f() { g(std::move(a)); }", ["1:14"]],
  ["cpp", "class $C { $$$ };", "class A { int b; };", ["1:1"]],
  ["csharp", "if ($C) { $$$ }", "class A { void F() { if (a) { B(); } } }", ["1:22"]],
  ["csharp", "await $A", "class A { async void F() { await b(); } }", ["1:28"]],
  ["ruby", "class $C; $$$; end", "class A; b; end", ["1:1"]],
  ["ruby", "puts $A", "puts 1\nprint 2\n", ["1:1"]],
  ["php", "strlen($A)", "<?php echo strlen($order);", ["1:12"]],
  ["php", "$this->total($$$)", "<?php $this->total(1, 2); $that->total();", ["1:7"]],
  ["bash", "rm -rf $DIR", "rm -rf build\nrm build\n", ["1:1"]],
  ["kotlin", "fun $F($$$) { $$$ }", "fun a(b: Int) { c() }", ["1:1"]],
  ["swift", "func $F($$$) { $$$ }", "func a(b: Int) { c() }", ["1:1"]],
  ["elixir", "IO.puts($A)", "def f do\n  IO.puts(1)\nend\n", ["2:3"]],
  ["zig", "try $A", "fn f() void {\n  try g();\n}\n", ["2:3"]],
  ["ocaml", "List.map $F $L", "let a = List.map f l", ["1:9"]],
  ["dart", "print($A);", "void f() {\n  print(1);\n}\n", ["2:3"]],
  ["terraform", "$A = var.region", "a {\n  b = var.region\n}\n", ["2:3"]],
  ["nix", "import $A", "import ./a.nix", ["1:1"]],
  ["yaml", "image: $A", "image: a\nname: b\n", ["1:1"]],
  ["json", '{"a": $A}', '{"a": 1}', ["1:1"]],
  ["vue", "fetch($A)", "<template>\n  <p/>\n</template>\n<script>\nfetch(1)\n</script>\n", ["5:1"]],
  ["svelte", "fetch($A)", "<script>\n  fetch(1)\n</script>\n<p>fetch(2)</p>\n", ["2:3"]],
])("%s: %s", async (language, pattern, text, places) => {
  expect(await found(language, pattern, text)).toEqual(places);
});

it("a pattern says which texts every match contains", async () => {
  const syntax = await opening;
  expect(syntax.readPattern("console.log($A, 'two words', $$$)", "typescript")).toEqual({
    state: "read",
    texts: expect.arrayContaining(["console", "log", "two words"]),
  });
});

it.each([
  ["typescript", "$A", "something fixed"],
  ["typescript", "$$$ARGS", "something fixed"],
  ["typescript", "foo($A", "not typescript code"],
  ["c", "foo($A", "not c code"],
  ["go", "foo($A", "not go code"],
  ["typescript", "a(); b()", "this is several"],
  ["typescript", "}{", "not typescript code"],
])("in %s %s is refused with the way out", async (language, pattern, reason) => {
  const syntax = await opening;
  expect(syntax.readPattern(pattern, language)).toEqual({ state: "invalid", reason: expect.stringContaining(reason) });
});

it("a language without a grammar is unknown, and those there are are named", async () => {
  const syntax = await opening;
  expect(syntax.readPattern("a($A)", "klingon")).toEqual({
    state: "unknown",
    known: expect.arrayContaining(["typescript", "python"]),
  });
});

it("a pattern made to try endless combinations is stopped, and the next text is read", async () => {
  const syntax = await opening;
  const pattern = `f(${Array.from({ length: 12 }, (_, index) => `$$$A${index}, $B${index}`).join(", ")}, no)`;
  const text = `f(${Array.from({ length: 200 }, (_, index) => `a${index}`).join(", ")})`;
  expect(syntax.findPattern({ pattern, language: "typescript", most: 1 }, text)).toEqual({
    state: "failed",
    reason: "took too long",
  });
  expect(await found("typescript", "f($A)", "f(1)")).toEqual(["1:1"]);
});
