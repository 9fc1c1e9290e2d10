import { describe, expect, it } from "vitest";
import { compareSymbols } from "./compare-symbols.ts";
import { goneFolders } from "./diff-since.ts";
import { type DriftChange, scoreDrift, sentenceOf } from "./score-drift.ts";

const symbol = (name: string, signature = `function ${name}()`, container?: string) => ({
  name,
  kind: "function",
  line: 3,
  signature,
  container,
});
const removed = (name: string): DriftChange => ({
  kind: "symbol-removed",
  name,
  was: { path: "src/a.ts", line: 3, signature: name },
});
const gone = (path: string): DriftChange => ({ kind: "path-gone", name: path, was: { path } });
const drift = (text: string, changes: readonly DriftChange[], path = "docs/guide.md") =>
  scoreDrift({ path, text }, changes);
const isDrift = (text: string, change: DriftChange, path?: string): boolean =>
  drift(text, [change], path).reasons.length === 1;

describe("changes of symbols", () => {
  it("a symbol that is gone from its file is removed, one that moved to another file is not", () => {
    const file = { path: "src/a.ts", before: [symbol("priceOf"), symbol("moved")], after: [] };
    expect(compareSymbols([file], (name) => name === "moved")).toMatchObject([
      { kind: "symbol-removed", name: "priceOf", was: { path: "src/a.ts", line: 3 } },
    ]);
  });

  it("another signature is a change, one overload more beside the old one names the new one", () => {
    const before = [symbol("priceOf", "priceOf(a)")];
    const after = [symbol("priceOf", "priceOf(a, b)")];
    expect(compareSymbols([{ path: "a.ts", before, after }], () => true)).toMatchObject([
      { kind: "signature-changed", now: { signature: "priceOf(a, b)" } },
    ]);
  });

  it("methods of two classes are told apart, headings and values of configuration are left alone", () => {
    const before = [symbol("total", "total()", "Cart"), symbol("total", "total()", "Order")];
    const after = [before[0]!, symbol("total", "total(tax)", "Order")];
    expect(compareSymbols([{ path: "a.ts", before, after }], () => true)).toMatchObject([{ container: "Order" }]);
    const heading = [{ ...symbol("Guide"), kind: "heading" }];
    const key = (value: string) => [{ ...symbol("version", value), kind: "config" }];
    expect(compareSymbols([{ path: "a.md", before: heading, after: [] }], () => false)).toEqual([]);
    expect(compareSymbols([{ path: "a.json", before: key("1"), after: key("2") }], () => true)).toEqual([]);
  });

  it("a name that is still in a file with broken syntax is not removed", () => {
    const file = { path: "a.ts", before: [symbol("kept"), symbol("lost")], after: [] };
    const changes = compareSymbols([{ ...file, mayStillHave: (name) => name === "kept" }], () => false);
    expect(changes.map(({ name }) => name)).toEqual(["lost"]);
  });
});

describe("mentions", () => {
  it.each([
    ["in a code span", "Call `priceOf` first.", "priceOf"],
    ["in a span with its arguments", "Call `priceOf(order)` first.", "priceOf"],
    ["in a code block", "```ts\npriceOf(order);\n```", "priceOf"],
    ["in plain text, written as a name", "The price_of function adds.", "price_of"],
    ["an ordinary word alone in a span", "Call `run`.", "run"],
    ["an ordinary word that is called", "Then run() ends.", "run"],
    ["an ordinary word behind its class", "Use `Cart.total` here.", "total"],
  ])("counts %s", (_how, text, name) => expect(isDrift(text, removed(name))).toBe(true));

  it.each([
    ["an ordinary word in plain text", "Then run the tests.", "run"],
    ["an ordinary word inside a command", "Type `npm run check`.", "run"],
    ["a part of a longer name", "Call `priceOfOrder`.", "priceOf"],
    ["a name of two letters", "Use `id`.", "id"],
  ])("does not count %s", (_how, text, name) => expect(isDrift(text, removed(name))).toBe(false));

  it.each([
    ["from the root", "See src/old/price.ts for it.", "src/old/price.ts", undefined],
    ["at the end of a sentence", "See src/old/price.ts.", "src/old/price.ts", undefined],
    ["relative to the document", "See [it](../src/price.ts#L3).", "src/price.ts", undefined],
    ["beside the document", "See `setup.md`.", "docs/setup.md", undefined],
    ["a folder with its slash", "All in `src/old/`.", "src/old", undefined],
  ])("finds a path %s", (_how, text, path) => expect(isDrift(text, gone(path))).toBe(true));

  it("does not take a longer path for the one that is gone", () => {
    expect(isDrift("See src/old/price.ts.bak", gone("src/old/price.ts"))).toBe(false);
    expect(isDrift("See other/src/price.ts", gone("src/price.ts"))).toBe(false);
  });
});

describe("scores", () => {
  it("a removed symbol weighs more than a changed signature, code more than plain text, two reasons more than one", () => {
    const changed: DriftChange = { ...removed("priceOf"), kind: "signature-changed" } as DriftChange;
    const code = "Call `priceOf` and `netOf`.";
    expect(drift(code, [removed("priceOf")]).score).toBe(0.6);
    expect(drift("Call priceOf.", [removed("priceOf")]).score).toBe(0.36);
    expect(drift(code, [changed]).score).toBe(0.25);
    expect(drift(code, [removed("priceOf"), removed("netOf")]).score).toBe(0.84);
  });

  it("one symbol that is mentioned often is one reason, at its first mention in code", () => {
    const { reasons } = drift("priceOf\n\n`priceOf`\n`priceOf`", [removed("priceOf")]);
    expect(reasons).toMatchObject([{ line: 3, column: 2 }]);
  });

  it("a reason is a sentence with the former place and where it changed", () => {
    expect(sentenceOf(removed("priceOf"), "commit 1a2b3c4d")).toBe(
      "priceOf (src/a.ts:3) was removed in commit 1a2b3c4d",
    );
    expect(sentenceOf(gone("src/a.ts"), "the working tree")).toBe("src/a.ts was removed in the working tree");
  });
});

it("a folder is gone when none of its files is left", () => {
  expect(goneFolders(["src/old/a.ts", "src/old/deep/b.ts"], ["src/a.ts"])).toEqual(["src/old", "src/old/deep"]);
});
