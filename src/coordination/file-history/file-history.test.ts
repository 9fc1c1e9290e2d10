import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { isSecretFile } from "./is-secret-file.ts";
import { putBack } from "./put-back.ts";
import { openHistory } from "./testkit.ts";

const dayMs = 86_400_000;

it(
  "stays within its size and age over 30 days of work that does not compress [GIT-20, HLTH-11]",
  { timeout: 60_000 },
  async () => {
    const maxBytes = 2 * 1_048_576;
    await using world = openHistory({ maxBytes, keepDays: 7 });
    for (let day = 0; day < 30; day++) {
      // Half of the days are busy ones, beyond the size; the others are beyond the age only.
      const files = day % 2 === 0 ? 60 : 5;
      for (let index = 0; index < files; index++) {
        world.tool("heron", `${index % 20}.bin`, () => world.write(`${index % 20}.bin`, randomBytes(20_000)));
        if (index % 10 === 9) await world.history.flush();
        expect(world.packBytes()).toBeLessThanOrEqual(maxBytes + 20 * 20_000);
      }
      world.clock.advance(dayMs);
      await world.store.transact("retention", (tx) => tx.fileVersions.removeBefore(world.clock.now() - 7 * dayMs));
      await world.history.sweep();
      expect(world.packBytes()).toBeLessThanOrEqual(maxBytes);
    }
    const left = await world.store.reader.fileVersions.list({ project: world.project, limit: 10_000 });
    expect(left.length).toBeGreaterThan(40);
    expect(left.every(({ seenAt }) => seenAt >= world.clock.now() - 7 * dayMs)).toBe(true);
    for (const version of left) expect(await world.history.contentOf(version)).toHaveLength(20_000);
    expect(world.failures).toEqual([]);
  },
);

it("keeps the content again when its version has gone and the file is still the same", async () => {
  await using world = openHistory();
  world.write("a.ts", "one\n");
  world.clock.advance(dayMs);
  world.history.before({ project: world.project, tree: world.tree, paths: ["a.ts"] });
  await world.history.flush();
  await world.store.transact("purge", (tx) => tx.fileVersions.removeBefore(Number.MAX_SAFE_INTEGER));
  await world.history.sweep();
  expect([await world.chain("a.ts"), world.packBytes()]).toEqual([[], 0]);
  world.history.before({ project: world.project, tree: world.tree, paths: ["a.ts"] });
  await world.history.flush();
  const [kept] = await world.chain("a.ts");
  expect((await world.history.contentOf(kept!))?.toString()).toBe("one\n");
});

it("gives a content to the call that named the file and began between the told change and its reading", async () => {
  await using world = openHistory();
  const { tree, project, calls, clock, history } = world;
  history.before({ project, tree, paths: ["a.ts"] });
  calls.began({ agent: world.agent("otter"), tree, paths: [], patterns: [], unknown: true, command: "make" });
  clock.advance(10);
  world.write("a.ts", "restored\n");
  history.changed(tree, "a.ts");
  clock.advance(1);
  calls.began({ agent: world.agent("heron"), tree, paths: ["a.ts"], patterns: [], unknown: false, command: "Edit" });
  world.write("a.ts", "heron's\n");
  await history.flush();
  expect((await world.chain("a.ts")).at(-1)).toMatchObject({ knownBy: "named", author: { name: "heron" } });
});

it("does not take a stranger's content for the holder's, whose own write was told before its call ended", async () => {
  await using world = openHistory();
  const { tree, clock, history } = world;
  world.write("a.ts", "committed\n");
  world.tool("heron", "a.ts", () => {
    world.write("a.ts", "heron's\n");
    history.changed(tree, "a.ts");
    clock.advance(1);
  });
  clock.advance(1);
  world.write("a.ts", "a stranger's work\n"); // the watcher has not told of it yet
  await history.flush();
  history.changed(tree, "a.ts");
  await history.flush();
  const kept = (await world.chain("a.ts")).map(({ knownBy, author }) => [knownBy, author?.name]);
  expect(kept.slice(-2)).toEqual([
    ["named", "heron"],
    ["unknown", undefined],
  ]);
});

it("tells what was seen after a moment, the newest first, and reads again what no watch saw [GIT-20]", async () => {
  await using world = openHistory({ maxFileBytes: 100 });
  const { clock, history } = world;
  world.write("a.ts", "before\n");
  history.before({ ...world.file("a.ts"), paths: ["a.ts"] });
  await history.flush();
  const knownUntil = clock.now();
  clock.advance(1_000);
  const at = clock.monotonic();
  const reread = async (...paths: readonly string[]) => {
    history.reread(paths.map((path) => ({ ...world.file(path), at })));
    return history.since(world.file(paths[0]!), knownUntil);
  };
  expect(await reread("a.ts"), "the same content").toEqual([]);
  world.write("a.ts", "a stranger's\n");
  const [strange] = (await reread("a.ts"))!;
  const [first] = await world.chain("a.ts");
  expect(strange).toMatchObject({ knownBy: "unknown", author: undefined, replaced: first!.id });
  world.tool("heron", "a.ts", () => world.write("a.ts", "heron's\n"));
  expect((await history.since(world.file("a.ts"), knownUntil))!.map(({ author }) => author?.name)).toEqual([
    "heron",
    undefined,
  ]);
  world.remove("a.ts");
  expect((await reread("a.ts"))!.length).toBe(3);
  world.write("big.bin", "x".repeat(200));
  expect([await reread("big.bin"), await history.newest(world.tree, "big.bin")]).toEqual([undefined, undefined]);
  expect(await reread("never-there.ts")).toEqual([]);
  world.write("unseen.ts", "new\n");
  expect(await history.known(world.tree)).toEqual(["a.ts", "big.bin", "never-there.ts", "unseen.ts"]);
});

it("keeps nothing of a checkout of committed files, and the committed content before the first change", async () => {
  await using world = openHistory();
  const env = { PATH: process.env.PATH, HOME: world.tree, GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: readonly string[]) =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: world.tree, env });
  world.write("a.ts", "committed\n");
  world.write("run.sh", "#!/bin/sh\n");
  chmodSync(join(world.tree, "run.sh"), 0o755);
  git("add", "-A");
  git("commit", "-qm", "one");
  await world.history.opened([{ tree: world.tree, project: world.project }]);
  for (const path of ["a.ts", "run.sh"]) world.history.changed(world.tree, path);
  await world.history.flush();
  expect([await world.chain("a.ts"), await world.chain("run.sh")]).toEqual([[], []]);
  world.write("a.ts", "changed\n");
  world.write("new.ts", "new\n");
  for (const path of ["a.ts", "new.ts"]) world.history.changed(world.tree, path);
  await world.history.flush();
  expect(await world.chain("a.ts")).toMatchObject([
    { seen: "git", state: "kept", bytes: 10 },
    { seen: "watcher", bytes: 8 },
  ]);
  expect(await world.chain("new.ts")).toMatchObject([
    { seen: "git", state: "absent" },
    { seen: "watcher", bytes: 4 },
  ]);
});

it("reads a pipe, a folder and a link in a file's place without waiting, and keeps the link as a link", async () => {
  await using world = openHistory();
  execFileSync("mkfifo", [join(world.tree, "pipe")]);
  mkdirSync(join(world.tree, "folder"));
  symlinkSync("somewhere/else", join(world.tree, "link"));
  world.history.before({ project: world.project, tree: world.tree, paths: ["pipe", "folder", "link", "gone"] });
  await world.history.flush();
  expect([await world.chain("pipe"), await world.chain("folder")]).toEqual([[], []]);
  expect(await world.chain("gone")).toMatchObject([{ state: "absent" }]);
  const [link] = await world.chain("link");
  expect([link!.mode!.toString(8), (await world.history.contentOf(link!))?.toString()]).toEqual([
    "120777",
    "somewhere/else",
  ]);
});

it("says that a content is gone when its pack is damaged, and removes packs that no version names", async () => {
  await using world = openHistory();
  world.write("a.ts", "one\n".repeat(100));
  world.history.before({ project: world.project, tree: world.tree, paths: ["a.ts"] });
  await world.history.flush();
  const folder = join(world.tree, "..", "file-history");
  const [pack] = readdirSync(folder);
  writeFileSync(join(folder, "left-by-a-crash.pack"), "half");
  await world.history.sweep();
  expect(readdirSync(folder)).toEqual([pack]);
  truncateSync(join(folder, pack!), 5);
  const [version] = await world.chain("a.ts");
  expect(await world.history.contentOf(version!)).toBeUndefined();
});

it("keeps nothing of a project that is forgotten while its versions wait to be written", async () => {
  await using world = openHistory();
  const { history, project, tree, store } = world;
  const other = { tree, project: "prj_other" as typeof project };
  const see = (path: string, of = { tree, project }) => {
    world.write(path, `${path}\n`);
    history.before({ ...of, paths: [path] });
  };
  see("waiting.ts");
  const removed = await history.alone(() =>
    store.transact("forget", async (tx) => {
      see("meanwhile.ts");
      see("other.ts", other);
      const count = await tx.fileVersions.removeProject(project);
      tx.afterCommit(() => history.forget(project));
      return count;
    }),
  );
  expect(removed, "what waited was written first").toBe(1);
  await history.sweep();
  expect(await store.reader.fileVersions.list({ project, limit: 10 })).toEqual([]);
  expect(await store.reader.fileVersions.list({ project: other.project, limit: 10 })).toHaveLength(1);
  expect(world.failures).toEqual([]);
});

it("keeps no first version for a call that asks for the present one", async () => {
  await using world = openHistory();
  world.write("a.ts", "one\n");
  for (const path of ["a.ts", "never-there.ts"]) {
    expect(await world.history.current(world.file(path))).toBeUndefined();
    expect(await world.chain(path)).toEqual([]);
  }
});

it("overwrites only what it has kept", async () => {
  await using world = openHistory();
  world.write("a.ts", "one\n");
  world.history.before({ project: world.project, tree: world.tree, paths: ["a.ts"] });
  const expected = (await world.history.current(world.file("a.ts")))!;
  world.write("a.ts", "changed at this very moment\n");
  expect(putBack(world.file("a.ts"), { content: Buffer.from("two\n"), mode: 0o644 }, expected)).toBe(false);
  expect(world.read("a.ts")).toBe("changed at this very moment\n");
  expect(readdirSync(world.tree).toSorted()).toEqual([".git", "a.ts"]);
});

it.each([".env", "a/.env.local", ".ENV", "id_ed25519", "server.key", "keys/store.p12", "secrets.yaml", ".npmrc"])(
  "keeps no %s",
  (path) => expect(isSecretFile(path)).toBe(true),
);

it.each([".env.example", "src/environment.ts", "keyboard.ts", "secretary.ts", "monkey", "id_rsa.pub"])(
  "keeps %s",
  (path) => expect(isSecretFile(path)).toBe(false),
);
