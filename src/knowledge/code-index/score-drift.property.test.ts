import fc from "fast-check";
import { expect, it } from "vitest";
import { compareSymbols } from "./compare-symbols.ts";
import { type DriftChange, scoreDrift } from "./score-drift.ts";

const name = fc.constantFrom("priceOf", "run", "Cart", "total", "net_of", "id", "Order2");
const symbol = fc.record({
  name,
  kind: fc.constantFrom("function", "class", "config", "heading"),
  container: fc.option(name, { nil: undefined }),
  signature: fc.string({ maxLength: 10 }),
  line: fc.nat({ max: 50 }).map((line) => line + 1),
});
const text = fc
  .array(
    fc.oneof(
      name,
      name.map((one) => `\`${one}\``),
      fc.constantFrom("\n", "```\n", "src/a.ts", "../src/a.ts", "the", "(", ")", "."),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(" "));
const change: fc.Arbitrary<DriftChange> = fc.oneof(
  name.map((one): DriftChange => ({ kind: "symbol-removed", name: one, was: { path: "a", line: 1, signature: "" } })),
  fc.constant<DriftChange>({ kind: "path-gone", name: "src/a.ts", was: { path: "src/a.ts" } }),
);
const changes = fc.uniqueArray(change, { selector: ({ name: one }) => one, maxLength: 6 });

it("no symbol changed: no drift, whatever a document says", () => {
  fc.assert(
    fc.property(fc.array(symbol, { maxLength: 8 }), text, (symbols, document) => {
      const same = compareSymbols([{ path: "src/a.ts", before: symbols, after: symbols }], () => false);
      expect(same).toEqual([]);
      expect(scoreDrift({ path: "docs/a.md", text: document }, same)).toEqual({ score: 0, reasons: [] });
    }),
  );
});

it("a score is in [0, 1), is 0 exactly without reasons, and never falls with one change more", () => {
  fc.assert(
    fc.property(changes, text, (some, document) => {
      const of = (part: readonly DriftChange[]) => scoreDrift({ path: "docs/a.md", text: document }, part);
      const { score, reasons } = of(some);
      expect(score >= 0 && score < 1).toBe(true);
      expect(score === 0).toBe(reasons.length === 0);
      expect(of(some.slice(1)).score).toBeLessThanOrEqual(score);
    }),
  );
});

it("every reason points at text that is really there", () => {
  fc.assert(
    fc.property(changes, text, (some, document) => {
      const lines = document.split("\n");
      for (const { change: of, line, column } of scoreDrift({ path: "docs/a.md", text: document }, some).reasons) {
        const at = lines[line - 1]!.slice(column - 1);
        expect(of.kind === "path-gone" ? /^(\.\.)?\/?src\/a\.ts/.test(at) : at.startsWith(of.name)).toBe(true);
      }
    }),
  );
});
