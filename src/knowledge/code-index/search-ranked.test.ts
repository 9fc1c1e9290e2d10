import { expect, it } from "vitest";
import { openScratchIndex, scratchRepository } from "./testkit.ts";

it("ranked search puts rare words before frequent ones, many before few, names before text, whatever the paths", async () => {
  using at = scratchRepository({
    "a.ts": "// the heron eats here\nexport function eats() {}\n",
    "b.ts": "// the egret eats here\nexport function rests() {}\n",
    "c.ts": "// the heron, the heron and the heron\nexport function sleeps() {}\n",
    "d.ts": "// a bird\nexport function heronOf() {}\n",
    "e.ts": "// it eats\nexport function flies() {}\n",
    "f.ts": "// it eats\nexport function swims() {}\n",
  });
  const index = openScratchIndex(at.home("index"));
  expect(await found(index, at.tree, "heron")).toEqual(["d.ts", "c.ts", "a.ts"]);
  expect((await found(index, at.tree, "who eats egret"))[0]).toBe("b.ts");
  await index.stop();
});

it("ranked search puts a test after what it tests, unless tests are asked for", async () => {
  using at = scratchRepository({
    "bird.test.ts": "heron(); heron();\n",
    "src.ts": "heron(); egret();\n",
    ...Object.fromEntries(["one", "two", "three", "four"].map((name) => [`${name}.ts`, `${name}();\n`])),
  });
  const index = openScratchIndex(at.home("index"));
  expect((await found(index, at.tree, "a heron"))[0]).toBe("src.ts");
  expect((await found(index, at.tree, "tests of heron"))[0]).toBe("bird.test.ts");
  await index.stop();
});

async function found(
  index: ReturnType<typeof openScratchIndex>,
  tree: string,
  text: string,
): Promise<readonly string[]> {
  const terms = { regex: false, ast: false, ranked: true, docs: false, ignoreCase: false, files: undefined } as const;
  const question = { ...terms, text, limit: 50, waitMs: 60_000, tree: undefined };
  return (await index.ask("code.search", tree, question)).items.map(({ path }) => path);
}
