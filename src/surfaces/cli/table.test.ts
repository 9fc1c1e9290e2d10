import { expect, it } from "vitest";
import fc from "fast-check";
import { displayWidth } from "./display-width.ts";
import { cutToWidth } from "./runs/live-tree.ts";
import { renderTable, wrapWords } from "./table.ts";
import { titleLine } from "./wording.ts";

const ids = ["wrk_01jd8q3m7k4x9t2v5b8n1c", "wrk_01jd8q3m7k5x9t2v5b8n1c", "wrk_01je0q3m7k4x9t2v5b8n1c"];

it("shows everything in full where it fits", () => {
  const { head, lines, left } = renderTable(["id", "title"], [[ids[0]!, "orders"]], { width: 80 });
  expect([...head, ...lines]).toEqual(["id                          title", `${ids[0]}  orders`]);
  expect(left).toEqual([]);
});

it("shortens ids to their unique start before anything else", () => {
  const rows = ids.map((id) => [id, "Rate-limit the orders endpoint by customer and region"]);
  const { lines } = renderTable(["id", "title"], rows, { width: 72 });
  expect(lines).toEqual([
    "wrk_01jd8q3m7k4  Rate-limit the orders endpoint by customer and region",
    "wrk_01jd8q3m7k5  Rate-limit the orders endpoint by customer and region",
    "wrk_01je0q3m     Rate-limit the orders endpoint by customer and region",
  ]);
});

it("cuts paths in their middle and keeps the file's name", () => {
  const path = "packages/checkout/src/discounts/percentage/apply-discount.ts";
  const { lines } = renderTable(["path", "holder"], [[path, "heron"]], { width: 40 });
  expect(lines[0]).toMatch(/^pack.*….*apply-discount\.ts {2}heron$/);
  expect(displayWidth(lines[0]!)).toBeLessThanOrEqual(40);
});

it("keeps the column whole that the table is about, while the others can give way", () => {
  const path = ".git/hooks/reference-transaction";
  const rows = [["create", path, "the commit gate for commits with --no-verify"]];
  expect(renderTable(["", "", ""], rows, { width: 60, whole: 1 }).lines).toEqual([
    `create  ${path}  the commit gate`,
    `${" ".repeat(42)}for commits with`,
    `${" ".repeat(42)}--no-verify`,
  ]);
  const [narrow] = renderTable(["", "", ""], rows, { width: 40, whole: 1 }).lines;
  expect(narrow).toMatch(/^create {2}\.git\S*…\S*action {2}/);
});

it("leaves out columns without content first, and does not name them", () => {
  const rows = [["heron", "", "claude-code", "main"]];
  const table = (width: number) => renderTable(["agent", "works on", "client", "branch"], rows, { width });
  expect(table(80).head).toEqual(["agent  works on  client       branch"]);
  expect(table(30)).toEqual({
    head: ["agent  client       branch"],
    lines: ["heron  claude-code  main"],
    left: [],
  });
});

it("wraps text between words, in its own column", () => {
  const rows = [["a", "one two three four five six"]];
  expect(renderTable(["n", "text"], rows, { width: 20 }).lines).toEqual(["a  one two three", "   four five six"]);
});

it("leaves out the columns that the caller can do without, and names them", () => {
  const header = ["agent", "status", "tree", "branch", "id"];
  const rows = [["heron", "active", "/home/ada/shop/worktrees/heron", "heron/rate-limits", ids[0]!]];
  const { lines, left } = renderTable(header, rows, { width: 54, spare: ["id", "tree"] });
  expect(left).toEqual(["id"]);
  expect(lines.every((line) => displayWidth(line) <= 54)).toBe(true);
  expect(lines[0]).toContain("heron/rate-limits");
});

it("keeps the colour of a cell that it cuts", () => {
  const { lines } = renderTable(["a", "b"], [["x", "\u001b[31mone two three four five\u001b[39m"]], { width: 16 });
  expect(lines).toEqual(["x  \u001b[31mone two three\u001b[39m", "   \u001b[31mfour five\u001b[39m"]);
});

it.each([
  ["日本語", 6],
  ["한국어", 6],
  ["👩‍👩‍👧‍👦", 2],
  ["🇩🇪", 2],
  ["e\u0301", 1],
  ["\u001b[31mred\u001b[39m", 3],
  ["✓ ok", 4],
])("counts the columns of %s", (text, width) => expect(displayWidth(text)).toBe(width));

it("never makes a line wider than the terminal, whatever the cells hold", () => {
  const cell = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom(
      ...ids,
      "src/注文/割引/適用.ts",
      "a/b/c/d",
      "日本語の長い題名がここに入ります",
      "👩‍👩‍👧‍👦 family 🇩🇪 flag",
    ),
    fc.lorem({ maxCount: 12 }),
  );
  const table = fc.integer({ min: 1, max: 11 }).chain((columns) =>
    fc.tuple(
      fc.array(fc.constantFrom("id", "path", "last active", "status", "name"), {
        minLength: columns,
        maxLength: columns,
      }),
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
    ),
  );
  fc.assert(
    fc.property(table, fc.integer({ min: 20, max: 160 }), ([header, rows], width) => {
      const { head, lines } = renderTable(header, rows, { width });
      for (const line of [...head, ...lines]) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 300 },
  );
});

it("cuts a line that is drawn again with …, and keeps its colours", () => {
  expect(cutToWidth("\u001b[31mno linter\u001b[39m was found", 12)).toBe("\u001b[31mno linter\u001b[39m w…");
  expect(cutToWidth("\u001b[31mno linter was found\u001b[39m here", 5)).toBe("\u001b[31mno l…\u001b[39m");
  expect(cutToWidth("日本語の題名", 5)).toBe("日本…");
  expect(cutToWidth("it fits", 7)).toBe("it fits");
});

it("gives a long title way for its id", () => {
  const out = { width: 40, paint: (_: unknown, text: string) => text };
  expect(titleLine("Add percentage discounts to the cart", ids[0]!, out)).toBe(`Add percent…  ${ids[0]}`);
  expect(titleLine("Add prices", ids[0]!, out)).toBe(`Add prices  ${ids[0]}`);
});

it("breaks no word", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,10}$/), { minLength: 1, maxLength: 20 }), (words) => {
      expect(wrapWords(words.join(" "), 12).flatMap((line) => line.split(" "))).toEqual(words);
    }),
  );
});
