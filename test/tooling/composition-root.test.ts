/** The composition root connects features and decides nothing: planted rules are refused, and every handler has one place. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compositionRoot } from "../../scripts/check/composition-root.ts";
import { allOperations } from "../../src/contract/index.ts";
import { cleanTree } from "./clean-tree.ts";
import { copyFromRepository, repository, scratchFolder, writeTree } from "./scratch-folder.ts";

it.each([
  ["a refusal", `throw new DomainError("input.invalid", "no");`, /: new DomainError: src\/app refuses nothing/],
  ["refused input", `throw invalidInput("name", "no");`, /: invalidInput\(: src\/app refuses nothing/],
  ["a transaction", `await store.transact("audit", () => 1);`, /: transact\(: src\/app changes nothing/],
])("refuses %s in the composition root, and names the line [CORE-35]", async (_, line, named) => {
  const root = cleanTree();
  expect(await compositionRoot.run(root)).toEqual([]);
  writeTree(root, { "src/app/daemon/serve.ts": `import { store } from "./build-daemon.ts";\n\n${line}\n` });
  const problems = await compositionRoot.run(root);
  expect(problems).toEqual([expect.stringMatching(named)]);
  expect(problems[0]).toContain("src/app/daemon/serve.ts:3");
});

it("handles each operation in the handlers.ts of exactly one feature, none of them in src/app [CORE-35]", () => {
  const files = handlerFiles();
  const names = allOperations().map(({ name }) => name);
  expect(names.filter((name) => !files.has(name))).toEqual([]);
  for (const [name, places] of files) {
    expect(names, `${name} in ${places.join(", ")}`).toContain(name);
    expect(places, name).toEqual([expect.stringMatching(/^(?!app\/)/)]);
  }
});

it("does not start a daemon in which two features handle one operation, and names the operation [CORE-35]", () => {
  const root = scratchFolder();
  copyFromRepository(root, ["src", "package.json"]);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  const daemon = join("src", "app", "daemon", "build-daemon.ts");
  const twice = readFileSync(join(root, daemon), "utf8").replace(/^( +guard\.handlers,\n)/m, "$1$1");
  writeTree(root, { [daemon]: twice });
  const home = join(root, "home");
  const env = { PATH: process.env.PATH, HOME: home, SYLK_HOME: home, SYLK_HTTP_PORT: "0" };
  const started = spawnSync(process.execPath, [join(root, "src", "main.ts"), "serve"], {
    env,
    encoding: "utf8",
    timeout: 40_000,
  });
  expect(started.status).toBeGreaterThan(0);
  expect(started.stdout + started.stderr).toMatch(/two handlers are wired for the operation (guard|commit)\.[a-z]+/);
});

/** Operations by the files that have a handler of that name in their text. */
function handlerFiles(): ReadonlyMap<string, readonly string[]> {
  const sources = join(repository, "src");
  const found = new Map<string, string[]>();
  for (const file of globSync("*/**/handlers.ts", { cwd: sources })) {
    const text = readFileSync(join(sources, file), "utf8");
    for (const [, name] of text.matchAll(/[\s{](?:async )?"([a-z-]+\.[a-z-]+)"(?:\(|: (?:async )?\()/g))
      found.set(name!, [...(found.get(name!) ?? []), file]);
  }
  return found;
}
