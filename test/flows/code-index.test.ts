/** The code index from the command line: questions through a real daemon, in scratch repositories. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeIndex } from "../../src/adapters/scip/testkit.ts";
import type { OutputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { jsonOf } from "./run-sylk.ts";

let daemon: ScratchDaemon;

const files = {
  "src/price.ts": `/** The price of an order, in cents. */
export function priceOf(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.cents, 0);
}
export type Order = { lines: { cents: number }[] };
const priceLimit = 100;
`,
  "src/cart.ts": `import { priceOf, type Order } from "./price.ts";
import { readFileSync } from "node:fs";
export class Cart {
  total(order: Order): number {
    return priceOf(order);
  }
}
export const banner = readFileSync("banner.txt", "utf8");
`,
  "tools/report.py": `"""Reports for the accountant."""
import os, os.path

def price_report(orders):
    """Adds up what every order costs."""
    return sum(price_of(order) for order in orders)
`,
  "docs/guide.md": "# Guide\n\nA discount lowers the price.\n",
  "package.json": '{ "name": "shop", "dependencies": { "left-pad": "1.0.0" } }\n',
};

beforeAll(async () => {
  daemon = await openScratchDaemon();
  writeTree(daemon.repository, files);
  git("add", ".");
  git("commit", "--message", "Prices");
});
afterAll(() => daemon[Symbol.asyncDispose]());

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], {
    cwd: daemon.repository,
    encoding: "utf8",
    env: { ...daemon.env },
  });

async function ask<Name extends "find" | "search" | "symbols" | "usages" | "dependents" | "outline" | "files" | "map">(
  name: Name,
  ...args: string[]
): Promise<OutputOf<`code.${Name}`>> {
  const run = await daemon.sylk([name, ...args, "--json"]);
  expect(run.stderr).toBe("");
  return jsonOf<OutputOf<`code.${Name}`>>(run);
}

it("symbols are listed by name and kind with file:line, tree and revision [LIB-1, LIB-10, LIB-38]", async () => {
  const { items, about } = await ask("symbols", "price");
  const commit = git("rev-parse", "HEAD").trim();
  expect(about).toMatchObject({
    tree: daemon.repository,
    commit,
    branch: "main",
    uncommitted: 0,
    revision: `${commit.slice(0, 8)} on main`,
    provider: "syntax",
    confidence: "exact",
    notIndexed: { count: 0, waiting: 0 },
    failed: [],
  });
  expect(items.map(({ name, path, line, match }) => `${match} ${name} ${path}:${line}`)).toEqual([
    "prefix priceOf src/price.ts:2",
    "prefix priceLimit src/price.ts:6",
    "prefix price_report tools/report.py:4",
  ]);
  expect((await ask("symbols", "price", "--kind", "const")).items.map(({ name }) => name)).toEqual(["priceLimit"]);
  expect((await ask("symbols", "order", "--kind", "type")).items.map(({ name }) => name)).toEqual(["Order"]);
  const { stdout, stderr } = await daemon.sylk(["symbols", "priceOf"]);
  expect(stdout).toContain("src/price.ts:2:17  function priceOf");
  expect(stderr).toContain(`${daemon.repository} at ${commit.slice(0, 8)} on main; by syntax, exact`);
});

it("a saved, an added and a removed file are answered by what is there, and nothing else is read [LIB-6, LIB-25]", async () => {
  writeFileSync(join(daemon.repository, "src/price.ts"), "export function renamedPrice() {}\n");
  const changed = await ask("symbols", "renamedPrice");
  expect(changed.items).toMatchObject([{ path: "src/price.ts", line: 1 }]);
  expect(changed.about).toMatchObject({ uncommitted: 1, revision: expect.stringMatching(/ with 1 uncommitted file$/) });
  expect((await ask("symbols", "priceOf", "--exact")).items).toEqual([]);
  git("checkout", "--", "src/price.ts");
  expect((await ask("symbols", "priceOf", "--exact")).items).toHaveLength(1);
  expect((await ask("symbols", "renamedPrice", "--exact")).items).toEqual([]);
  writeFileSync(join(daemon.repository, "src/added.ts"), "export function addedPrice() {}\n");
  expect((await ask("symbols", "addedPrice", "--exact")).items).toMatchObject([{ path: "src/added.ts" }]);
  rmSync(join(daemon.repository, "src/added.ts"));
  const removed = await ask("symbols", "addedPrice", "--exact");
  expect([removed.items, removed.about.uncommitted]).toEqual([[], 0]);
  const updates = (await told(daemon.repository)).filter(({ type }) => type === "code.index-updated");
  expect(updates.map(({ data }) => (data as { parsed: number }).parsed)).toEqual([7, 1, 1]);
});

it("usages, dependents, text and documentation are found, and who says so [LIB-3, LIB-4, LIB-11, LIB-12]", async () => {
  const { definitions, items } = await ask("usages", "priceOf");
  expect(definitions).toMatchObject([{ path: "src/price.ts", line: 2, kind: "function" }]);
  expect(items).toContainEqual(
    expect.objectContaining({ path: "src/cart.ts", line: 5, kind: "call", confidence: "likely", within: "total" }),
  );
  const who = await ask("dependents", "node:fs");
  expect(who.items).toMatchObject([{ path: "src/cart.ts", line: 2, names: ["readFileSync"] }]);
  const withModules = await ask("dependents", "os");
  expect(withModules.items.map(({ path, module }) => `${path} ${module}`)).toEqual([
    "tools/report.py os",
    "tools/report.py os.path",
  ]);
  const ofFile = await ask("dependents", "src/price.ts");
  expect(ofFile.items).toMatchObject([{ path: "src/cart.ts", line: 1, resolved: "src/price.ts" }]);
  const docs = await ask("search", "what an order costs", "--docs");
  expect(docs.items.map(({ path }) => path)).toContain("tools/report.py");
  expect((await ask("search", "zanzibar", "--docs")).items).toEqual([]);
});

it("content is found by text, expression and ranked words; files by pattern; folders by outline [LIB-2, LIB-8, LIB-9, LIB-13]", async () => {
  const text = await ask("search", "priceOf(order)");
  expect(text.items).toMatchObject([{ path: "src/cart.ts", line: 5, column: 12 }]);
  expect(text.about).toMatchObject({ provider: "text", confidence: "exact" });
  const found = await ask("search", "price(Of|Limit)\\b", "--regex", "--files", "src/*.ts");
  expect(found.items.map(({ path, line }) => `${path}:${line}`)).toEqual([
    "src/cart.ts:1",
    "src/cart.ts:5",
    "src/price.ts:2",
    "src/price.ts:6",
  ]);
  const ranked = await ask("search", "report of prices", "--ranked");
  expect(ranked.items[0]).toMatchObject({ path: "tools/report.py" });
  expect((await ask("search", "discounts lowering", "--docs")).items[0]).toMatchObject({ path: "docs/guide.md" });
  expect((await ask("search", "reduce", "--docs")).items, "a word of the code alone").toEqual([]);
  expect((await ask("files", "src/*.ts")).items.map(({ path }) => path)).toEqual([
    "src/cart.ts",
    "src/checkout.ts",
    "src/price.ts",
  ]);
  const { folders, files: own } = await ask("outline");
  expect(folders).toContainEqual({ path: "src", files: 3 });
  expect(own.map(({ path }) => path)).toEqual(["README.md", "package.json"]);
  const outline = await ask("outline", "src/price.ts");
  expect(outline.symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(["priceOf", "Order", "priceLimit"]));
});

it("an expression that never ends is refused in time, and the next question is answered", async () => {
  writeFileSync(join(daemon.repository, "evil.txt"), `${"a".repeat(40)}!\n`);
  const evil = await daemon.sylk(["search", "(a+)+$", "--regex"]);
  expect([evil.code, evil.stderr]).toEqual([2, expect.stringContaining("takes too long")]);
  expect((await ask("symbols", "priceOf", "--exact")).items).toHaveLength(1);
  rmSync(join(daemon.repository, "evil.txt"));
});

it("find shows a line once: as the symbol that it defines, or as text", async () => {
  const { symbols, places } = await ask("find", "priceOf");
  const lines = [...symbols, ...places].map(({ path, line }) => `${path}:${line}`);
  expect(lines.slice(0, 3)).toEqual(["src/price.ts:2", "src/cart.ts:1", "src/cart.ts:5"]);
  expect(new Set(lines).size).toBe(lines.length);
});

it("find names code before a heading that speaks of it, and takes no heading for the thing", async () => {
  const page = join(daemon.repository, "docs", "terms.md");
  writeFileSync(page, "# Cart\n\nA cart holds lines.\n\n# Voucher\n");
  const { exists, symbols } = await ask("find", "Cart");
  expect([exists, symbols.map(({ path, kind }) => `${path} ${kind}`)]).toEqual([
    "yes",
    ["src/cart.ts class", "docs/terms.md heading"],
  ]);
  expect(await ask("find", "Voucher")).toMatchObject({ exists: "similar", symbols: [{ path: "docs/terms.md" }] });
  rmSync(page);
});

it("find says whether a thing exists already, also without a daemon, by the same file [LIB-10]", async () => {
  expect(await ask("find", "price", "of")).toMatchObject({ exists: "yes", symbols: [{ name: "priceOf" }] });
  expect((await ask("find", "prices")).exists).toBe("similar");
  expect((await ask("find", "zanzibar")).exists).toBe("no");
  await daemon.kill();
  const before = readdirSync(join(daemon.paths.home, "index")).filter((name) => name.endsWith(".db"));
  const alone = await ask("find", "priceOf");
  expect(alone).toMatchObject({ exists: "yes", symbols: [{ path: "src/price.ts" }] });
  const { code, stdout } = await daemon.sylk(["map", "--tokens", "120", "--json"]);
  const map = JSON.parse(stdout) as OutputOf<"code.map">;
  expect([code, map.tokens <= 120, map.text.includes("src/price.ts")]).toEqual([0, true, true]);
  expect(readdirSync(join(daemon.paths.home, "index")).filter((name) => name.endsWith(".db"))).toEqual(before);
  expect(existsSync(daemon.paths.record) && (await daemon.sylk(["status"])).stdout).not.toContain("running");
  await daemon.restart();
});

it("a map never has more tokens than asked for, by a real tokenizer [LIB-33]", async () => {
  for (const tokens of [50, 73, 200, 5_000]) {
    const map = await ask("map", "--tokens", String(tokens));
    expect([countTokens(map.text), map.tokens <= tokens]).toEqual([map.tokens, true]);
  }
  expect((await ask("map", "--tokens", "5000")).text.split("\n")[0]).toBe("src/price.ts");
});

it("reading is told as it proceeds and when it covers the tree, and questions are answered meanwhile [LIB-7, LIB-22]", async () => {
  const other = daemon.addRepository("other");
  writeTree(other, files);
  const client = daemon.clientOf({ project: other });
  const early = await client.call("code.symbols", { name: "price", waitMs: 0 });
  expect(early.about.notIndexed).toMatchObject({
    count: 7,
    waiting: 7,
    examples: [{ reason: "not read yet" }, {}, {}, {}, {}],
  });
  await client.call("code.symbols", { name: "price" });
  const events = await told(other);
  const progress = events.slice(0, -1);
  expect(progress.length).toBeGreaterThan(0); // another one for each second
  expect(progress.map(({ type }) => type)).toEqual(progress.map(() => "code.index-progress"));
  expect(progress[0]).toMatchObject({ data: { tree: other, files: 0, waiting: 7 } });
  expect(events.slice(-1)).toMatchObject([
    {
      type: "code.index-updated",
      data: { files: 7, waiting: 0, parsed: 7, revision: expect.stringMatching(/ 5 uncommitted/) },
    },
  ]);
});

it("a worktree reads only contents that no other tree has, and is answered by its own files [LIB-38]", async () => {
  const second = join(daemon.root, "second");
  git("worktree", "add", "--quiet", second);
  writeFileSync(join(second, "src/only-here.ts"), "export function onlyHere() {}\n");
  const run = await daemon.sylk(["symbols", "onlyHere", "--json"], { cwd: second });
  const { items, about } = jsonOf<OutputOf<"code.symbols">>(run);
  expect([items.map(({ path }) => path), about.tree, about.uncommitted]).toEqual([["src/only-here.ts"], second, 1]);
  expect((await ask("symbols", "onlyHere", "--exact")).items).toEqual([]);
  const updates = (await told(second)).filter(({ type }) => type === "code.index-updated");
  expect(updates).toMatchObject([{ data: { parsed: 1 } }]);
});

it("configuration files are indexed by their keys [LIB-5]", async () => {
  const added = {
    "go.mod": "module example.com/shop\n\nrequire example.com/money v1.2.3\n",
    "compose.yaml": "services:\n  database:\n    image: postgres\n",
    "data/limits.json": '{ "ceiling": { "cents": 5 } }\n',
  };
  writeTree(daemon.repository, added);
  const keys = async (name: string) =>
    (await ask("symbols", name, "--kind", "config")).items.map(
      ({ path, line, container, name: key }) => `${path}:${line} ${container ?? ""}.${key}`,
    );
  expect(await keys("dependencies")).toEqual(["package.json:1 .dependencies"]);
  expect(await keys("left-pad")).toEqual(["package.json:1 dependencies.left-pad"]);
  expect(await keys("ceiling")).toEqual(["data/limits.json:1 .ceiling"]);
  expect(await keys("cents")).toEqual(["data/limits.json:1 ceiling.cents"]);
  expect(await keys("services")).toEqual(["compose.yaml:1 .services"]);
  expect(await keys("database")).toEqual(["compose.yaml:2 services.database"]);
  const { symbols: module, imports } = await ask("outline", "go.mod");
  expect([module.map(({ name }) => name), imports.map((one) => one.module)]).toEqual([
    ["module"],
    ["example.com/money"],
  ]);
  for (const path of Object.keys(added)) rmSync(join(daemon.repository, path));
});

it("the Librarian's core skills find symbols of each kind, search code in some files, and read lines [LIB-27]", async () => {
  const heron = await daemon.register("heron");
  const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
    const { result } = await heron.client.call("skill.call", { name, role: "librarian", input });
    return JSON.stringify(result);
  };
  for (const [kind, found] of Object.entries({
    function: "priceOf",
    type: "Order",
    const: "priceLimit",
    any: "priceOf",
  }))
    expect(await call("find_symbol", { name: found, kind })).toContain(`"name":"${found}"`);
  expect(await call("find_symbol", { name: "priceOf", kind: "var" })).not.toContain('"name":"priceOf"');
  expect(await call("search_code", { query: "price", file_pattern: "tools/**" })).not.toContain("src/price.ts");
  expect(await call("search_code", { query: "price", file_pattern: "tools/**" })).toContain("tools/report.py");
  const lines = await call("get_file", { path: "src/price.ts", start_line: 2, end_line: 2 });
  expect([lines.includes("export function priceOf"), lines.includes("priceLimit")]).toEqual([true, false]);
});

it("no question changes a file of the tree or of git, from the first one on [LIB-32]", async () => {
  const untouched = daemon.addRepository("untouched");
  writeTree(untouched, files);
  utimesSync(join(untouched, "src/checkout.ts"), 1_000, 1_000); // git would note it in its own index
  const before = stateOf(untouched);
  for (const args of [
    ["find", "price"],
    ["search", "price", "--ranked"],
    ["search", "price.*", "--regex"],
    ["symbols"],
    ["usages", "priceOf"],
    ["dependents", "node:fs"],
    ["outline", "src"],
    ["files", "**"],
    ["map"],
    ["search", "--ast", "priceOf($A)"],
    ["drift"],
    ["definition", "src/cart.ts:4:12"],
  ])
    expect([args, (await daemon.sylk(args, { cwd: untouched })).code]).toEqual([args, 0]);
  expect(stateOf(untouched)).toEqual(before);
  const drift = jsonOf<OutputOf<"code.drift">>(await daemon.sylk(["drift", "--json"], { cwd: untouched }));
  expect(drift.changes.files, "a file that was only touched has not changed").toBe(0);
});

it("sylk project forget deletes the code index and imported SCIP indexes; a later question indexes anew", async () => {
  const shed = daemon.addRepository("shed");
  writeTree(shed, { "src/a.ts": "export const secretOfShed = 1;\n" });
  const client = daemon.clientOf({ project: shed });
  const sylk = (...args: string[]) => daemon.sylk(args, { cwd: shed });
  const kept = () =>
    ["index", "scip"].flatMap((name) => {
      const folder = join(daemon.paths.home, name);
      return existsSync(folder)
        ? readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes("secretOfShed"))
        : [];
    });
  const known = () => client.call("code.symbols", { name: "secretOfShed", exact: true });
  expect((await known()).items).toHaveLength(1);
  writeFileSync(
    join(shed, "index.scip"),
    writeIndex([{ path: "src/a.ts", occurrences: [{ range: [0, 13, 25], symbol: "secretOfShed", roles: 1 }] }]),
  );
  expect((await sylk("scip", "import")).code).toBe(0);
  const before = kept();
  expect(
    before.some((file) => file.startsWith("shed-")),
    String(before),
  ).toBe(true);
  expect(before.length).toBeGreaterThan(1);

  const asking = Array.from({ length: 5 }, known); // some are answered before it, some after
  expect((await sylk("project", "forget", ".", "--dry-run")).code).toBe(0);
  expect(kept()).toEqual(before);
  await Promise.all(asking);
  expect((await sylk("project", "forget", ".", "--yes")).code).toBe(0);
  expect(kept()).toEqual([]);

  const again = await known();
  expect([again.items.length, again.about.notIndexed.waiting]).toEqual([1, 0]);
  expect(kept()).not.toEqual([]);
  const [, forgot] = await Promise.all([known(), sylk("project", "forget", ".", "--yes"), known(), known()]);
  expect(forgot.code).toBe(0);
  expect((await known()).items).toHaveLength(1);
});

const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [
    `src/f${at}.ts`,
    `export function fn${at}() { return fn${at + 1}(); }\n`.repeat(20),
  ]),
);

it("killed in the middle of indexing, the next daemon completes the index", async () => {
  const large = daemon.addRepository("large");
  writeTree(large, many);
  const asked = daemon.clientOf({ project: large }).call("code.symbols", { name: "fn399", waitMs: 0 });
  expect((await asked).about.notIndexed.waiting).toBeGreaterThan(0);
  await daemon.kill();
  await daemon.restart();
  const { items, about } = jsonOf<OutputOf<"code.symbols">>(
    await daemon.sylk(["symbols", "fn399", "--exact", "--wait", "60s", "--json"], { cwd: large }),
  );
  expect([items.length > 0, about.notIndexed.count, about.files]).toEqual([true, 0, 402]);
});

it("a folder without git is told the way out", async () => {
  const plain = join(daemon.root, "plain");
  mkdirSync(plain);
  const { code, stderr } = await daemon.sylk(["symbols", "x"], { cwd: plain });
  expect([code, stderr]).toEqual([7, expect.stringContaining('"git init" makes it one')]);
});

it("a second worktree of many files reads nothing and takes less than 5 % of the first one's room [LIB-37]", async () => {
  const wide = daemon.addRepository("wide");
  writeTree(wide, many);
  const second = join(daemon.root, "wide-second");
  execFileSync("git", ["-C", wide, "-c", "user.name=T", "-c", "user.email=t@sylk.invalid", "add", "."]);
  execFileSync("git", ["-C", wide, "-c", "user.name=T", "-c", "user.email=t@sylk.invalid", "commit", "-qm", "all"]);
  const room = async (): Promise<number> => {
    expect((await daemon.sylk(["down"])).code).toBe(0); // it closes its files
    const folder = join(daemon.paths.home, "index");
    const size = statSync(
      join(
        folder,
        readdirSync(folder).find((name) => name.startsWith("wide-"))!,
      ),
    ).size;
    await daemon.restart();
    return size;
  };
  await daemon.sylk(["symbols", "fn7", "--wait", "60s"], { cwd: wide });
  const first = await room();
  execFileSync("git", ["-C", wide, "worktree", "add", "--quiet", second]);
  const { about } = jsonOf<OutputOf<"code.symbols">>(await daemon.sylk(["symbols", "fn7", "--json"], { cwd: second }));
  expect([about.tree, about.files, about.notIndexed.count]).toEqual([second, 402, 0]);
  expect((await told(second)).map(({ type }) => type)).toEqual([]);
  expect(((await room()) - first) / first).toBeLessThan(0.05);
});

/** What the index said about a tree. */
async function told(tree: string) {
  const { items } = await daemon.clientOf({ project: tree }).call("event.list", { limit: 500 });
  return items.filter(({ subject }) => subject === tree);
}

function stateOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { mtimeNs, size, mode, ino } = statSync(join(folder, name), { bigint: true });
      return `${name} ${mtimeNs} ${size} ${mode} ${ino}`;
    });
}
