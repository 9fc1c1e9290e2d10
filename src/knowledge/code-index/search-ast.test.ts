/** What a search for a pattern looks at and what it leaves out; how patterns match is the grammars' part. */
import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import type { FoundPattern } from "./facts.ts";
import { openScratchIndex, scratchRepository, withoutPatterns } from "./testkit.ts";

const twelve = Array.from({ length: 12 }, (_, index) => `a${String(index).padStart(2, "0")}.ts`);
const files = {
  ...Object.fromEntries(twelve.map((path) => [path, "alpha(1);\n"])),
  "beta.ts": "beta(1);\n",
  "note.txt": "alpha(1)\n",
};
const found: FoundPattern = { state: "found", places: [{ line: 1, column: 1, endLine: 1, text: "alpha(1);" }] };
const asked = {
  text: "alpha($A)",
  ast: true,
  regex: false,
  ranked: false,
  docs: false,
  ignoreCase: false,
  limit: 100,
  waitMs: 60_000,
};

/** With what each file answers. */
async function search(answer: (path: string, advance: (ms: number) => void) => FoundPattern, wanted = {}) {
  using at = scratchRepository(files);
  const clock = manualClock();
  const looked: string[] = [];
  const index = openScratchIndex(
    at.home("index"),
    { clock },
    {
      ...withoutPatterns,
      readPattern: async (pattern, language) => {
        if (language !== "typescript") return { state: "unknown", known: ["typescript"] };
        return pattern.includes("(") ? { state: "read", texts: ["alpha"] } : { state: "invalid", reason: "not code" };
      },
      findPattern: async (_wanted, { path }) => {
        looked.push(path);
        return answer(path, (ms) => clock.advance(ms));
      },
    },
  );
  try {
    return { looked, ...(await index.ask("code.search", at.tree, { ...asked, ...wanted })) };
  } finally {
    await index.stop();
  }
}

it("only files that may have the pattern's own words are parsed, and other languages are named", async () => {
  const { looked, items, about } = await search(() => found);
  expect(looked).toEqual(twelve);
  expect(items.map(({ path }) => path)).toEqual(twelve);
  expect(about).toMatchObject({ provider: "syntax", confidence: "exact", failed: [] });
  expect(about.notes).toEqual(["not looked at: files in which the pattern is not code: 1 (text)"]);
});

it("a search ends at its limit and says that there is more", async () => {
  const { looked, items, more, about } = await search(() => found, { limit: 3 });
  expect([items.length, more, looked.length, about.failed]).toEqual([3, true, 4, []]);
});

it("after ten seconds it ends and says how many files it did not look at", async () => {
  const { looked, items, about } = await search((_path, advance) => (advance(3_000), found));
  expect([looked.length, items.length]).toEqual([4, 4]);
  expect(about.failed).toEqual([
    { provider: "syntax", reason: expect.stringMatching(/^8 of 12 files that may match were not looked at; narrow/) },
  ]);
});

it("a file that cannot be parsed is named, and the others are looked at", async () => {
  const broken: FoundPattern = { state: "failed", reason: "took too long" };
  const { items, about } = await search((path) => (path < "a02" ? broken : found));
  expect(items).toHaveLength(10);
  expect(about.failed).toEqual([{ provider: "syntax", reason: "a00.ts took too long (and 1 more)" }]);
});

it.each([
  [{ text: "alpha" }, 'text: not code; "language" names the one you mean'],
  [{ text: "alpha", language: "typescript" }, "text: not code"],
  [{ language: "klingon" }, 'language: "klingon" has no patterns; choose one of typescript'],
  [{ regex: true }, "ast: a pattern is not also an expression or words"],
  [{ ast: false, language: "typescript" }, "language: only a pattern has one; add ast"],
])("%j is refused: %s", async (wanted, message) => {
  await expect(search(() => found, wanted)).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining(message) as string,
  });
});
