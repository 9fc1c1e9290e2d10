/** Who an agent is, as people and the dashboard see it: task, terminal, holds, waits, uncommitted files, last activity. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PresentAgent } from "../../src/contract/index.ts";
import { hookClient, type HookClient } from "./hook-client.ts";
import { killAndWait } from "./processes.ts";
import { startProcess } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { hasTerminal, noTerminal } from "./terminal.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  await daemon.sylk(["install", "claude-code", "--yes"]);
});
afterAll(() => daemon[Symbol.asyncDispose]());

const listed = async (id: string): Promise<PresentAgent> =>
  (await daemon.user.call("agent.list", { limit: 500 })).items.find((agent) => agent.id === id)!;
const shown = async (id: PresentAgent["id"]) => daemon.user.call("agent.get", { id });

it("names the newest claim as task, and no task where none is known [DASH-19]", async () => {
  const heron = await daemon.register("task-heron");
  expect(await listed(heron.agent.id)).not.toHaveProperty("task");
  const { workItem } = await heron.client.call("work-item.create", { title: "Rate-limit POST /orders" });
  await heron.client.call("work-item.claim", { id: workItem.id });
  expect((await listed(heron.agent.id)).task).toBe("Rate-limit POST /orders");
  expect((await shown(heron.agent.id)).agent.task).toBe("Rate-limit POST /orders");
});

it("says what an agent waits for and who has it: in line, and asked for [DASH-19]", async () => {
  const [heron, otter, lynx] = [
    await daemon.register("held-heron"),
    await daemon.register("waiting-otter"),
    await daemon.register("asking-lynx"),
  ];
  const path = "waits/a.ts";
  const { reservation } = await heron.client.call("reservation.acquire", { paths: [path] });
  expect((await listed(otter.agent.id)).waits).toEqual([]);
  const waiting = otter.client.call("reservation.acquire", { paths: [path], waitMs: 60_000 });
  await lynx.client.call("reservation.ask", { id: reservation.id });
  const holder = { id: heron.agent.id, name: "held-heron", client: "other" };
  const [wait] = await until("otter is in line", async () => {
    const { waits } = await listed(otter.agent.id);
    return waits.length > 0 && waits;
  });
  expect(wait).toEqual({
    paths: [path],
    how: "in-line",
    holder,
    reservation: reservation.id,
    since: expect.any(Number),
  });
  expect((await listed(lynx.agent.id)).waits).toMatchObject([{ paths: [path], how: "asked", holder }]);
  expect((await shown(heron.agent.id)).holds).toMatchObject([
    { reservation: reservation.id, paths: [path], mode: "exclusive", expiresAt: expect.any(Number) },
  ]);
  const told = (await daemon.sylk(["agent", "show", heron.agent.id])).stdout;
  expect(told).toMatch(/^holds +waits\/a\.ts, \d+ (s|min) left$/m);
  const toldOfOtter = (await daemon.sylk(["agent", "show", otter.agent.id])).stdout;
  expect(toldOfOtter).toMatch(/^waits for +waits\/a\.ts of held-heron$/m);
  await heron.client.call("reservation.release", { id: reservation.id });
  await waiting;
  expect((await listed(otter.agent.id)).waits).toEqual([]);
  expect((await listed(lynx.agent.id)).waits).toEqual([]);
});

it("counts the files that an agent wrote and has not committed, each for its last writer alone [DASH-19]", async () => {
  const tree = daemon.addRepository("uncommitted");
  await daemon.sylk(["install", "claude-code", "--yes"], { cwd: tree });
  commitAll(tree);
  const [one, other] = [await session("wrote-1", tree), await session("wrote-2", tree)];
  await edit(one, tree, "a.ts");
  await edit(one, tree, "b.ts");
  await edit(other, tree, "c.ts");
  const here = daemon.clientOf({ project: tree });
  const agents = await until("the versions are kept", async () => {
    const { items } = await here.call("agent.list", {});
    const known = items.filter(({ uncommitted }) => (uncommitted?.count ?? 0) > 0);
    return known.length === 2 && known;
  });
  expect(agents.map(({ uncommitted }) => uncommitted).toSorted((a, b) => b!.count - a!.count)).toEqual([
    { count: 2, paths: ["a.ts", "b.ts"] },
    { count: 1, paths: ["c.ts"] },
  ]);
  commitAll(tree);
  for (const { id } of agents)
    expect((await here.call("agent.get", { id })).agent.uncommitted).toEqual({ count: 0, paths: [] });
  // A file whose author is not known may be anyone's: then neither has a count.
  writeFileSync(join(tree, "unknown.ts"), "by hand\n");
  const [{ id }] = agents as [PresentAgent];
  expect((await here.call("agent.get", { id })).agent).not.toHaveProperty("uncommitted");
  rmSync(tree, { recursive: true });
  expect((await here.call("agent.get", { id })).agent).not.toHaveProperty("uncommitted");
});

it("says what an agent did last and when, also after the daemon's restart, and lists its newest events [DASH-19]", async () => {
  const heron = await daemon.register("last-heron");
  expect((await listed(heron.agent.id)).lastActivity).toMatchObject({ type: "agent.registered", text: "joined" });
  await heron.client.call("reservation.acquire", { paths: ["last/a.ts", "last/b.ts"] });
  const last = {
    type: "reservation.acquired",
    text: "reserved last/a.ts and 1 more",
    at: expect.any(Number),
  };
  expect((await listed(heron.agent.id)).lastActivity).toEqual(last);
  expect((await shown(heron.agent.id)).events).toMatchObject([
    { text: "reserved last/a.ts and 1 more" },
    { text: "joined", type: "agent.registered", subject: heron.agent.id },
  ]);
  for (let turn = 0; turn < 25; turn++) await heron.client.call("work-item.create", { title: `Turn ${turn}` });
  const { workItem } = await heron.client.call("work-item.create", { title: "The last one" });
  await heron.client.call("work-item.claim", { id: workItem.id });
  expect((await shown(heron.agent.id)).events.length).toBeLessThanOrEqual(20);
  await daemon.kill();
  await daemon.restart();
  expect((await listed(heron.agent.id)).lastActivity).toMatchObject({ text: "claimed The last one" });
});

it("shows the terminal of its process while that runs, and none for a process without one", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  const options = { env: { ...daemon.env, TERM: "xterm" }, cwd: daemon.repository };
  const words = "echo pid=$$ on $(tty); exec sleep 600";
  const onTerminal = startProcess("script", ["--quiet", "--command", words, "/dev/null"], options);
  const [, pid, name] = await until(
    "its process runs",
    () => /pid=(\d+) on \/dev\/(\S+)/.exec(onTerminal.output()) ?? undefined,
  );
  const without = startProcess("setsid", ["sleep", "600"], options);
  const enrol = async (sessionKey: string, process: number) =>
    (
      await daemon.user.call("agent.register", {
        sessionKey,
        client: "other",
        project: { path: daemon.repository },
        pid: process,
      })
    ).agent;
  const [one, other] = [await enrol("on-terminal", Number(pid)), await enrol("without", without.pid)];
  expect((await listed(one.id)).terminal).toBe(name);
  expect(await listed(other.id)).not.toHaveProperty("terminal");
  process.kill(Number(pid), "SIGKILL");
  await killAndWait(without.pid);
  await onTerminal.ended;
  const gone = await until("it is offline", async () => {
    const { agent } = await shown(one.id);
    return agent.status === "offline" && agent;
  });
  expect(gone).not.toHaveProperty("uncommitted");
});

it("shows no terminal and no task of a process that another user has and that never called [DASH-19]", async () => {
  const { agent } = await daemon.user.call("agent.register", {
    sessionKey: "pid-one",
    client: "other",
    project: { path: daemon.repository },
    pid: 1,
  });
  const seen = await listed(agent.id);
  expect(seen).not.toHaveProperty("terminal");
  expect(seen).not.toHaveProperty("task");
});

it("names the project of every run, graph and reservation in lists over all projects [DASH-19]", async () => {
  const heron = await daemon.register("project-heron");
  await heron.client.call("reservation.acquire", { paths: ["project/a.ts"] });
  const { items } = await daemon.user.call("reservation.list", { path: "project/a.ts" });
  expect(items.map(({ project }) => project)).toEqual([heron.agent.project.id]);
  const { dag } = await daemon.user.call("dag.run", {
    name: "quick",
    project: { path: daemon.repository },
    nodes: { only: { run: ["true"] } },
  });
  const { items: dags } = await daemon.user.call("dag.list", {});
  expect(dags.find(({ id }) => id === dag.id)?.project).toBe(heron.agent.project.id);
});

async function session(key: string, tree: string): Promise<HookClient> {
  const client = hookClient({ session: key, repository: tree, env: daemon.env });
  await client.start();
  return client;
}

async function edit(client: HookClient, tree: string, path: string): Promise<void> {
  const call = { tool_name: "Edit", tool_input: { file_path: join(tree, path) } };
  expect(await client.send("PreToolUse", { tool_use_id: "toolu_1", ...call })).toMatchObject({ code: 0 });
  mkdirSync(tree, { recursive: true });
  writeFileSync(join(tree, path), `${client.session}\n`);
  await client.send("PostToolBatch", { tool_calls: [call] });
}

function commitAll(tree: string): void {
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "core.hooksPath=/dev/null", ...args], { cwd: tree, env: daemon.env });
  git("add", "-A");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "all", "--allow-empty");
}
