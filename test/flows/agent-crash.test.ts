/** A client is killed in the middle of an edit: what happens to what it held, seen from outside, with real processes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Agent, LogEvent } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import type { Findings } from "../faults/every-way.ts";
import { killAndWait } from "./processes.ts";
import { cancelRun, startRun, waitingApproval } from "./rehearsed-runs.ts";
import { jsonOf, startProcess, type SylkProcess } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const clock = systemClock();
let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Session = ScratchAgent & { readonly process: SylkProcess; readonly file: string };

/** A client that writes into a file of the repository again and again until it is killed. */
async function editing(name: string): Promise<Session> {
  const file = join(daemon.repository, `src/${name}.ts`);
  const script = `setInterval(() => require("node:fs").appendFileSync(${JSON.stringify(file)}, "// edit\\n"), 5)`;
  const process_ = startProcess(process.execPath, ["-e", script], { env: daemon.env, cwd: daemon.repository });
  await until("it edits", () => sizeOf(file) > 0);
  const { agent, token } = await daemon.user.call("agent.register", {
    sessionKey: `session-${name}`,
    client: "claude-code",
    project: { path: daemon.repository },
    name,
    pid: process_.pid,
  });
  const client = daemon.clientOf({ token });
  await client.call("reservation.acquire", { paths: [`src/${name}.ts`], reason: "mid-edit" });
  return { agent, token, client, process: process_, file };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0; // not made yet
  }
}

const offlineEvent = async ({ id }: Agent): Promise<LogEvent | undefined> => {
  const { items } = await daemon.user.call("event.list", { type: "agent.offline", limit: 1000 });
  return items.findLast(({ subject }) => subject === id);
};

/** Kills the client; milliseconds until the log says that its agent is offline. */
async function crash({ agent, process: { pid } }: Session): Promise<number> {
  await killAndWait(pid);
  const since = clock.monotonic();
  await until("the agent is offline", () => offlineEvent(agent), { withinMs: 5_000 });
  return clock.monotonic() - since;
}

it("knows within two seconds that a killed client is gone, and lists it nowhere as online [IDN-5]", async () => {
  const victim = await editing("plover");
  expect(await crash(victim)).toBeLessThan(2_000);
  expect((await offlineEvent(victim.agent))!.data).toMatchObject({
    agent: { name: "plover" },
    reason: "process-gone",
  });
  const { items } = await daemon.user.call("agent.list", {});
  expect(items.map(({ name }) => name)).not.toContain("plover");
  const { agent } = await daemon.user.call("agent.get", { id: victim.agent.id });
  expect(agent.status).toBe("offline");
  expect((await daemon.sylk(["who"])).stdout).not.toContain("plover");
});

it("frees at once what a killed client held, and returns its claim with history, without a human step [CRSH-1]", async () => {
  const [victim, heir] = [await editing("stoat"), await daemon.register("heir")];
  const { workItem } = await victim.client.call("work-item.create", { title: "Rate-limit POST /orders" });
  await victim.client.call("work-item.claim", { id: workItem.id });
  await expect(heir.client.call("reservation.acquire", { paths: ["src/stoat.ts"] })).rejects.toMatchObject({
    code: "reservation.conflict",
  });
  await crash(victim);
  const { reservation } = await heir.client.call("reservation.acquire", { paths: ["src/stoat.ts"] });
  expect(reservation.holder.name).toBe("heir");
  const { items: ready } = await heir.client.call("work-item.ready", {});
  expect(ready.map(({ id }) => id)).toContain(workItem.id);
  const { workItem: claimed } = await heir.client.call("work-item.claim", { id: workItem.id });
  expect(claimed).toMatchObject({ owner: { name: "heir" }, attempts: 2 });
  const { items } = await heir.client.call("event.list", { type: "work-item.*", limit: 1000 });
  const history = items.filter(({ subject }) => subject === workItem.id);
  expect(history.map(({ type }) => type)).toEqual([
    "work-item.created",
    "work-item.claimed",
    "work-item.released",
    "work-item.claimed",
  ]);
  expect(history[2]!.data).toMatchObject({ formerOwner: { name: "stoat" }, how: "gone" });
  // What it wrote is untouched.
  expect(readFileSync(victim.file, "utf8")).toContain("// edit");
});

it("leaves a handoff that lists what was held, claimed and touched, the running sub-agents and the step in progress [CRSH-5, CRSH-6]", async () => {
  const [victim, heir] = [await editing("marten"), await daemon.register("successor")];
  const { workItem } = await victim.client.call("work-item.create", { title: "Split the checkout" });
  await victim.client.call("work-item.claim", { id: workItem.id });
  const child = await daemon.user.call("agent.register", {
    sessionKey: "session-marten/tests",
    client: "claude-code",
    project: { path: daemon.repository },
    name: "marten-tests",
    parent: victim.agent.id,
  });
  await daemon.clientOf({ token: child.token }).call("reservation.acquire", { paths: ["test/checkout.ts"] });
  const { reservation } = await victim.client.call("reservation.acquire", { patterns: ["src/checkout/**"] });
  await victim.client.call("reservation.release", { id: reservation.id });
  await crash(victim);
  const { handoff } = await heir.client.call("agent.handoff", { id: victim.agent.id });
  expect(handoff).toMatchObject({
    agent: { name: "marten" },
    status: "offline",
    reason: "process-gone",
    branch: "main",
    reservations: [{ paths: ["src/marten.ts"], reason: "mid-edit" }],
    workItems: [{ id: workItem.id, title: "Split the checkout" }],
    children: [{ id: child.agent.id, name: "marten-tests" }],
    touched: ["src/checkout/**", "src/marten.ts"],
    // The glob was given back again, so the last thing it began is its sub-agent.
    step: { type: "agent.registered", what: "marten-tests" },
  });
  // The child went with its parent and left a handoff of its own.
  const { handoff: childs } = await heir.client.call("agent.handoff", { id: child.agent.id });
  expect(childs).toMatchObject({ reason: "parent-offline", reservations: [{ paths: ["test/checkout.ts"] }] });
  const printed = await daemon.sylk(["agent", "handoff", victim.agent.id]);
  for (const text of ["marten", "src/marten.ts", "Split the checkout", "marten-tests"])
    expect(printed.stdout).toContain(text);
});

it("gives a session that comes back its identity, with what is still free, and says what it lost to whom [IDN-6]", async () => {
  const [victim, rival] = [await editing("egret"), await daemon.register("rival")];
  await victim.client.call("reservation.acquire", { paths: ["kept.ts"], patterns: ["kept/**"] });
  const items = await Promise.all(
    ["Kept work", "Lost work"].map(async (title) => {
      const { workItem } = await victim.client.call("work-item.create", { title });
      await victim.client.call("work-item.claim", { id: workItem.id });
      return workItem;
    }),
  );
  await crash(victim);
  await rival.client.call("reservation.acquire", { paths: ["src/egret.ts"] });
  await rival.client.call("work-item.claim", { id: items[1]!.id });

  const wanted = { sessionKey: "session-egret", client: "claude-code", project: { path: daemon.repository } } as const;
  const { agent, homecoming } = await daemon.user.call("agent.register", wanted);
  expect(agent).toMatchObject({ id: victim.agent.id, name: "egret", status: "active" });
  expect(homecoming).toMatchObject({
    regained: { reservations: [expect.stringMatching(/^rsv_/)], workItems: [items[0]!.id] },
    lost: [
      { kind: "reservation", what: "src/egret.ts", holder: { name: "rival" } },
      { kind: "work-item", what: "Lost work", holder: { name: "rival" } },
    ],
  });
  const { items: held } = await daemon.user.call("reservation.list", { path: "kept/a.ts" });
  expect(held).toMatchObject([{ holder: { name: "egret" }, paths: ["kept.ts"], patterns: ["kept/**"] }]);
  // The old token still speaks for the same agent, and its process is not asked for again.
  expect((await victim.client.call("agent.get", { id: agent.id })).agent.status).toBe("active");
});

it("deletes nothing of what a crashed run left: it is put aside, and doctor lists it and how to get it back", async () => {
  const before = await daemon.sylk(["doctor"]);
  expect(before.stdout).toMatch(/ok +quarantine +nothing is in quarantine/);
  const id = await startRun({ daemon });
  const { tree } = (await waitingApproval(id, { daemon }).then(() => daemon.user.call("run.get", { id }))).run
    .workspace!;
  writeFileSync(join(tree, "half-written.ts"), "export const half = 1;\n");
  await daemon.kill();
  await daemon.restart();
  await cancelRun(id, { daemon });
  const { reference } = await daemon.user.call("run.discard", { id });
  const after = await daemon.sylk(["doctor"]);
  expect(after.stdout).toContain(`1 in quarantine: ${reference}`);
  expect(after.stdout).toContain("git branch back <name>");
  const kept = execFileSync("git", ["show", `${reference}:half-written.ts`], { cwd: daemon.repository });
  expect(kept.toString()).toContain("half = 1");
});

it("keeps every kind of unsaved work of a run that crashed, by one command of git, and lists it in doctor [CRSH-3]", async () => {
  await using own = await openScratchDaemon();
  const quarantine = async () => {
    const { findings } = jsonOf<Findings>(await own.sylk(["doctor", "--json"]));
    return findings.find(({ check }) => check === "quarantine")!;
  };
  expect(await quarantine()).toMatchObject({ state: "ok" });
  const id = await startRun({ daemon: own });
  await waitingApproval(id, { daemon: own });
  const { workspace } = (await own.user.call("run.get", { id })).run;
  const { tree } = workspace!;
  const inTree = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
      cwd: tree,
      encoding: "utf8",
    });
  const tracked = inTree("ls-files").trim().split("\n")[0]!;
  writeFileSync(join(tree, "committed.ts"), "export const committed = 1;\n");
  inTree("add", "committed.ts");
  inTree("commit", "-q", "-m", "only on the branch of the run");
  writeFileSync(join(tree, "staged.ts"), "export const staged = 1;\n");
  inTree("add", "staged.ts");
  writeFileSync(join(tree, tracked), "changed and not staged\n");
  await own.kill();
  await own.restart();
  await cancelRun(id, { daemon: own });
  // A process of the run that outlived everything still writes.
  mkdirSync(join(tree, "deep"), { recursive: true });
  writeFileSync(join(tree, "deep", "untracked.ts"), "export const untracked = 1;\n");
  const { reference } = await own.user.call("run.discard", { id });
  expect(existsSync(tree)).toBe(false);
  expect((await quarantine()).what).toContain(`1 in quarantine: ${reference}`);
  const kept = (path: string) =>
    execFileSync("git", ["show", `${reference}:${path}`], { cwd: own.repository, encoding: "utf8" });
  expect([kept("committed.ts"), kept("staged.ts"), kept("deep/untracked.ts"), kept(tracked)]).toEqual([
    "export const committed = 1;\n",
    "export const staged = 1;\n",
    "export const untracked = 1;\n",
    "changed and not staged\n",
  ]);
  execFileSync("git", ["branch", "back", reference!], { cwd: own.repository });
  execFileSync("git", ["gc", "-q", "--prune=now"], { cwd: own.repository });
  expect(kept("committed.ts")).toContain("committed");
});

it("finds out after its own crash who went meanwhile [IDN-5, CRSH-1]", async () => {
  const victim = await editing("ibis");
  await daemon.kill();
  await killAndWait(victim.process.pid);
  await daemon.restart();
  const since = clock.monotonic();
  await until("the agent is offline", () => offlineEvent(victim.agent), { withinMs: 5_000 });
  expect(clock.monotonic() - since).toBeLessThan(2_000);
  const heir = await daemon.register("late-heir");
  await heir.client.call("reservation.acquire", { paths: ["src/ibis.ts"] });
});

it("takes a silent agent without a process offline at the stale limit, and keeps of the long gone only the name [IDN-5, IDN-9]", async () => {
  await using own = await openScratchDaemon({ env: { SYLK_AGENTS_STALE_AFTER_MS: "1500" } });
  const { agent, client } = await own.register("silent-one");
  await client.call("reservation.acquire", { paths: ["a.ts"] });
  const namesWith = async (status?: Agent["status"]) =>
    (await own.user.call("agent.list", status === undefined ? {} : { status })).items.map(({ name }) => name);
  const listed = async () => (await own.user.call("event.list", { type: "agent.offline" })).items;
  const [event] = await until("it is offline", async () => ((await listed()).length > 0 ? listed() : undefined));
  expect(event).toMatchObject({ subject: agent.id, data: { reason: "silent" } });
  expect([await namesWith(), await namesWith("offline")]).toEqual([[], ["silent-one"]]);
  expect((await own.user.call("reservation.list", {})).items).toEqual([]);

  await own.kill();
  const database = new Database(own.paths.database);
  database.prepare("UPDATE agents SET offline_at = offline_at - ?").run(15 * 24 * 3_600_000);
  database.close();
  await own.restart();
  await until("it is compacted", async () => (await namesWith("offline")).length === 0);
  expect((await own.user.call("agent.get", { id: agent.id })).agent).toMatchObject({
    name: "silent-one",
    status: "offline",
  });
  expect((await listed())[0]!.data).toMatchObject({ agent: { name: "silent-one" } });
  const { agent: other } = await own.user.call("agent.register", {
    sessionKey: "another",
    client: "other",
    project: { path: own.repository },
    name: "silent-one",
  });
  expect(other.name).toBe("silent-one-2");
});
