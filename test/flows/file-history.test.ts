/** Local history from the surfaces a user has: hooks keep versions, commands show them and put them back. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { FileVersion } from "../../src/contract/index.ts";
import { hookClient, type HookClient } from "./hook-client.ts";
import { jsonOf, mainScript } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";
import { waysInto } from "./ways-in.ts";

it("keeps what a tool overwrites with author, command and mode, and puts it back over CLI, HTTP and MCP [GIT-20]", async () => {
  await using world = await opened();
  const { daemon, write, read } = world;
  write("src/a.ts", "one\n", 0o755);
  const otter = await world.session("s-1");
  await world.tool(otter, "src/a.ts", () => write("src/a.ts", "two\n", 0o644), "sed -i s/one/two/ src/a.ts");
  const listed = await daemon.sylk(["file", "history", "src/a.ts", "--json"]);
  const { items } = jsonOf(listed) as { items: FileVersion[] };
  expect(items).toMatchObject([
    {
      path: "src/a.ts",
      state: "kept",
      bytes: 4,
      mode: "644",
      knownBy: "named",
      command: "Bash: sed -i s/one/two/ src/a.ts",
    },
    {
      path: "src/a.ts",
      seen: expect.stringMatching(/^(before-tool|start)$/),
      state: "kept",
      bytes: 4,
      mode: "755",
      knownBy: "unknown",
    },
  ]);
  expect(items[0]!.author).toMatchObject({ client: "claude-code" });
  const human = await daemon.sylk(["file", "history", "src/a.ts"]);
  expect(human.stdout).toMatch(/^version +seen +path +author +known by +size +command\n/);
  expect(human.stdout).toContain("Bash: sed -i s/one/two/ src/a.ts");
  await otter.send("SessionEnd", { reason: "other" });
  const { token } = await daemon.register("heron");
  await using ways = waysInto(daemon);
  for (const way of ways.all) {
    const { ok, body } = await way.call("file.restore", { path: "src/a.ts", version: items[1]!.id }, { token });
    expect(ok, `${way.name}: ${JSON.stringify(body)}`).toBe(true);
    expect([read("src/a.ts"), statSync(join(daemon.repository, "src/a.ts")).mode & 0o777]).toEqual(["one\n", 0o755]);
    write("src/a.ts", `again, before ${way.name}\n`);
  }
  const { items: all } = await daemon.user.call("file.history", { path: "src/a.ts" });
  expect(all.filter(({ knownBy }) => knownBy === "sylk")).toHaveLength(ways.all.length);
});

it("puts a file back after its whole tree is gone, from inside the gone folder and by its former path [GIT-20]", async () => {
  await using world = await opened();
  const { daemon, write, read } = world;
  const { repository, env } = daemon;
  write("src/a.ts", "one\n", 0o755);
  write("src/b.ts", "other\n");
  const otter = await world.session("s-1");
  for (const path of ["src/a.ts", "src/b.ts"]) await world.tool(otter, path, () => write(path, "two\n"));
  const outside = { cwd: dirname(repository) };
  const inGoneFolder = 'cd src && rm -rf "$1" && "$2" "$3" file restore a.ts';
  execFileSync("sh", ["-c", inGoneFolder, "sh", repository, process.execPath, mainScript], { cwd: repository, env });
  expect([read("src/a.ts"), existsSync(join(repository, "src/b.ts"))]).toEqual(["two\n", false]);
  rmSync(repository, { recursive: true });
  const listed = await daemon.sylk(["file", "history", "src/b.ts", "--project", repository, "--json"], outside);
  expect(jsonOf<{ items: FileVersion[] }>(listed).items[0]).toMatchObject({ path: "src/b.ts" });
  expect(await daemon.sylk(["file", "restore", "src/b.ts", "--project", repository], outside)).toMatchObject({
    code: 0,
  });
  expect(read("src/b.ts")).toBe("two\n");
  const elsewhere = await daemon.sylk(["file", "restore", "src/b.ts", "--project", `${repository}-never`], outside);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([3, expect.stringContaining("There is no folder")]);
});

it("keeps no ignored file, no secrets, no large content, and nothing that others can read [GIT-20]", async () => {
  await using world = await opened({ SYLK_FILE_HISTORY_MAX_FILE_BYTES: "2048" });
  const { daemon, write } = world;
  write(".gitignore", "dist/\n");
  for (const path of ["dist/out.js", ".env", "config/.env.production", "id_rsa", "cert.pem"]) write(path, "secret\n");
  write("large.bin", "x".repeat(2049));
  write("small.txt", "y".repeat(2048));
  const otter = await world.session("s-1");
  for (const path of ["dist/out.js", ".env", "config/.env.production", "id_rsa", "cert.pem", "large.bin", "small.txt"])
    expect(await otter.edit(path)).toMatchObject({ code: 0 });
  const { items } = await daemon.user.call("file.history", {});
  expect(
    items
      .map(({ path, state }) => [path, state])
      .filter(([path]) => path !== ".gitignore")
      .toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)),
  ).toEqual([
    ["large.bin", "too-large"],
    ["small.txt", "kept"],
  ]);
  const folder = join(daemon.paths.home, "file-history");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const modes = execFileSync("find", [folder, "-type", "f", "-printf", "%m\n"], { encoding: "utf8" });
  expect(new Set(modes.trim().split("\n"))).toEqual(new Set(["600"]));
});

it("commits what one agent changed and says which files others changed, too [GIT-20]", async () => {
  await using world = await opened();
  const { daemon, write } = world;
  for (const path of ["a.ts", "b.ts", "c.ts"]) write(path, "one\n");
  world.git("add", "-A");
  world.git("commit", "-qm", "start");
  world.git("config", "user.name", "Ada");
  world.git("config", "user.email", "ada@example.org");
  const [heron, otter] = [await world.session("s-heron"), await world.session("s-otter")];
  await world.tool(otter, "a.ts", () => write("a.ts", "otter\n"));
  await world.tool(otter, "b.ts", () => write("b.ts", "otter\n"));
  await otter.send("SessionEnd", { reason: "other" });
  await world.tool(heron, "b.ts", () => write("b.ts", "otter\nheron\n"));
  await world.tool(heron, "c.ts", () => write("c.ts", "heron\n"));
  const name = (await daemon.user.call("file.history", { path: "a.ts" })).items[0]!.author!.name;
  await heron.send("SessionEnd", { reason: "other" });
  const made = await daemon.sylk(["commit", "-m", "What otter did", "--agent", name]);
  expect(made, made.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/2 files\n {2}a\.ts\n {2}b\.ts\n/),
  });
  expect(made.stderr).toMatch(/b\.ts also has changes of \w+; the commit contains them/);
  expect(world.status()).toBe(" M c.ts\n");
  const again = await daemon.sylk(["commit", "-m", "Again", "--agent", name]);
  expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining(`no uncommitted change of ${name}`) });
});

it("goes with sylk project forget and sylk purge, contents included, and is in sylk export without them [GIT-20]", async () => {
  await using world = await opened();
  const { daemon, write } = world;
  const packs = (): readonly string[] => readdirSync(join(daemon.paths.home, "file-history"));
  const kept = async (): Promise<number> => (await daemon.user.call("file.history", {})).items.length;
  const otter = await world.session("s-otter");
  await world.tool(otter, "a.ts", () => write("a.ts", "export const otter = 1;\n"));
  expect(await kept()).toBeGreaterThan(0);
  const exported = await daemon.sylk(["export", join(daemon.root, "all.jsonl")]);
  expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining("file version") });
  const lines = readFileSync(join(daemon.root, "all.jsonl"), "utf8");
  expect(lines).toContain('"record":"file-version"');
  expect(lines).not.toContain("export const otter");
  await otter.send("SessionEnd", { reason: "other" });
  await until("no agent is at work", async () =>
    (await daemon.user.call("agent.list", {})).items.every(({ client }) => client === "human"),
  );
  const before = (await daemon.user.call("file.history", {})).items[0]!.seenAt + 1;
  expect((await daemon.user.call("store.purge", { before, dryRun: false })).removed.fileVersions).toBeGreaterThan(0);
  expect([await kept(), packs()]).toEqual([0, []]);
  const next = await world.session("s-next");
  await world.tool(next, "b.ts", () => write("b.ts", "again\n"));
  expect(await kept()).toBeGreaterThan(0);
  await next.send("SessionEnd", { reason: "other" });
  const { removed } = await daemon.user.call("project.forget", { target: daemon.repository });
  expect(removed.fileVersions).toBeGreaterThan(0);
  expect(packs()).toEqual([]);
});

/** Real commands that no hook announced, each of which destroys uncommitted work in src/held.ts. */
const destroyers = [
  "rm src/held.ts",
  "ln -sf /dev/null src/held.ts",
  ": > src/held.ts",
  "printf x > src/held.ts",
  "cp README.md src/held.ts",
  "mv README.md src/held.ts",
  "truncate -s 3 src/held.ts",
  "sed -i s/work/gone/ src/held.ts",
  "perl -pi -e s/work/gone/ src/held.ts",
  "git checkout -q -- src/held.ts",
  "git restore src/held.ts",
  "git reset -q --hard",
  "git stash -q",
  "rm -r src",
  "mv src elsewhere",
  "ln -sf ../README.md src/held.ts",
  "dd if=/dev/null of=src/held.ts status=none",
  "tar -cf t.tar README.md && tar -xOf t.tar > src/held.ts",
  "git show HEAD:README.md > src/held.ts",
  "install -m 600 README.md src/held.ts",
  "find src -name '*.ts' -delete",
] as const;

/** What is left in place of a file is named, and is not overwritten. */
const obstacles = [
  ["rm src/held.ts && mkdir -p src/held.ts/inner", "src/held.ts is a folder now"],
  ["rm src/held.ts && mkfifo src/held.ts", "src/held.ts is not a regular file now"],
  ["mv src real && ln -s real src", "src is a link now"],
] as const;

it("restores a version that no hook saw, whatever command destroyed it [GIT-20]", { timeout: 60_000 }, async () => {
  await using world = await opened();
  const { daemon, write, read } = world;
  write("src/held.ts", "committed\n");
  write("README.md", "read me\n");
  world.git("add", "-A");
  world.git("commit", "-qm", "held");
  await daemon.register("heron");
  await world.watched();
  for (const [round, command] of destroyers.entries()) {
    const work = `work of round ${round}${".".repeat(round)}\n`;
    write("src/held.ts", work);
    await until(
      `the work of round ${round} is kept`,
      async () => (await world.newest("src/held.ts"))?.content === hashOf(work),
    );
    execFileSync("sh", ["-c", command], { cwd: daemon.repository, env: world.env, stdio: "ignore" });
    expect(read("src/held.ts"), command).not.toBe(work);
    const kept = (await daemon.user.call("file.history", { path: "src/held.ts" })).items.find(
      ({ content }) => content === hashOf(work),
    );
    await daemon.user.call("file.restore", { path: "src/held.ts", version: kept!.id });
    expect([command, read("src/held.ts")]).toEqual([command, work]);
    world.git("checkout", "-q", "HEAD", "--", "README.md");
  }
  const kept = (await world.newest("src/held.ts"))!;
  for (const [command, obstacle] of obstacles) {
    execFileSync("sh", ["-c", command], { cwd: daemon.repository, env: world.env });
    const refused = await daemon.sylk(["file", "restore", "src/held.ts", "--version", kept.id]);
    expect(refused.stderr, command).toContain(obstacle);
    expect(refused.stderr, command).toContain("move it away, then repeat the command");
    execFileSync("sh", ["-c", "rm -rf src"], { cwd: daemon.repository });
    expect(await daemon.sylk(["file", "restore", "src/held.ts", "--version", kept.id])).toMatchObject({ code: 0 });
    expect(hashOf(read("src/held.ts")!), command).toBe(kept.content);
  }
});

it(
  "sees what shells and editors write in any folder, new ones too, in random order, and forgets no version [GIT-20]",
  { timeout: 60_000 },
  async () => {
    await using world = await opened();
    const { daemon, read } = world;
    await daemon.register("heron");
    await world.watched();
    const ways = [
      (path: string, text: string) => `mkdir -p "$(dirname '${path}')" && printf %s '${text}' > '${path}'`,
      (path: string, text: string) =>
        `mkdir -p "$(dirname '${path}')" && printf %s '${text}' > '${path}.swp' && mv '${path}.swp' '${path}'`,
      (path: string, text: string) => `mkdir -p "$(dirname '${path}')" && printf %s '${text}' >> '${path}'`,
      (path: string) => `rm -f '${path}'`,
      (path: string) => `touch '${path}' 2>/dev/null || true`,
    ] as const;
    const paths = ["top.txt", "one/a.txt", "new/deep/er/b.txt", "new/with space/c.txt"];
    const steps = fc.sample(
      fc.record({
        way: fc.nat(ways.length - 1),
        path: fc.constantFrom(...paths),
        text: fc.stringMatching(/^[a-z]{1,30}$/),
      }),
      { numRuns: 40, seed: 7 },
    );
    const model = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]));
    for (const { way, path, text } of steps) {
      execFileSync("sh", ["-c", ways[way]!(path, text)], { cwd: daemon.repository });
      const now = read(path);
      if (now !== undefined) model.get(path)!.add(hashOf(now));
      await until(`${path} is kept`, async () => {
        const newest = await world.newest(path);
        return now === undefined ? newest?.state !== "kept" : newest?.content === hashOf(now);
      });
    }
    for (const [path, contents] of model) {
      const { items } = await daemon.user.call("file.history", { path, limit: 500 });
      const kept = new Set(items.map(({ content }) => content));
      expect([...contents].filter((content) => !kept.has(content))).toEqual([]);
    }
  },
);

it("tells holder and writer each time a held file is overwritten, with the command that restores it [GIT-16]", async () => {
  await using world = await opened();
  const { daemon, write, read } = world;
  write("src/held.ts", "committed\n");
  world.git("add", "-A");
  world.git("commit", "-qm", "held");
  const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  await world.watched();
  for (const round of [1, 2, 3]) {
    await heron.client.call("guard.write", { paths: ["src/held.ts"] });
    write("src/held.ts", `heron's work ${round}\n`);
    await heron.client.call("guard.used", { wrote: ["src/held.ts"] });
    await otter.client.call("guard.write", { unknown: ["sh build.sh"], command: "sh build.sh" });
    write("src/held.ts", `otter's build ${round}\n`);
    const told: string[] = [];
    for (const { client } of [heron, otter]) {
      const { body } = await until(
        `round ${round} is told`,
        async () => {
          const { items } = await client.call("mail.inbox", { channel: "notices" });
          return items.length === round && items.at(-1);
        },
        { withinMs: 10_000 },
      );
      told.push(/sylk (file restore src\/held\.ts --version ver_\w+)/.exec(body)![1]!);
    }
    expect(told[0]).toBe(told[1]);
    expect(await daemon.sylk([...told[0]!.split(" "), "--as", "otter"])).toMatchObject({ code: 0 });
    expect(read("src/held.ts")).toBe(`heron's work ${round}\n`);
    const { items } = await heron.client.call("mail.inbox", {});
    expect(items.map(({ subject }) => subject)).toEqual(
      Array.from({ length: round }, () => "otter put back earlier content in a file you hold: src/held.ts"),
    );
  }
});

it("keeps the files at stake before a command is let through, also where nothing is watched, and doctor lists them [GIT-16]", async () => {
  await using unwatched = await opened({ SYLK_GUARD_WATCH: "off", SYLK_GUARD_POLICY: "warn" });
  const { daemon, write, read } = unwatched;
  const heron = await daemon.register("heron");
  const commands = ["sed -i s/work/gone/ held-1.ts", "sed -i s/work/gone/ held-*.ts", "sh build.sh"];
  for (const [round, command] of commands.entries()) {
    write("held-1.ts", `heron's work ${round}\n`);
    await heron.client.call("reservation.acquire", { paths: ["held-1.ts"], ttlMs: 1_800_000 });
    const otter = await unwatched.session(`s-${round}`);
    expect(await otter.shell(command), command).toMatchObject({ code: 0 });
    write("held-1.ts", "gone\n");
    expect(await daemon.sylk(["file", "restore", "held-1.ts"])).toMatchObject({ code: 0 });
    expect([command, read("held-1.ts")]).toEqual([command, `heron's work ${round}\n`]);
  }

  await using watched = await opened();
  const wren = await watched.daemon.register("wren");
  await watched.watched();
  await wren.client.call("guard.write", { paths: ["held.ts"] });
  watched.write("held.ts", "wren's work\n");
  await wren.client.call("guard.used", { wrote: ["held.ts"] });
  watched.write("held.ts", "by a stranger\n");
  const restore = await until("doctor lists the file", async () => {
    const { stdout } = await watched.daemon.sylk(["doctor"]);
    return /files written past their holder: held\.ts\n\s+fix: sylk (file restore held\.ts --version \w+);/.exec(
      stdout,
    )?.[1];
  });
  expect(await watched.daemon.sylk(restore.split(" "))).toMatchObject({ code: 0 });
  expect(watched.read("held.ts")).toBe("wren's work\n");
});

it("says when a tree has more folders than can be watched [GIT-20]", async () => {
  await using world = await opened();
  const { daemon } = world;
  for (let index = 0; index < 4_001; index++)
    mkdirSync(join(daemon.repository, "many", String(index)), { recursive: true });
  await daemon.register("heron");
  const trouble = await until("health says so", async () => {
    const { components } = await daemon.user.call("health.show", { kind: "daemon" });
    return components.find(({ name, failures }) => name === "tree watch" && failures > 0);
  });
  expect(JSON.stringify(trouble)).toContain(
    "has more folders than are watched; local history misses changes below them",
  );
});

it("undoes what one agent changed and leaves later lines of others; a conflict is shown and nothing is written [GIT-20]", async () => {
  await using world = await opened();
  const { daemon, write, read } = world;
  const lines = (...changed: string[]): string =>
    Array.from({ length: 20 }, (_, at) => changed[at] ?? `line ${at}`).join("\n") + "\n";
  write("a.ts", lines());
  const [heron, otter] = [await world.session("s-heron"), await world.session("s-otter")];
  await world.tool(otter, "a.ts", () => write("a.ts", lines("otter's line")));
  await world.tool(otter, "made-by-otter.ts", () => write("made-by-otter.ts", "new\n"));
  await otter.send("SessionEnd", { reason: "other" });
  const later = lines("otter's line", ...Array.from({ length: 14 }, (_, at) => `line ${at + 1}`), "heron's line");
  await world.tool(heron, "a.ts", () => write("a.ts", later));
  const [{ author } = {}] = (await daemon.user.call("file.history", { path: "made-by-otter.ts" })).items;
  const name = author!.name;

  const patch = await daemon.sylk(["file", "diff", "--agent", name]);
  expect(patch.stdout).toContain("+otter's line");
  expect(patch.stdout).toContain("+++ b/made-by-otter.ts");
  expect(patch.stdout).not.toContain("heron's line");
  const dry = await daemon.sylk(["undo", "--agent", name, "--dry-run"]);
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was written") });
  expect(read("a.ts")).toBe(later);
  expect(await daemon.sylk(["undo", "--agent", name])).toMatchObject({ code: 0 });
  expect([read("a.ts"), read("made-by-otter.ts")]).toEqual([later.replace("otter's line", "line 0"), undefined]);
  const again = await daemon.sylk(["undo", "--agent", name]);
  expect(again.stdout).toContain("unchanged  a.ts");

  await heron.send("SessionEnd", { reason: "other" });
  const third = await world.session("s-third");
  await world.tool(third, "a.ts", () => write("a.ts", lines("otter again")));
  await third.send("SessionEnd", { reason: "other" });
  const fourth = await world.session("s-fourth");
  await world.tool(fourth, "a.ts", () => write("a.ts", lines("a fourth session's line")));
  const { items } = await daemon.user.call("file.history", { path: "a.ts" });
  const conflict = await daemon.sylk([
    "undo",
    "--agent",
    items.find(({ content }) => content === hashOf(lines("otter again")))!.author!.name,
  ]);
  expect(conflict).toMatchObject({
    code: 4,
    stdout: expect.stringContaining("conflict   a.ts: others changed the same lines"),
  });
  expect(conflict.stdout).toMatch(/<<<<<<< the file now\na fourth session's line\n/);
  expect(read("a.ts")).toBe(lines("a fourth session's line"));
});

async function opened(env: Record<string, string> = {}) {
  const daemon = await openScratchDaemon({ env });
  await daemon.sylk(["install", "claude-code", "--yes"]);
  const write = (path: string, text: string, mode = 0o644): void => {
    const file = join(daemon.repository, path);
    mkdirSync(dirname(file), { recursive: true });
    // In one step, with its mode: what is half written is a version, too, when the watcher sees it.
    const beside = join(daemon.root, "half-written");
    writeFileSync(beside, text);
    chmodSync(beside, mode);
    renameSync(beside, file);
  };
  const env_ = {
    ...daemon.env,
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  const newest = async (path: string) => (await daemon.user.call("file.history", { path, limit: 1 })).items[0];
  let probes = 0;
  return {
    daemon,
    write,
    env: env_,
    newest,
    git: (...args: readonly string[]) =>
      void execFileSync("git", ["-c", "core.hooksPath=/dev/null", ...args], { cwd: daemon.repository, env: env_ }),
    status: () => execFileSync("git", ["status", "--porcelain"], { cwd: daemon.repository, encoding: "utf8" }),
    /** A file that nobody announced is kept: the watch of the whole tree has begun. */
    watched: () =>
      until("the tree is watched", async () => {
        write("probe.txt", `${++probes}\n`);
        return (await newest("probe.txt")) !== undefined;
      }),
    read: (path: string) => (existsSync(join(daemon.repository, path)) ? text(daemon, path) : undefined),
    async session(key: string): Promise<HookClient> {
      const client = hookClient({ session: key, repository: daemon.repository, env: daemon.env });
      await client.start();
      return client;
    },
    /** A tool call as the client makes it: the hook before, the write, the hook after. */
    async tool(client: HookClient, path: string, work: () => void, command?: string): Promise<void> {
      const file = join(daemon.repository, path);
      const call =
        command === undefined
          ? { tool_name: "Edit", tool_input: { file_path: file } }
          : { tool_name: "Bash", tool_input: { command } };
      expect(await client.send("PreToolUse", { tool_use_id: "toolu_1", ...call })).toMatchObject({ code: 0 });
      work();
      await client.send("PostToolBatch", { tool_calls: [call] });
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

function text({ repository }: ScratchDaemon, path: string): string {
  return readFileSync(join(repository, path), "utf8");
}

function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
