/** Health through the public surface: reports, incidents, the doctor, and what hooks wrote while no daemon ran. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import type { Findings } from "../faults/every-way.ts";
import { hookClient } from "./hook-client.ts";
import { cancelRun, startRun, waitingApproval } from "./rehearsed-runs.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { openScratchHome } from "./scratch-home.ts";
import { until } from "./until.ts";
import { send } from "./wire.ts";

const clock = systemClock();
let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

const fails = { kind: "tool", outcome: "failed", error: "exit code 137" } as const;
const health = async (of = daemon): Promise<OutputOf<"health.show">> =>
  jsonOf(await of.sylk(["health", "--json"])) as OutputOf<"health.show">;

describe("reports", () => {
  it("are counted per agent and tool with their denominator, and survive a kill [HLTH-1, HLTH-8]", async () => {
    await using own = await openScratchDaemon();
    const heron = await own.register("heron");
    const report = (outcome: "ok" | "failed" | "timed-out" | "edit-without-read") =>
      ({ kind: "tool", component: "Edit", outcome, ms: 20 }) as const;
    await heron.client.call("health.report", {
      reports: [report("ok"), report("ok"), report("failed"), report("timed-out"), report("edit-without-read")],
    });
    const seen = { agent: "heron", calls: 5, failures: 1, timeouts: 1, editsWithoutRead: 1, latency: { p95Ms: 20 } };
    await until("the counters are written", () => storedCalls(own, "Edit") === 5, { withinMs: 20_000 });
    await own.kill();
    await own.restart();
    expect((await health(own)).components).toContainEqual(
      expect.objectContaining({ ...seen, latency: expect.anything() }),
    );
    expect((await own.sylk(["health", "--kind", "tool"])).stdout).toMatch(/tool +Edit +heron +5 +1 +1 +0 +1 +20 ms/);
  });

  it("say whose measurement there is, and whose there never was [HLTH-8]", async () => {
    const [measured, silent] = [await daemon.register("measured"), await daemon.register("silent")];
    await measured.client.call("health.report", { reports: [{ kind: "hook", component: "pre-edit", outcome: "ok" }] });
    const { agents } = await daemon.user.call("health.show", {});
    const stateOf = (id: string) => agents.find(({ agent }) => agent.id === id)?.measurement;
    expect([stateOf(measured.agent.id), stateOf(silent.agent.id)]).toEqual(["measured", "never"]);
    expect((await daemon.sylk(["health"])).stdout).toMatch(/not measured: .*silent/);
  });

  it("show every decision that was taken without protection [HLTH-2]", async () => {
    const before = (await health()).degraded;
    await daemon.user.call("health.report", {
      reports: [{ kind: "hook", component: "commit-gate", outcome: "degraded", error: "nobody could be asked" }],
    });
    expect((await health()).degraded).toBe(before + 1);
    expect((await daemon.sylk(["health"])).stdout).toMatch(/decisions? made without protection/);
  });

  it("come from dispatch, sweeper and retention too, from providers and roles of runs [HLTH-1]", async () => {
    const id = await startRun({ daemon });
    await waitingApproval(id, { daemon });
    const kinds = await until("the worker has reported", async () => {
      const { components } = await health();
      const known = components.map(({ kind, name }) => `${kind} ${name}`);
      const wanted = ["daemon reads", "daemon changes", "daemon sweeper", "daemon retention", "agent architect"];
      const seen = new Set(components.map(({ kind }) => kind));
      return wanted.every((name) => known.includes(name)) && seen.has("provider") && seen;
    });
    expect([...kinds]).toEqual(expect.arrayContaining(["daemon", "agent", "provider"]));
    await cancelRun(id, { daemon });
  });
});

describe("incidents", () => {
  it("show in status, doctor, health and at session start until they are resolved [HLTH-4, HLTH-5]", async () => {
    const heron = await daemon.register("incident-heron");
    const failing = { ...fails, component: "flaky" };
    await heron.client.call("health.report", { reports: [failing, failing, failing] });
    expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({ incidents: 0 });
    await heron.client.call("health.report", { reports: [failing] });
    expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({ incidents: 1 });
    const what = "unknown cause: tool flaky (incident-heron) failed 4 times";
    const line = `1 unresolved incident: ${what}; "sylk health" has the details`;
    expect((await daemon.sylk(["status"])).stdout).toContain(`incidents  ${line}`);
    expect((await heron.client.call("health.greeting", {})).line).toContain(line);
    expect((await daemon.sylk(["doctor"])).stdout).toContain(line);
    const [incident] = (await health()).incidents;
    expect(incident).toMatchObject({ rule: "repeated", escalatedAt: expect.any(Number), failures: 4 });
    const resolved = await daemon.sylk(["incident", "resolve", incident!.id, "--why", "mended"]);
    expect([resolved.code, resolved.stdout]).toEqual([0, `${incident!.id} is resolved: ${what}\n`]);
    expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({ incidents: 0, unresolved: [] });
    const { items } = await daemon.user.call("event.list", { type: "health.*" });
    expect(items.map(({ type }) => type)).toEqual(["health.incident-opened", "health.incident-resolved"]);
    const again = await daemon.sylk(["incident", "resolve", incident!.id]);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("is already resolved")]);
  });

  it("of many components with one cause are one, with the cause and the way out [HLTH-3]", async () => {
    await using own = await openScratchDaemon();
    const down = { kind: "hook", outcome: "degraded", error: "connect ENOENT sylk.sock" } as const;
    for (const name of ["heron", "otter"])
      await (
        await own.register(name)
      ).client.call("health.report", {
        reports: ["register", "pre-edit", "scan"].map((component) => ({ ...down, component })),
      });
    const { incidents } = await health(own);
    expect(incidents).toMatchObject([
      {
        cause: "daemon-down",
        summary: "daemon down: 6 components failed 6 times",
        fix: expect.stringContaining("sylk up"),
      },
    ]);
  });
});

describe("what hooks wrote while no daemon answered", () => {
  it("is counted once, with its own times, across kills and restarts [HLTH-10]", async () => {
    await using own = await openScratchDaemon();
    await own.register("k1");
    await own.kill();
    const at = clock.now() - 3_600_000;
    const lines = ["pre-edit", "pre-commit"].map((component) =>
      JSON.stringify({ at, component, outcome: "degraded", cause: "daemon down", project: own.repository, ms: 4 }),
    );
    mkdirSync(own.paths.logs, { recursive: true });
    writeFileSync(join(own.paths.logs, "hook-outcomes.jsonl"), `${lines.join("\n")}\nnot a line\n`);
    for (const life of [1, 2, 3]) {
      await own.restart();
      const { components, incidents } = await health(own);
      expect(
        components.filter(({ kind }) => kind === "hook"),
        `life ${life}`,
      ).toMatchObject([
        { name: "pre-commit", calls: 1, degraded: 1, lastFailureAt: at },
        { name: "pre-edit", calls: 1, degraded: 1, lastFailureAt: at },
      ]);
      expect(incidents).toMatchObject([{ cause: "daemon-down", openedAt: at, lastFailureAt: at, failures: 2 }]);
      await own.kill();
    }
    await own.restart();
  });
});

describe("guards", () => {
  it("let edits pass and stop commits unless the user says otherwise, and count each decision once [HLTH-2]", async () => {
    await using own = await openScratchDaemon();
    expect((await health(own)).guards).toEqual({ edit: "fail-open", commit: "fail-closed" });
    expect(await own.sylk(["install", "claude-code", "--yes"])).toMatchObject({ code: 0 });
    const client = hookClient({ session: "s-1", repository: own.repository, env: own.env });
    await client.start();
    await own.kill();
    for (const file of ["a.ts", "b.ts", "c.ts"])
      expect(await client.edit(file)).toMatchObject({ code: 0, stderr: expect.stringContaining("was not guarded") });
    writeFileSync(join(own.repository, "a.ts"), "a\n");
    const git = (...args: readonly string[]) =>
      spawnSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@localhost", ...args], {
        cwd: own.repository,
        env: { ...process.env, ...own.env },
        encoding: "utf8",
      });
    git("add", "a.ts");
    expect(git("commit", "-q", "-m", "unasked")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("the commit is stopped"),
    });
    await own.restart();
    await until("they are counted", async () => (await health(own)).degraded >= 4);
    expect((await health(own)).degraded, "three edits and the commit that could not be judged").toBe(4);
    expect((await own.sylk(["health"])).stdout).toContain("4 decisions made without protection");
  });

  it("do what the user chose for each when no daemon can be asked; a repository cannot weaken that [HLTH-2]", async () => {
    await using own = await openScratchDaemon({ env: { SYLK_GUARD_EDIT: "fail-closed" } });
    mkdirSync(join(own.repository, ".sylk"), { recursive: true });
    writeFileSync(join(own.repository, ".sylk", "config.yaml"), "guard:\n  commit: fail-open\n");
    expect((await health(own)).guards).toEqual({ edit: "fail-closed", commit: "fail-closed" });
    expect((await own.sylk(["doctor"])).stdout).toMatch(/settings +.*guard\.commit/);
  });
});

describe("who, status and session start", () => {
  it("say that the agent is alone only after a look, and that it is unknown without one [HLTH-9]", async () => {
    await using home = openScratchHome();
    const status = await home.sylk(["status"]);
    expect([status.code, status.stdout]).toEqual([7, expect.stringMatching(/who else is here is unknown: /)]);
    mkdirSync(home.paths.home, { mode: 0o700 });
    mkdirSync(home.paths.database);
    const who = await home.sylk(["who"]);
    expect([who.code, who.stdout]).toEqual([7, ""]);
    expect(who.stderr).toMatch(/who else is here is unknown: The daemon ended before it answered/);
    await using own = await openScratchDaemon();
    expect((await own.sylk(["who"])).stdout).toBe("no other agents\n");
    const heron = await own.register("heron");
    expect(await heron.client.call("health.greeting", {})).toEqual({
      line: "no other agents",
      others: [],
      enforced: true,
      incidents: 0,
    });
    await own.register("otter");
    expect((await heron.client.call("health.greeting", {})).line).toBe("1 other agent: otter");
  });
});

describe("the doctor", () => {
  it("looks at daemon, version, disk, store, audit, providers and orphans, each with its fix [HLTH-6]", async () => {
    await using own = await openScratchDaemon();
    const checks = async () => jsonOf<Findings>(await own.sylk(["doctor", "--json"])).findings;
    const names = (await checks()).map(({ check }) => check);
    for (const check of ["daemon", "disk", "store", "data", "audit", "providers", "incidents", "orphans", "quarantine"])
      expect(names).toContain(check);
    await own.sylk([
      "provider",
      "add",
      "claude",
      "--kind",
      "anthropic",
      "--model",
      "m",
      "--key-variable",
      "NO_SUCH_KEY",
    ]);
    mkdirSync(join(own.paths.home, "worktrees", "run-lost"), { recursive: true });
    spoilAudit(own);
    const found = await checks();
    expect(found).toContainEqual(
      expect.objectContaining({
        check: "providers",
        state: "problem",
        what: "claude: its key should be in NO_SUCH_KEY, which the daemon does not have",
        fix: expect.stringContaining("sylk provider add claude"),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ check: "orphans", state: "warning", fix: expect.stringContaining("worktree remove") }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ check: "audit", state: "problem", fix: expect.any(String) }),
    );
    expect((await own.sylk(["doctor"])).code).toBe(7);
  });

  it("and the health endpoint run a real query [HLTH-6]", async () => {
    const { status, body } = await send({ socketPath: daemon.paths.socket }, { path: "/healthz" });
    expect([status, body]).toEqual([200, '{"ok":true}']);
  });
});

function storedCalls({ paths }: ScratchDaemon, component: string): number {
  using connection = opened(paths.database, { readonly: true });
  const row = connection.database.prepare("SELECT calls FROM health_components WHERE component = ?").get(component);
  return (row as { calls: number } | undefined)?.calls ?? 0;
}

function spoilAudit({ paths }: ScratchDaemon): void {
  using connection = opened(paths.database, {});
  connection.database.exec("DROP TRIGGER audit_is_never_changed");
  connection.database.exec("UPDATE audit SET subject = 'somebody else' WHERE sequence = 1");
}

function opened(file: string, options: { readonly readonly?: boolean }): Disposable & { database: Database.Database } {
  const database = new Database(file, options);
  return { database, [Symbol.dispose]: () => void database.close() };
}
