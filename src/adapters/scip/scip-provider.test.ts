import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createScipIndexes } from "./scip-provider.ts";
import { writeIndex, type WrittenDocument } from "./testkit.ts";

const heron = "by-hand npm birds 1.0.0 birds.ts/heron().";
const files = {
  "src/birds.ts": "export function heron() {\n  const one = 1;\n  return one;\n}\n",
  "src/use.ts": 'import { heron } from "./birds.ts";\nexport const two = "é😀" + heron();\n',
};
const birds: WrittenDocument = {
  path: "src/birds.ts",
  occurrences: [
    { range: [0, 16, 21], symbol: heron, roles: 1 },
    { range: [1, 8, 11], symbol: "local 1", roles: 1 },
    { range: [2, 9, 12], symbol: "local 1" },
  ],
  symbols: [{ symbol: heron, text: "Counts herons." }],
};
/** In UTF-8 é has 2 units and 😀 has 4. */
const use: WrittenDocument = {
  path: "src/use.ts",
  encoding: 1,
  occurrences: [
    { range: [0, 9, 14], symbol: heron, typed: true },
    { range: [1, 30, 1, 35], symbol: heron, typed: true },
    { range: [1, 13, 16], symbol: "local 1", roles: 1 },
  ],
};

function scratch(documents: readonly WrittenDocument[] = [birds, use]) {
  const folder = scratchFolder();
  const tree = join(folder.path, "tree");
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  for (const [path, text] of Object.entries(files)) {
    write(path, text);
    utimesSync(join(tree, path), 1_000, 1_000); // long before the index
  }
  write("index.scip", writeIndex(documents));
  const indexes = createScipIndexes({
    folder: join(folder.path, "scip"),
    now: () => 7,
    repositoryOf: async () => "one repository",
  });
  return {
    tree,
    indexes,
    write,
    file: join(tree, "index.scip"),
    at: (path: string, line: number, column: number) => ({ tree, path, line, column }),
    [Symbol.dispose]() {
      indexes.close();
      folder[Symbol.dispose]();
    },
  };
}

const shown = (answer: Awaited<ReturnType<ReturnType<typeof scratch>["indexes"]["references"]>>) =>
  answer.state === "answered"
    ? answer.found.places.map(({ path, line, column }) => `${path}:${line}:${column}`)
    : answer;

it("an imported index answers exactly: definition, usages, description, local names apart", async () => {
  using at = scratch();
  expect(await at.indexes.references(at.at("src/use.ts", 1, 10))).toEqual({
    state: "not-covered",
    reason: "no SCIP index was imported",
  });
  expect(await at.indexes.import(at.file, at.tree)).toEqual({
    tool: "by-hand 1.0.0",
    documents: 2,
    occurrences: 6,
    leftOut: { count: 0, examples: [] },
  });
  const usages = await at.indexes.references(at.at("src/use.ts", 2, 28));
  expect(usages).toMatchObject({ state: "answered", confidence: "exact", notes: [] });
  expect(shown(usages)).toEqual(["src/birds.ts:1:17", "src/use.ts:1:10", "src/use.ts:2:28"]);
  expect(shown(await at.indexes.definition(at.at("src/use.ts", 1, 12)))).toEqual(["src/birds.ts:1:17"]);
  expect(shown(await at.indexes.references(at.at("src/birds.ts", 3, 10)))).toEqual([
    "src/birds.ts:2:9",
    "src/birds.ts:3:10",
  ]);
  expect(await at.indexes.hover(at.at("src/use.ts", 1, 10))).toMatchObject({ found: { text: "Counts herons." } });
  expect(await at.indexes.list(at.tree)).toEqual([
    { source: "index.scip", tool: "by-hand 1.0.0", importedAt: 7, documents: 2, stale: 0, leftOut: 0 },
  ]);
});

it("parts whose file has changed since the import are not used, are counted, and come back with the content", async () => {
  using at = scratch();
  await at.indexes.import(at.file, at.tree);
  at.write("src/birds.ts", `// moved\n${files["src/birds.ts"]}`);
  expect(await at.indexes.references(at.at("src/birds.ts", 2, 17))).toMatchObject({
    state: "not-covered",
    reason: expect.stringContaining("src/birds.ts has changed since its SCIP index was imported"),
  });
  const usages = await at.indexes.references(at.at("src/use.ts", 1, 10));
  expect(usages).toMatchObject({ confidence: "likely", notes: [expect.stringMatching(/^1 of the files/)] });
  expect(shown(usages)).toEqual(["src/use.ts:1:10", "src/use.ts:2:28"]);
  expect(await at.indexes.definition(at.at("src/use.ts", 1, 10))).toMatchObject({
    state: "not-covered",
    isStale: true,
    reason: expect.stringContaining("the symbol is defined in a file that has changed since the import"),
  });
  expect(await at.indexes.list(at.tree)).toMatchObject([{ documents: 2, stale: 1 }]);
  at.write("src/birds.ts", files["src/birds.ts"]);
  expect(await at.indexes.references(at.at("src/use.ts", 1, 10))).toMatchObject({ confidence: "exact" });
});

it("documents that do not fit their file are left out at the import, with the reason", async () => {
  const gone = { path: "src/gone.ts", occurrences: [] };
  const beyond = { path: "src/use.ts", occurrences: [{ range: [9, 0, 1], symbol: heron }] };
  const outside = { path: "../../etc/hosts", occurrences: [] };
  using at = scratch([gone, beyond, outside, birds]);
  const later = new Date(Date.now() + 60_000); // clock-exempt: the time of a file
  utimesSync(join(at.tree, "src/birds.ts"), later, later);
  expect((await at.indexes.import(at.file, at.tree)).leftOut).toEqual({
    count: 4,
    examples: [
      { path: "src/gone.ts", reason: "the file is gone" },
      { path: "src/use.ts", reason: "the index has places that the file does not have" },
      { path: "../../etc/hosts", reason: "it is outside the tree" },
      { path: "src/birds.ts", reason: "the file was changed after the index was written" },
    ],
  });
});

it("a refused index leaves the earlier import as it was; a new one takes its place", async () => {
  using at = scratch();
  await at.indexes.import(at.file, at.tree);
  const whole = readFileSync(at.file);
  for (const [bytes, reason] of [
    [whole.subarray(0, whole.length - 3), "is cut off; make it again"],
    [Buffer.from("{}"), "not a SCIP index"],
    [Buffer.of(), "has no document"],
  ] as const) {
    at.write("index.scip", bytes);
    await expect(at.indexes.import(at.file, at.tree)).rejects.toThrow(reason);
  }
  expect(await at.indexes.references(at.at("src/use.ts", 1, 10))).toMatchObject({ confidence: "exact" });
  at.write("index.scip", writeIndex([birds]));
  await at.indexes.import(at.file, at.tree);
  expect(await at.indexes.list(at.tree)).toMatchObject([{ documents: 1 }]);
  expect(await at.indexes.references(at.at("src/use.ts", 1, 10))).toMatchObject({ state: "not-covered" });
});
