/** Trees that no index likes, asked about from the command line: a clear answer each, and the daemon stays. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { jsonOf } from "./run-sylk.ts";

let daemon: ScratchDaemon;
let made = 0;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

const gitIn = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@sylk.invalid", ...args], {
    cwd: folder,
    env: daemon.env,
    stdio: "pipe",
  });
const fresh = (): string => daemon.addRepository(`bad-${++made}`);
const whole = { "src/whole.ts": "export function wholeOne() {}\n" };

async function ask<Name extends "symbols" | "search" | "files">(cwd: string, name: Name, ...args: string[]) {
  const run = await daemon.sylk([name, ...args, "--json"], { cwd });
  expect([run.code, run.stderr]).toEqual([0, ""]);
  return jsonOf<OutputOf<`code.${Name}`>>(run);
}

/** The rest of the tree is answered, and what is left out is named. */
async function expectLeftOut(tree: string, leftOut: Readonly<Record<string, string>>): Promise<void> {
  const { items, about } = await ask(tree, "symbols", "wholeOne", "--exact");
  expect(items).toMatchObject([{ path: "src/whole.ts", line: 1 }]);
  expect(about.notIndexed).toMatchObject({ count: Object.keys(leftOut).length, waiting: 0 });
  expect(Object.fromEntries(about.notIndexed.examples.map(({ path, reason }) => [path, reason]))).toEqual(leftOut);
  expect(about.failed).toEqual([]);
}

it("binary files, 100 MB files, UTF-16 text and links that lead round are left out, each with its reason", async () => {
  const tree = fresh();
  writeTree(tree, { ...whole, "huge.ts": "" });
  truncateSync(join(tree, "huge.ts"), 100 * 1_048_576);
  writeFileSync(join(tree, "image.png"), Buffer.from([0x89, 0x50, 0, 1]));
  writeFileSync(join(tree, "wide.ts"), Buffer.from("export const wide = 1;\n", "utf16le"));
  symlinkSync("two.ts", join(tree, "one.ts"));
  symlinkSync("one.ts", join(tree, "two.ts"));
  await expectLeftOut(tree, {
    "huge.ts": "larger than 1 MB",
    "image.png": "not a text file",
    "one.ts": "a symbolic link; links are not followed",
    "two.ts": "a symbolic link; links are not followed",
    "wide.ts": "not a text file",
  });
});

it("minified bundles, broken syntax and bytes that are not UTF-8 stay searchable, and what can be read is a symbol", async () => {
  const tree = fresh();
  writeTree(tree, {
    ...whole,
    "dist/bundle.js": `var needleOfBundle=1;${"function a(){return[1,2,3]};".repeat(20_000)}`,
    "src/broken.ts": "export function beforeBreak() {}\nclass {{ ] ;\nexport function (((\n",
  });
  writeFileSync(
    join(tree, "src/latin.ts"),
    Buffer.from("export const caf\xe9 = 1;\nexport const afterLatin = 2;\n", "latin1"),
  );
  await expectLeftOut(tree, {});
  expect((await ask(tree, "symbols", "beforeBreak", "--exact")).items).toHaveLength(1);
  expect((await ask(tree, "symbols", "afterLatin", "--exact")).items).toMatchObject([
    { path: "src/latin.ts", line: 2 },
  ]);
  expect((await ask(tree, "search", "needleOfBundle")).items).toMatchObject([{ path: "dist/bundle.js", line: 1 }]);
  expect((await ask(tree, "symbols", "needleOfBundle", "--exact")).items).toEqual([]);
});

it("files that disappear and change while they are read end in an answer about the tree as it is", async () => {
  const tree = fresh();
  const names = Array.from({ length: 300 }, (_, at) => `src/f${at}.ts`);
  writeTree(tree, Object.fromEntries(names.map((name, at) => [name, `export function fn${at}() {}\n`])));
  const client = daemon.clientOf({ project: tree });
  expect((await client.call("code.symbols", { waitMs: 0 })).about.notIndexed.waiting).toBeGreaterThan(0);
  for (const name of names.slice(0, 150)) rmSync(join(tree, name));
  for (const name of names.slice(150, 200)) writeFileSync(join(tree, name), "export function changedNow() {}\n");
  const { items, about } = await ask(tree, "symbols", "changedNow", "--exact", "--limit", "500", "--wait", "60s");
  expect([items.length, about.notIndexed.count]).toEqual([50, 0]);
  expect((await ask(tree, "files", "src/f*.ts", "--limit", "500")).items).toHaveLength(150);
});

it("a repository without commits, a shallow clone, a sparse tree and a submodule are answered as they are", async () => {
  const empty = join(daemon.root, "empty");
  mkdirSync(empty);
  gitIn(empty, "init", "--quiet");
  writeTree(empty, whole);
  const { items, about } = await ask(empty, "symbols", "wholeOne", "--exact");
  expect([items.length, about.commit, about.revision]).toEqual([1, null, "no commit yet with 1 uncommitted file"]);

  const origin = fresh();
  for (const [path, content] of Object.entries({ ...whole, "far/away.ts": "export function farAway() {}\n" })) {
    writeTree(origin, { [path]: content });
    gitIn(origin, "add", ".");
    gitIn(origin, "commit", "--quiet", "--message", path);
  }
  const shallow = join(daemon.root, "shallow");
  gitIn(daemon.root, "clone", "--quiet", "--depth", "1", `file://${origin}`, shallow);
  await expectLeftOut(shallow, {});
  gitIn(shallow, "sparse-checkout", "set", "--no-cone", "/*", "!/far/");
  await expectLeftOut(shallow, { "far/away.ts": "not checked out (sparse)" });
  gitIn(shallow, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin, "sub");
  await expectLeftOut(shallow, {
    "far/away.ts": "not checked out (sparse)",
    sub: "a submodule; ask in its own folder",
  });
});
