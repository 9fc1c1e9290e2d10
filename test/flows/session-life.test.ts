/** Sessions through the command line: what they hold rests, goes on and ends with them, over restarts and kills. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run, RunId, SessionId } from "../../src/contract/index.ts";
import { workersUnder } from "./run-processes.ts";
import { jsonOf } from "./run-sylk.ts";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, patience, type Shop, shopEnv, workOf } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: { ...shopEnv, SYLK_POOL_WORKERS: "1" } });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const userIn = (shop: Shop) => daemon.clientOf({ project: shop.repository });
const newSession = async (shop: Shop, name: string): Promise<SessionId> =>
  (await userIn(shop).call("session.create", { name })).session.id;
const shown = async (shop: Shop, id: SessionId) => (await userIn(shop).call("session.get", { id })).session;
const runOf = async (id: RunId): Promise<Run> => (await daemon.user.call("run.get", { id })).run;
const running = (id: RunId) => until("its engineer works", async () => workOf(await runOf(id))[0]?.agent, patience);

/** Its engineer works until somebody lets it go on. */
const heldChange = (key: string) => [
  plan([{ key }]),
  ...work(
    key,
    write(`held/${key}.test.ts`, waiting(gate(key))),
    command("node", "--test", `held/${key}.test.ts`),
    finish(),
  ),
];
/** In the home: the sandbox shows it, and hides other temporary folders. */
const gate = (key: string): string => join(daemon.env.HOME!, `${key}.gate`);
const openGate = (key: string) => writeFileSync(gate(key), "");
const waiting = (file: string): string => `
import { existsSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
test("goes on when it may", async () => {
  while (!existsSync(${JSON.stringify(file)})) await setTimeout(20);
});
`;

async function startIn(shop: Shop, session: SessionId, turns: Parameters<Shop["start"]>[0]): Promise<RunId> {
  const { run } = await daemon.user.call("run.start", {
    request: "Change the shop",
    project: { path: shop.repository },
    session,
    approve: true,
    rehearse: shop.scenario(turns),
    testCommand: ["node", "test/format.test.ts"],
    environment: { PATH: shopEnv.PATH! },
  });
  return run.id;
}

describe("a session with a run", { timeout: 180_000 }, () => {
  it("is paused with it before it says so, survives kill -9, and continues to the end [SM-19, SM-20, SM-28]", async () => {
    const shop = makeQuickShop(daemon);
    const id = await newSession(shop, "till");
    await userIn(shop).call("session.switch", { id });
    const run = await startIn(shop, id, heldChange("price"));
    await running(run);
    const paused = await shop.sylk("session", "pause");
    expect([paused.code, paused.stdout.trim()]).toEqual([0, `${id} "till" is paused`]);
    expect([(await runOf(run)).status, workersUnder(daemon.root)]).toEqual(["paused", []]);
    expect((await runOf(run)).reason).toContain(`sylk session resume ${id}`);

    for (const refused of [
      await shop.sylk("resume", run, "--json"),
      await shop.sylk("run", "x", "--rehearse", shop.scenario(goodChange()), "--json"),
    ])
      expect(jsonOf(refused)).toMatchObject({ error: { code: "session.not-possible", details: { state: "paused" } } });

    await daemon.kill();
    await daemon.restart({ env: { ...shopEnv, SYLK_POOL_WORKERS: "1" } });
    expect(await shown(shop, id)).toMatchObject({
      state: "paused",
      focused: true,
      saved: "well",
      workflow: { dag: run, phase: "execution", progress: { done: 0, total: 1 } },
    });
    expect((await runOf(run)).status).toBe("paused");
    openGate("price");
    expect((await shop.sylk("session", "resume")).stdout.trim()).toBe(`${id} "till" is active`);
    await until("the run is verified", async () => (await runOf(run)).status === "verified", patience);
    expect((await shown(shop, id)).workflow).toEqual({
      phase: "complete",
      dag: run,
      objective: "Change the shop",
      status: "verified",
      progress: { done: 1, total: 1 },
      unfinished: 0,
    });
  });

  it("ends with its run cancelled, its worker gone, its topics removed and its history kept [SM-8, SM-31, BUS-3]", async () => {
    const shop = makeQuickShop(daemon);
    const id = await newSession(shop, "dead end");
    expect((await shown(shop, id)).topics).toContain(`session.${id}.architect.requests`);
    const run = await startIn(shop, id, heldChange("tax"));
    await running(run);
    await userIn(shop).call("session.close", { id, reason: "too slow" });
    expect([(await runOf(run)).status, workersUnder(daemon.root)]).toEqual(["cancelled", []]);
    expect(await shown(shop, id)).toMatchObject({ state: "completed", reason: "too slow", topics: [], saved: "never" });
    const { items } = await userIn(shop).call("history.list", { query: "dead end", sessions: [id] });
    expect(items.map((entry) => [entry.id, entry.category])).toEqual([[id, "session"]]);
    const { session: unused } = await userIn(shop).call("session.close", { id: await newSession(shop, "never mind") });
    expect([unused.state, unused.reason]).toEqual(["failed", "it was not used"]);
  });
});

it("switching back and forth keeps each as it was, and runs go to the one looked at [SM-15, SM-23, SM-27]", async () => {
  const shop = makeQuickShop(daemon);
  const [one, other] = [await newSession(shop, "one"), await newSession(shop, "other")];
  await userIn(shop).call("session.switch", { id: one });
  const scenario = ["--rehearse", shop.scenario(goodChange()), "--yes", "--test-command", "node test/format.test.ts"];
  const told = await shop.sylk("run", "Change the shop", ...scenario);
  expect([told.code, told.stderr]).toEqual([0, expect.stringContaining(`in your current session: ${one}`)]);
  const first = (await userIn(shop).call("run.list", { limit: 1 })).items[0]!;
  expect([first.status, first.session]).toEqual(["verified", one]);
  const left = await shop.sylk("session", "switch", other);
  expect(left.stdout).toContain(`left ${one} "one", which is paused`);
  expect((await shown(shop, other)).workflow.phase).toBe("session");
  const back = await userIn(shop).call("session.switch", { id: one, onBlur: "background" });
  expect([back.session.state, back.previous?.state]).toEqual(["active", "active"]);
  expect((await shown(shop, one)).workflow).toMatchObject({ dag: first.id, phase: "complete" });
  const { items, focused } = await userIn(shop).call("session.list", {});
  expect([items.map(({ id }) => id), focused]).toEqual([[other, one], one]);
});

it("what a session made for a run or a graph is at is true without anybody holding it, also after kill -9 [SM-14, SM-23]", async () => {
  const shop = makeQuickShop(daemon);
  const started = await daemon.user.call("run.start", {
    request: "Change the shop",
    project: { path: shop.repository },
    rehearse: shop.scenario(goodChange()),
  });
  const { id: run, session } = started.run;
  await until("its plan waits", async () => (await runOf(run)).status === "awaiting_approval", patience);
  const nodes = { gate: { run: ["true"], approve: true } };
  const { dag } = await daemon.user.call("dag.run", { name: "gate", project: { path: shop.repository }, nodes });
  const ofGraph = async () => (await shown(shop, dag.session)).workflow;
  await until("its node waits", async () => (await ofGraph()).status === "waiting", patience);
  await daemon.kill();
  await daemon.restart({ env: { ...shopEnv, SYLK_POOL_WORKERS: "1" } });
  expect(await shown(shop, session)).toMatchObject({
    implicit: true,
    workflow: { dag: run, phase: "planning", status: "awaiting_approval", unfinished: 1 },
  });
  expect(await ofGraph()).toMatchObject({ dag: dag.id, objective: "gate", phase: "execution", status: "waiting" });
  const listed = (await shop.sylk("session", "list")).stdout;
  expect(listed).toMatch(new RegExp(`${session} +active +awaiting approval, 0 of 1 node done`));
  expect(listed).toMatch(new RegExp(`${dag.session} +active +waiting, 0 of 1 node done`));
  await daemon.user.call("run.cancel", { id: run });
  await daemon.user.call("dag.cancel", { id: dag.id });
  expect((await shown(shop, session)).workflow).toMatchObject({
    phase: "complete",
    status: "cancelled",
    unfinished: 0,
  });
  await until("the graph has ended", async () => (await ofGraph()).phase === "complete", patience);
});

it("what a session prefers holds for runs there that do not say otherwise; promoted, for all of the project [SM-32]", async () => {
  const shop = makeQuickShop(daemon);
  const [one, other] = [await newSession(shop, "one"), await newSession(shop, "other")];
  const budgetIn = async (session: SessionId | undefined, budget?: number) => {
    const { run } = await daemon.user.call("run.start", {
      request: "Change the shop",
      project: { path: shop.repository },
      rehearse: shop.scenario(goodChange()),
      ...(session === undefined ? {} : { session }),
      ...(budget === undefined ? {} : { budget }),
    });
    await daemon.user.call("run.cancel", { id: run.id });
    const { items } = await userIn(shop).call("run.list", { limit: 1 });
    return items[0]!.budget;
  };
  await userIn(shop).call("session.switch", { id: one });
  const set = await shop.sylk("session", "set", "budget", "200k");
  expect([set.code, set.stdout.trim()]).toEqual([0, `${one} "one" has the preferences budget 200000`]);
  expect([await budgetIn(one), await budgetIn(other)]).toEqual([200_000, undefined]);
  expect((await shop.sylk("session", "promote", "budget")).code).toBe(0);
  expect([await budgetIn(undefined), await budgetIn(other, 5)]).toEqual([200_000, 5]);
});

it("engineers of all sessions share the pool's slots; waiting is counted apart from work [POOL-9, POOL-14, POOL-16]", async () => {
  const shop = makeQuickShop(daemon);
  const [left, right] = [await newSession(shop, "left"), await newSession(shop, "right")];
  const stats = () => daemon.user.call("session.stats", {});
  await running(await startIn(shop, left, heldChange("left")));
  const run = await startIn(shop, right, goodChange(["right"]));
  await until("one works and one waits", async () => (await stats()).pool.waiting === 1, patience);
  expect((await shop.sylk("status")).stdout).toMatch(/pool +1 of 1 slots in use, 1 waiting/);
  const { pool } = await stats();
  expect(pool.lanes.find(({ lane }) => lane === "normal")).toMatchObject({ waiting: 1 });
  expect(pool.sessions.find(({ session }) => session === right)).toMatchObject({ waiting: 1, running: 0 });
  const { session: closed } = await userIn(shop).call("session.close", { id: left });
  await until("it is verified", async () => (await runOf(run)).status === "verified", patience);
  expect(workOf(await runOf(run))[0]!.startedAt, "its time began with its slot").toBeGreaterThanOrEqual(
    closed.endedAt!,
  );
  const after = (await stats()).pool;
  expect(after.sessions.find(({ session }) => session === right)).toMatchObject({ finished: 1, wait: { count: 1 } });
  expect(after.sessions.some(({ session }) => session === left)).toBe(false);
  expect((await shop.sylk("session", "stats")).stdout).toMatch(/^normal +0 +\d+/m);
});

it("a daemon told to stop saves every session by itself, and refuses one beyond the limit [SM-7, SM-22, SM-30]", async () => {
  const shop = makeQuickShop(daemon);
  const id = await newSession(shop, "kept");
  await userIn(shop).call("session.resume", { id });
  await daemon.sylk(["down"]);
  await daemon.restart({ env: { ...shopEnv, SYLK_SESSIONS_MAX: "1" } });
  expect(await shown(shop, id)).toMatchObject({ state: "active", saved: "well" });
  const refused = await shop.sylk("session", "new", "one too many", "--json");
  expect([refused.code, jsonOf(refused)]).toMatchObject([
    6,
    { error: { code: "session.limit", details: { limit: 1 } } },
  ]);
  const run = await shop.sylk("run", "x", "--rehearse", shop.scenario(goodChange()), "--json");
  expect(jsonOf(run)).toMatchObject({ error: { code: "session.limit" } });
});
