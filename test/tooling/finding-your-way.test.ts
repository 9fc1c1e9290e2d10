/** docs/finding-your-way.md sends newcomers to files; each of them is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "finding-your-way.md"), "utf8");
const named = [...page.matchAll(/`((?:src|test)\/[^`<]+)`/g)].map(([, path = ""]) => path);

it("names only files and folders that exist", () => {
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("answers for eleven things: handler, rule, rows, wording and test", () => {
  const things = page.split("\n").filter((line) => /^\| [^|]* \| `src\/[^<]*\/handlers\.ts` \|/.test(line));
  expect(things).toHaveLength(11);
  for (const line of things) expect(line.split(" | "), line).toHaveLength(6);
});

it("is a page of the documentation's Internals", () => {
  const contents = readFileSync(join(root, "docs", "README.md"), "utf8");
  expect(contents.split("## Internals")[1]).toContain("(finding-your-way.md)");
});
