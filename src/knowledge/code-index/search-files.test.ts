import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { searchFiles } from "./search-files.ts";

const files = {
  "src/checkout-total.ts": "export const x = 1;",
  "src/other.ts": "// the checkout adds up a total\n",
  "src/camel.ts": "function checkoutTotal() {}",
  "src/none.ts": "nothing of that kind",
  "binary.png": "checkout\0total",
  "large.txt": `checkout ${"x".repeat(70_000)}`,
};

function world() {
  const folder = scratchFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), content);
  }
  const search = (question: string, limit = 10) =>
    searchFiles({ tree: folder.path, files: [...Object.keys(files), "gone.ts"], question, limit });
  return { search, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

it("finds files whose path or text shares words with the question, paths first, and skips what is no text [RUN-1]", async () => {
  using at = world();
  const found = await at.search("Fix the CHECKOUT total");
  expect(found.map(({ path }) => path)).toEqual(["src/checkout-total.ts", "src/other.ts", "src/camel.ts"]);
  expect(found[2]!.excerpt).toContain("checkoutTotal");
});

it("keeps to its limit, and finds nothing for a question without words", async () => {
  using at = world();
  expect(await at.search("checkout total", 1)).toHaveLength(1);
  expect(await at.search("?! 12")).toEqual([]);
});
