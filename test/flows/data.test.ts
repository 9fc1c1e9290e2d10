/** A home's data through the real program: copied, brought back, written out, forgotten, purged, refused. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dumpOf } from "../../src/data/testkit.ts";
import { takeProcessLock } from "../../src/platform/store/index.ts";
import { cancelRun, startRun, waitingApproval } from "./rehearsed-runs.ts";
import { jsonOf, startProcess } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";
import { until } from "./until.ts";

type Copy = { readonly file: string; readonly bytes: number; readonly at: number };
type Restored = {
  readonly restored: string;
  readonly kept: string | null;
  readonly undo: string | null;
  readonly started: boolean;
};
type Findings = { readonly findings: readonly { check: string; state: string; what: string; fix?: string }[] };

/** The daemon's own notes on itself: a start writes them. */
function records(file: string): ReturnType<typeof dumpOf> {
  const { audit: _audit, tokens: _tokens, ...rest } = dumpOf(file);
  return rest;
}

describe("backup and restore", () => {
  it("bring back exactly the rows of the moment, byte for byte in the export, and are undone by one command [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    await fill(daemon, { run: true });
    const copy = jsonOf<Copy>(await daemon.sylk(["backup", "--json"]));
    expect(statSync(copy.file).mode & 0o777).toBe(0o600);
    const before = (await daemon.sylk(["export"])).stdout;
    await daemon.user.call("work-item.create", { title: "after the backup" });
    const changed = (await daemon.sylk(["export"])).stdout;
    expect(changed).toContain("after the backup");

    const restored = jsonOf<Restored>(await daemon.sylk(["restore", copy.file, "--yes", "--json"]));
    expect(restored).toMatchObject({ restored: copy.file, started: true, undo: `sylk restore ${restored.kept}` });
    expect((await daemon.sylk(["export"])).stdout).toBe(before);

    const [, ...undo] = restored.undo!.split(" ");
    expect((await daemon.sylk([...undo, "--yes"])).code).toBe(0);
    expect((await daemon.sylk(["export"])).stdout).toBe(changed);
  });

  it("are entered into the audit of the restored store, whose chain stays whole [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    await fill(daemon);
    const { file } = jsonOf<Copy>(await daemon.sylk(["backup", "--json"]));
    await daemon.sylk(["purge", "--before", "1h", "--yes"]);
    const { kept } = jsonOf<Restored>(await daemon.sylk(["restore", file, "--yes", "--json"]));
    const acts = jsonOf<{ items: { action: string; details: object }[] }>(
      await daemon.sylk(["audit", "list", "--json"]),
    );
    const actions = acts.items.map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(["store.restored", "audit.head-rebuilt"]);
    expect(actions, "what was done after the backup is in the store that was kept").not.toContain("store.purged");
    expect(acts.items[0]!.details).toMatchObject({ from: file, kept });
    expect((await daemon.sylk(["audit", "verify"])).code).toBe(0);
    expect(existsSync(`${kept}.audit-head`)).toBe(true);
  });

  it("hold all that was acknowledged before, while writers go on [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    const heron = await daemon.register("heron");
    const acknowledged: string[] = [];
    let going = true;
    const writers = Array.from({ length: 4 }, async () => {
      while (going) acknowledged.push((await heron.client.call("work-item.create", { title: "busy" })).workItem.id);
    });
    await until("the writers are at it", () => acknowledged.length > 40);
    const before = acknowledged.length;
    const { file } = await daemon.user.call("store.backup", {});
    const during = acknowledged.length - before;
    going = false;
    await Promise.all(writers);
    const copied = dumpOf(file).work_items!.map((row) => (JSON.parse(String(row)) as { id: string }).id);
    expect(acknowledged.slice(0, before).filter((id) => !copied.includes(id))).toEqual([]);
    expect(copied.filter((id) => !acknowledged.includes(id))).toEqual([]);
    expect(during, "nobody waited for the copy").toBeGreaterThan(10);
  });

  it("work without a daemon and start none; a copy of a store that is not there yet is refused [CORE-13]", async () => {
    await using home = openScratchHome();
    expect((await home.sylk(["backup"])).stderr).toMatch(/no store .* yet|does not exist/);
    await home.sylk(["work", "add", "one"]);
    await home.sylk(["down"]);
    const rows = records(home.paths.database);
    const { file } = jsonOf<Copy>(await home.sylk(["backup", "mine.db", "--json"]));
    expect(file).toBe(join(home.repository, "mine.db"));
    expect(records(file)).toEqual(rows);
    const lock = takeProcessLock(home.paths.lock)!;
    const taken = await home.sylk(["restore", "mine.db", "--yes", "--json"]);
    lock.release();
    expect([taken.code, jsonOf(taken)]).toMatchObject([4, { error: { code: "daemon.already-running" } }]);
    writeMigration(home, "UPDATE work_items SET title = 'two'");
    expect(jsonOf<Restored>(await home.sylk(["restore", "mine.db", "-y", "--json"]))).toMatchObject({ started: false });
    expect(records(home.paths.database)).toEqual(rows);
    expect((await home.sylk(["status"])).code, "no daemon was started").toBe(7);
  });

  it("are refused for a busy home, a bad file, or without a yes, and change nothing [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    await fill(daemon);
    const { file } = jsonOf<Copy>(await daemon.sylk(["backup", "--json"]));
    const bad = join(daemon.root, "bad.db");
    writeFileSync(bad, readFileSync(file).subarray(0, 9_000));
    const before = (await daemon.sylk(["export"])).stdout;
    const refusals = async (...args: string[]) => {
      const run = await daemon.sylk(["restore", ...args, "--json"]);
      return [run.code, jsonOf<{ error: { code: string } }>(run).error.code];
    };
    expect(await refusals(file)).toEqual([2, "input.invalid"]);
    expect(await refusals(bad, "--yes")).toEqual([2, "backup.invalid"]);
    expect(await refusals(join(daemon.root, "none.db"), "--yes")).toEqual([2, "backup.invalid"]);
    const heron = await daemon.register("heron");
    expect(await refusals(file, "--yes")).toEqual([4, "store.in-use"]);
    const run = await startRun({ daemon });
    await daemon.user.call("agent.end", { id: heron.agent.id });
    expect(await refusals(file, "--yes")).toEqual([4, "store.in-use"]);
    await cancelRun(run, { daemon });
    expect((await daemon.sylk(["restore", file, "--yes"])).code).toBe(0);
    expect((await daemon.sylk(["export"])).stdout).toBe(before);
  });

  it("let --force take a live agent's state away, and say what is lost [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    const { file } = jsonOf<Copy>(await daemon.sylk(["backup", "--json"]));
    const heron = await daemon.register("heron");
    const { stderr } = await daemon.sylk(["restore", file, "--yes"]);
    expect(stderr).toMatch(/has 1 live agent \(heron\).*removes their reservations.*--force/);
    expect((await daemon.sylk(["restore", file, "--force"])).code).toBe(0);
    await expect(heron.client.call("work-item.ready", {})).rejects.toMatchObject({ code: "token.unknown" });
  });
});

/** A run that ended with something in its tree, which stays for that. */
async function leaveRun(daemon: ScratchDaemon): Promise<void> {
  const { run: id } = await waitingApproval(await startRun({ daemon }), { daemon });
  const { workspace } = (await daemon.user.call("run.get", { id })).run;
  writeFileSync(join(workspace!.tree, "half-done.ts"), "export {};\n");
  await cancelRun(id, { daemon });
}

/** Something of most things, or of everything, and nobody at work afterwards. */
async function fill(daemon: ScratchDaemon, { run = false } = {}): Promise<void> {
  const heron = await daemon.register("heron");
  const { workItem } = await heron.client.call("work-item.create", { title: "done" });
  await heron.client.call("work-item.close", { id: workItem.id });
  await heron.client.call("work-item.create", { title: "open", dependsOn: [workItem.id] });
  await heron.client.call("reservation.acquire", { paths: ["a.ts"] });
  if (run) await leaveRun(daemon);
  await daemon.user.call("agent.end", { id: heron.agent.id });
}

describe("a damaged store", () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    "random bytes": (file) => writeFileSync(file, "random".repeat(2_000)),
    "no bytes, but a log": (file) => {
      truncateSync(file, 0);
      writeFileSync(`${file}-wal`, "left");
    },
  };

  it.each(Object.keys(damages))(
    "(%s) is refused, shown by doctor, kept, and mended by the command it names [CORE-13]",
    async (damage) => {
      await using home = openScratchHome();
      await home.sylk(["work", "add", "kept"]);
      await home.sylk(["down"]);
      const copy = jsonOf<Copy>(await home.sylk(["backup", "--json"]));
      for (const part of ["-wal", "-shm"]) rmSync(`${home.paths.database}${part}`, { force: true });
      damages[damage]!(home.paths.database);

      const refused = await home.sylk(["ready"]);
      expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining(`sylk restore ${copy.file}`)]);
      const serving = await home.sylk(["serve", "--json"]);
      expect(jsonOf(serving)).toMatchObject({ error: { code: "store.damaged", details: { backup: copy.file } } });
      const { findings } = jsonOf<Findings>(await home.sylk(["doctor", "--json"]));
      expect(findings).toContainEqual(
        expect.objectContaining({ check: "data", state: "problem", fix: `sylk restore ${copy.file}` }),
      );

      const restored = await home.sylk(["restore", copy.file, "--yes"]);
      expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining("it is kept as ")]);
      expect((await home.sylk(["ready"])).stdout).toContain("kept");
      const kept = readdirSync(join(home.paths.home, "backups")).filter((name) => name.includes("-replaced.db"));
      expect(kept.length).toBeGreaterThan(0);
    },
  );

  it("of a newer or another program is refused with the way out and not touched [CORE-13]", async () => {
    await using home = openScratchHome();
    await home.sylk(["work", "add", "kept"]);
    await home.sylk(["down"]);
    writeMigration(home, "INSERT INTO migrations VALUES (9999, 'future', 'x')");
    const before = dumpOf(home.paths.database);
    const refused = await home.sylk(["serve", "--json"]);
    expect(jsonOf(refused)).toMatchObject({ error: { code: "store.newer", details: { storeSchema: 9999 } } });
    expect((await home.sylk(["doctor"])).stdout).toMatch(/problem +data +.*newer Sylk[^]*upgrade Sylk/);
    expect(dumpOf(home.paths.database)).toEqual(before);
    writeMigration(
      home,
      "DELETE FROM migrations WHERE number = 9999; UPDATE migrations SET checksum = 'x' WHERE number = 3",
    );
    const other = await home.sylk(["serve", "--json"]);
    expect(jsonOf(other)).toMatchObject({ error: { code: "store.newer", details: { migration: 3 } } });
  });
});

function writeMigration({ paths }: ScratchHome, statement: string): void {
  const script = `new (require("better-sqlite3"))(process.argv[1]).exec(process.argv[2]).close()`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", script, paths.database, statement], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

describe("an upgrade", () => {
  /** As an older program left it: without the newest migration and what it made. */
  const older = "DROP INDEX reservations_by_holder; DELETE FROM migrations WHERE number = 9";

  it("copies the store first, says so in the log, and keeps everything [CORE-13]", async () => {
    await using home = openScratchHome();
    await home.sylk(["work", "add", "kept"]);
    await home.sylk(["down"]);
    writeMigration(home, older);
    const rows = records(home.paths.database);
    expect((await home.sylk(["doctor"])).stdout).toContain("1 migrations to run at the next start, after a backup");
    expect((await home.sylk(["ready"])).stdout).toContain("kept");
    const [backup, ...others] = readdirSync(join(home.paths.home, "backups"));
    expect([backup, others]).toEqual([expect.stringMatching(/-upgrade\.db$/), []]);
    expect(records(join(home.paths.home, "backups", backup!))).toEqual(rows);
    const steps = (await home.sylk(["logs", "--json"])).stdout.match(/store\.(backing-up|backed-up|migrated)/g);
    expect(steps).toEqual(["store.backing-up", "store.backed-up", "store.migrated"]);
  });

  it("does not begin on a disk that is too full for the copy, and leaves the store as it was", async ({ skip }) => {
    await using home = openScratchHome();
    await home.sylk(["work", "add", "kept", "--body", "x".repeat(90_000)]);
    await home.sylk(["down"]);
    writeMigration(home, older);
    cpSync(home.paths.home, join(home.root, "copy"), { recursive: true, filter: (path) => !path.endsWith(".sock") });
    const before = dumpOf(home.paths.database);
    const small = startProcess("unshare", ["-rm", "sh", "-c", serveOnFullDisk, home.env.SYLK_HOME!, process.execPath], {
      env: { ...home.env, ROOT: home.root, MAIN: join(import.meta.dirname, "..", "..", "dist", "main.mjs") },
      cwd: home.root,
    });
    const { code, stdout, stderr } = await small.ended;
    skip(code === 99, `no file system of its own: ${stderr.trim()}`);
    expect(stdout).toMatch(/"code": "store.unavailable"[^]*was not upgraded[^]*nothing was changed/);
    expect(dumpOf(join(home.root, "after.db"))).toEqual(before);
  });
});

/** A disk with the store on it and room for half of a copy. */
const serveOnFullDisk = `
  mount -t tmpfs -o size=2m,mode=700 none "$0" || exit 99
  cp "$ROOT/copy/"* "$0" 2>/dev/null
  free=$(df -k "$0" | awk 'NR == 2 { print $4 }')
  dd if=/dev/zero of="$0/ballast" bs=1024 count=$((free - 200)) 2>/dev/null
  "$1" "$MAIN" serve --http-port 0 --json
  cp "$0/sylk.db" "$ROOT/after.db"
`;

describe("project list, project forget and purge", () => {
  it("show what is kept, count before they remove, and remove only with a yes [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    await fill(daemon, { run: true });
    const crow = await daemon.register("crow", { project: daemon.addRepository("nest") });
    await crow.client.call("work-item.create", { title: "stays" });
    const { items } = await daemon.user.call("project.list", {});
    expect(items.map(({ name, workItems, liveAgents }) => [name, workItems, liveAgents])).toEqual(
      expect.arrayContaining([
        ["shop", 2, 0],
        ["nest", 1, 1],
      ]),
    );
    expect((await daemon.sylk(["project", "list"])).stdout).toMatch(/shop +\d.* 2 \(1 open\)/);

    const refused = await daemon.sylk(["project", "forget", "."]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
    expect((await daemon.sylk(["project", "forget", "../nest", "--yes"])).code).toBe(4);
    const counted = jsonOf(await daemon.sylk(["project", "forget", ".", "--dry-run", "--json"]));
    const done = jsonOf(await daemon.sylk(["project", "forget", ".", "--yes", "--worktrees", "--json"]));
    expect(done).toMatchObject({ removed: counted.removed as object, worktrees: [{ removed: true }] });
    const [{ tree }] = done.worktrees as [{ tree: string }];
    expect(existsSync(tree)).toBe(false);
    const left = await daemon.user.call("project.list", {});
    expect(left.items.map(({ name }) => name)).toEqual(["nest"]);
    expect((await crow.client.call("work-item.list", {})).items).toHaveLength(1);
  });

  it("ask a person at a terminal, and take no for an answer", async ({ skip }) => {
    skip(spawnSync("script", ["--version"]).status !== 0, "no script(1) to make a terminal with");
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    await fill(daemon);
    const main = join(import.meta.dirname, "..", "..", "dist", "main.mjs");
    const typed = (answer: string) =>
      spawnSync("script", ["-qec", `${process.execPath} ${main} project forget .`, "/dev/null"], {
        cwd: daemon.repository,
        env: { ...daemon.env },
        input: `${answer}\n`,
        encoding: "utf8",
      });
    expect(typed("n").stdout).toMatch(/Would forget shop[^]*Forget shop\?[^]*Nothing was removed/);
    expect((await daemon.user.call("project.list", {})).items).toHaveLength(1);
    expect(typed("y").stdout).toMatch(/Forgot shop/);
    expect((await daemon.user.call("project.list", {})).items).toHaveLength(0);
  });

  it("purge by age: counted first, then removed, with truncated cursors afterwards [CORE-13]", async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    await fill(daemon);
    const now = new Date().toISOString(); // clock-exempt: the command takes a date that a person would type
    const counted = await daemon.sylk(["purge", "--before", now]);
    expect([counted.stdout, counted.stderr]).toEqual([
      expect.stringMatching(/Would remove from before .*: \d+ events, 1 agent/),
      expect.stringContaining("add --yes"),
    ]);
    expect((await daemon.user.call("event.list", { after: 0 })).items.length).toBeGreaterThan(5);
    expect((await daemon.sylk(["purge", "--before", now, "--yes"])).stdout).toMatch(/Removed from before/);
    await expect(daemon.user.call("event.list", { after: 0 })).rejects.toMatchObject({ code: "events.truncated" });
    expect((await daemon.sylk(["ready"])).stdout).toContain("open");
    for (const wrong of ["soon", "2999-01-01"])
      expect((await daemon.sylk(["purge", "--before", wrong])).code, wrong).toBe(2);
  });
});
