import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "./ports.ts";
import {
  everythingOf,
  gitIn,
  openScratchIndex,
  type ScratchIndex,
  scratchRepository,
  withoutPatterns,
  write,
} from "./testkit.ts";

const asked = { limit: 50, waitMs: 60_000, tree: undefined } as const;
const symbol = (name: string) => ({ ...asked, name, kind: "any", in: undefined, exact: true }) as const;
const files = { "a.ts": "export function alpha() {}\n", "b.ts": "export function beta() { alpha(); }\n" };

describe("contents are read once", () => {
  it("for all working trees, branches and copies of a repository", async () => {
    using at = scratchRepository(files);
    const index = openScratchIndex(at.home("index"));
    await index.ask("code.symbols", at.tree, symbol("alpha"));
    expect(index.parsed.sort()).toEqual(["a.ts", "b.ts"]);
    gitIn(at.tree, "worktree", "add", "--quiet", "-b", "side", join(at.root, "side"));
    const { items, about } = await index.ask("code.symbols", join(at.root, "side"), symbol("alpha"));
    expect([items.length, about.tree, about.branch]).toEqual([1, join(at.root, "side"), "side"]);
    write(join(at.root, "side"), { "b.ts": "export function gamma() {}\n", "copy.ts": files["a.ts"] });
    gitIn(join(at.root, "side"), "add", "--all");
    gitIn(join(at.root, "side"), "commit", "--quiet", "--message", "side");
    expect((await index.ask("code.symbols", join(at.root, "side"), symbol("alpha"))).items).toHaveLength(2);
    gitIn(at.tree, "merge", "--quiet", "side");
    expect((await index.ask("code.symbols", at.tree, symbol("gamma"))).items).toMatchObject([{ path: "b.ts" }]);
    expect(index.parsed.slice(2)).toEqual(["b.ts"]);
    await index.stop();
    const again = openScratchIndex(at.home("index"));
    await again.ask("code.symbols", at.tree, symbol("gamma"));
    expect(again.parsed).toEqual([]);
    await again.stop();
  });

  it("also in a repository with SHA-256, and by git's own copy where line ends differ on the disk", async () => {
    const stored = { "a.ts": files["a.ts"].replaceAll("\n", "\r\n"), ".gitattributes": "*.ts text eol=crlf\n" };
    using at = scratchRepository(stored, ["--object-format=sha256"]);
    const index = openScratchIndex(at.home("index"));
    const { items, about } = await index.ask("code.symbols", at.tree, symbol("alpha"));
    expect([items.length, about.notIndexed.count, about.uncommitted]).toEqual([1, 0, 0]);
    await index.stop();
  });
});

describe("not covered is said, with its reason", () => {
  it("for binary, large, linked, nested, ignored and disappearing files; none of them stops the rest", async () => {
    using at = scratchRepository({ ...files, ".gitignore": "ignored.ts\n" });
    write(at.tree, {
      "image.bin": Buffer.from([1, 0, 2]),
      "ignored.ts": "function hidden() {}",
      "bad-encoding.ts": Buffer.from([0x66, 0xff, 0xfe, 0x0a]),
      "broken.ts": "export function ((( {\n",
    });
    writeFileSync(join(at.tree, "huge.ts"), "");
    truncateSync(join(at.tree, "huge.ts"), 100 * 1_048_576);
    symlinkSync("..", join(at.tree, "loop"));
    symlinkSync("a.ts", join(at.tree, "link.ts"));
    mkdirSync(join(at.tree, "inner"));
    gitIn(join(at.tree, "inner"), "init", "--quiet");
    execFileSync("mkfifo", [join(at.tree, "pipe.ts")]);
    const index = openScratchIndex(at.home("index"));
    const { about } = await index.ask("code.symbols", at.tree, symbol("alpha"));
    const reasons = new Map(about.notIndexed.examples.map(({ path, reason }) => [path, reason]));
    expect(about.notIndexed).toMatchObject({ count: 5, waiting: 0 });
    expect(Object.fromEntries(reasons)).toEqual({
      "huge.ts": "larger than 1 MB",
      "image.bin": "not a text file",
      inner: "a repository of its own; ask in its folder",
      "link.ts": "a symbolic link; links are not followed",
      loop: "a symbolic link; links are not followed",
    });
    expect((await index.ask("code.symbols", at.tree, symbol("hidden"))).items).toEqual([]);
    await index.stop();
  });

  it("for submodules and sparse trees", async () => {
    using at = scratchRepository({ ...files, "far/c.ts": "export function far() {}\n" });
    gitIn(at.tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", at.tree, "sub");
    gitIn(at.tree, "commit", "--quiet", "--all", "--message", "sub");
    gitIn(at.tree, "sparse-checkout", "set", "--no-cone", "/*", "!/far/");
    const index = openScratchIndex(at.home("index"));
    const { about, items } = await index.ask("code.symbols", at.tree, symbol("far"));
    expect(items).toEqual([]);
    expect(about.notIndexed.examples).toEqual([
      { path: "far/c.ts", reason: "not checked out (sparse)" },
      { path: "sub", reason: "a submodule; ask in its own folder" },
    ]);
    await index.stop();
  });

  it("while files wait to be read, in place of none found", async () => {
    using at = scratchRepository(files);
    const reading = Promise.withResolvers<void>();
    const parse = () => reading.promise.then(() => ({ state: "changed" }) as const);
    const parser = { ...withoutPatterns, width: 1, parse, cancel: async () => {} };
    const index = openScratchIndex(at.home("index"), { parser });
    const found = await index.ask("code.find", at.tree, { ...asked, text: "alpha", waitMs: 1 });
    expect([found.exists, found.about.notIndexed.waiting]).toEqual(["unknown", 2]);
    expect(found.about.notIndexed.examples[0]).toEqual({ path: "a.ts", reason: "not read yet" });
    reading.resolve();
    await index.stop();
  });

  it("when memory is short: reading stops, says so, and is tried again later", async () => {
    using at = scratchRepository(files);
    let cancelled = 0;
    const parser = {
      ...withoutPatterns,
      width: 1,
      parse: async () => ({ state: "changed" }) as const,
      cancel: async () => void cancelled++,
    };
    const index = openScratchIndex(at.home("index"), { parser, freeBytes: () => 1_048_576 });
    const { about } = await index.ask("code.symbols", at.tree, symbol("alpha"));
    expect(about.failed).toEqual([{ provider: "syntax", reason: "Reading stopped: only 1 MB of memory are free" }]);
    expect([about.notIndexed.waiting, cancelled]).toEqual([2, 1]);
    await index.stop();
  });
});

it("a question waits also for files that change, come and go while others are read", async () => {
  using at = scratchRepository({});
  write(at.tree, files);
  const index: ScratchIndex = openScratchIndex(at.home("index"), {
    onProgress({ waiting }) {
      if (waiting !== 2) return;
      write(at.tree, { "a.ts": "export function gamma() {}\n", "b.ts": null, "c.ts": "export function gamma() {}\n" });
    },
  });
  const { items, about } = await index.ask("code.symbols", at.tree, symbol("gamma"));
  expect([items.map(({ path }) => path), about.notIndexed.count]).toEqual([["a.ts", "c.ts"], 0]);
  await index.stop();
});

it("a question does not wait for a reading that fails; it says why", async () => {
  using at = scratchRepository(files);
  const parser = {
    ...withoutPatterns,
    width: 1,
    parse: () => Promise.reject(new Error("threads are gone")),
    cancel: async () => {},
  };
  const index = openScratchIndex(at.home("index"), { parser });
  const { about } = await index.ask("code.symbols", at.tree, symbol("alpha"));
  expect([about.failed, about.notIndexed.waiting]).toEqual([
    [{ provider: "syntax", reason: "Reading stopped: threads are gone" }],
    2,
  ]);
  expect(index.troubles).toEqual(["Reading into the code index failed: threads are gone"]);
  await index.stop();
});

it("a question that is under way while its repository is forgotten is answered from a new index", async () => {
  using at = scratchRepository(files);
  const common = join(at.tree, ".git");
  let forgetting: Promise<unknown> | undefined;
  const index: ScratchIndex = openScratchIndex(at.home("index"), {
    onProgress: () => void (forgetting ??= Promise.all([index.forget(common), index.forget(common)])),
  });
  const { items, about } = await index.ask("code.symbols", at.tree, symbol("alpha"));
  expect([forgetting === undefined, items.length, about.notIndexed.count, about.notes]).toEqual([false, 1, 0, []]);
  await index.forget(common);
  expect(readdirSync(at.home("index"))).toEqual([]);
  expect(index.troubles).toEqual([]);
  await index.stop();
});

it("a repository without commits is indexed, and says so", async () => {
  using at = scratchRepository({});
  const fresh = join(at.root, "fresh");
  mkdirSync(fresh);
  gitIn(fresh, "init", "--quiet");
  write(fresh, files);
  const index = openScratchIndex(at.home("index"));
  const { about, items } = await index.ask("code.symbols", fresh, symbol("alpha"));
  expect([items.length, about.commit, about.revision]).toEqual([1, null, "no commit yet with 2 uncommitted files"]);
  await expect(index.ask("code.symbols", at.root, symbol("alpha"))).rejects.toMatchObject({
    code: "workspace.unavailable",
    message: expect.stringContaining("git init") as string,
  });
  await index.stop();
});

describe("a damaged index", () => {
  async function damaged(spoil: (file: string) => void) {
    using at = scratchRepository(files);
    const first = openScratchIndex(at.home("index"));
    const sound = await everythingOf(first, at.tree);
    await first.stop();
    const [name] = readdirSync(at.home("index")).filter((one) => one.endsWith(".db"));
    spoil(join(at.home("index"), name!));
    const index = openScratchIndex(at.home("index"));
    const { about } = await index.ask("code.symbols", at.tree, symbol("alpha"));
    const { about: second } = await index.ask("code.symbols", at.tree, symbol("alpha"));
    expect(await everythingOf(index, at.tree)).toEqual(sound);
    await index.stop();
    return { said: [about.notes.length, second.notes.length, index.troubles.length], notes: about.notes };
  }

  it("is built again by itself, and said once", async () => {
    const { said, notes } = await damaged((file) => writeFileSync(file, "this is not a database".repeat(500)));
    expect(said).toEqual([1, 0, 1]);
    expect(notes[0]).toMatch(/^The code index was damaged \(.*\) and is built again; no file of yours was touched$/);
  });

  it("whose pages are spoilt in the middle is noticed when they are read", async () => {
    const { said } = await damaged((file) => {
      const spoilt = Buffer.alloc(statSync(file).size - 8_192, 0x5a);
      const handle = openSync(file, "r+");
      writeSync(handle, spoilt, 0, spoilt.length, 8_192);
      closeSync(handle);
    });
    expect(said).toEqual([1, 0, 1]);
  });
});

it("contents that no tree has leave when the index reaches its size; what a tree has stays, and the rest says so", async () => {
  using at = scratchRepository({});
  const limits = { ...defaultLimits, maxBytes: 1_000_000 };
  const index = openScratchIndex(at.home("index"), { limits });
  const text = (seed: number): string =>
    Array.from({ length: 600 }, (_, at) => `export function name${seed}x${at}() {}\n`).join("");
  for (let round = 0; round < 6; round++) {
    write(at.tree, { "a.ts": text(round) });
    const { items } = await index.ask("code.symbols", at.tree, symbol(`name${round}x7`));
    expect(items).toHaveLength(1);
  }
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, seed) => [`many${seed}.ts`, text(seed + 10)]));
  write(at.tree, many);
  const { about } = await index.ask("code.symbols", at.tree, symbol("name10x7"));
  expect(about.failed[0]?.reason).toMatch(/the index has reached its size of 1 MB/);
  expect(about.notIndexed.waiting).toBeGreaterThan(0);
  await index.stop();
});

it("a file that may not be read is named, and read once it may", async ({ skip }) => {
  skip(process.getuid?.() === 0, "root may read everything");
  using at = scratchRepository(files);
  chmodSync(join(at.tree, "a.ts"), 0o000);
  const index = openScratchIndex(at.home("index"));
  const closed = await index.ask("code.symbols", at.tree, symbol("alpha"));
  expect(closed.about.notIndexed.examples).toEqual([{ path: "a.ts", reason: "cannot be read (EACCES)" }]);
  chmodSync(join(at.tree, "a.ts"), 0o644);
  expect((await index.ask("code.symbols", at.tree, symbol("alpha"))).items).toHaveLength(1);
  await index.stop();
});
