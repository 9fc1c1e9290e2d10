import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type NodeCall, openEngine, type SessionMessage } from "./engine.ts";
import { manualClock } from "../../platform/clock/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import { homePaths } from "../../platform/home/index.ts";
import { takeProcessLock } from "../../platform/store/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";

const policy = { maxConcurrency: 50, failFast: false, retry: { max: 0 }, timeoutMs: 60_000 };
const nodes = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { prompt: name, role: "engineer" }]));

async function world(settings: Partial<Settings> = {}) {
  const folder = scratchFolder();
  const clock = manualClock();
  const directory = join(folder.path, "engine");
  const played = playedNodes();
  const open = () => openEngine({ directory, settings, clock, agents: ["architect"], carryOut: played.carryOut });
  let engine = await open();
  const newSession = async () => {
    const { id } = await engine.sessions.create({ project: engine.project, name: "checkout" });
    await engine.sessions.resume(id);
    return id;
  };
  return {
    clock,
    directory,
    played,
    open,
    newSession,
    get engine() {
      return engine;
    },
    async again() {
      await engine.close();
      engine = await open();
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Nodes that end when the test says so. */
function playedNodes() {
  const ended = new Map<string, PromiseWithResolvers<string>>();
  const begun: string[] = [];
  const of = (id: string) => ended.get(id) ?? ended.set(id, Promise.withResolvers<string>()).get(id)!;
  return {
    begun,
    end: (id: string) => of(id).resolve(`did ${id}`),
    async carryOut({ node, signal }: NodeCall): Promise<string> {
      begun.push(node);
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      return Promise.race([of(node).promise, stopped]);
    },
  };
}

async function until(what: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !what(); turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(what()).toBe(true);
}

describe("an engine", () => {
  it("has its directory to itself, under the lock a daemon would take, and gives it back", async () => {
    await using at = await world();
    await expect(at.open()).rejects.toMatchObject({ code: "daemon.already-running", details: { home: at.directory } });
    const { lock } = homePaths({ SYLK_HOME: at.directory });
    expect(takeProcessLock(lock)).toBeUndefined();
    const { project } = at.engine;
    await at.again();
    expect(at.engine.project).toBe(project);
  });

  it("runs a graph in a session's share of the pool and says how far it is [SM-14, SM-30]", async () => {
    await using at = await world({ "sessions.maxEngineers": 2, "engineers.max": 3, "pool.workers": 10 });
    const sessions = [await at.newSession(), await at.newSession()];
    const { played } = at;
    const names = ["a", "b", "c"];
    const ids = await Promise.all(
      sessions.map((session, index) =>
        at.engine.dags.run(session, { name: "build", nodes: nodes(...names.map((name) => `${name}${index}`)), policy }),
      ),
    );
    await until(() => played.begun.length === 3);
    const started = { dag: ids[0], objective: "build", phase: "execution", status: "running", unfinished: 1 };
    expect(await at.engine.sessions.workflow(sessions[0]!)).toMatchObject({
      ...started,
      progress: { done: 0, total: 3 },
    });
    const { groups, running, waiting } = at.engine.pool.metrics();
    expect([running, waiting, groups[sessions[0]!]!.running]).toEqual([3, 3, 2]);
    for (const name of names) for (const index of [0, 1]) played.end(`${name}${index}`);
    for (const id of ids) expect((await at.engine.dags.result(id)).status).toBe("succeeded");
    expect(await at.engine.sessions.workflow(sessions[0]!)).toMatchObject({
      dag: ids[0],
      phase: "complete",
      status: "succeeded",
      progress: { done: 3, total: 3 },
      unfinished: 0,
    });
  });

  it("counts a node's time from its slot, not from the queue [POOL-15]", async () => {
    await using at = await world({ "pool.workers": 1 });
    const graph = { long: { prompt: "long", timeoutMs: 1_000 }, next: { prompt: "next", timeoutMs: 100 } };
    const id = await at.engine.dags.run(await at.newSession(), { nodes: graph, policy });
    await until(() => at.played.begun.length === 1);
    at.clock.advance(900); // "next" has waited nine times its limit
    at.played.end("long");
    await until(() => at.played.begun.length === 2);
    at.clock.advance(101);
    const { status, nodes: ended } = await at.engine.dags.result(id);
    expect([status, ended.get("long")!.state]).toEqual(["failed", "succeeded"]);
    expect(ended.get("next")!.error).toMatchObject({ class: "timeout" });
  });

  it("stops a graph with its session, continues with it, and cancels it with its end [SM-28]", async () => {
    await using at = await world();
    const { played } = at;
    const session = await at.newSession();
    const graph = { a: { prompt: "a" }, b: { prompt: "b", dependsOn: ["a"] } };
    const id = await at.engine.dags.run(session, { nodes: graph, policy });
    await until(() => played.begun.length === 1);
    await at.engine.sessions.pause(session);
    await until(() => at.engine.pool.metrics().running === 0);
    expect(await at.engine.sessions.workflow(session)).toMatchObject({ dag: id, phase: "execution", status: "paused" });
    played.end("a");
    expect(played.begun).toEqual(["a"]);
    await at.engine.sessions.resume(session);
    await until(() => played.begun.join() === "a,a,b");
    await at.engine.sessions.close(session);
    const { status, nodes: ended } = await at.engine.dags.result(id);
    expect([status, ended.get("a")!.state, ended.get("b")!.state]).toEqual(["cancelled", "succeeded", "cancelled"]);
    expect([at.engine.pool.metrics().groups[session], at.engine.bus.size]).toEqual([undefined, 0]);
  });

  it("continues by itself with a graph that was cut off: what was done stays done, what ran runs again [SM-14, SM-22]", async () => {
    await using at = await world();
    const { played } = at;
    const session = await at.newSession();
    const graph = { a: { prompt: "a" }, b: { prompt: "b", dependsOn: ["a"] } };
    const id = await at.engine.dags.run(session, { nodes: graph, policy });
    played.end("a");
    await until(() => played.begun.join() === "a,b");
    await at.again();
    await until(() => played.begun.join() === "a,b,b");
    const workflow = { dag: id, phase: "execution", status: "running", progress: { done: 1, total: 2 } };
    expect(await at.engine.sessions.workflow(session)).toMatchObject(workflow);
    played.end("b");
    const { status, nodes: ended } = await at.engine.dags.result(id);
    expect([status, ended.get("a")!.result]).toEqual(["succeeded", "did a"]);
  });

  it("says which session a client looks at, counts sessions by state, and closes all of them [SM-5]", async () => {
    await using at = await world();
    const { sessions } = at.engine;
    expect(await sessions.getActive("ada")).toBeUndefined();
    const [looked, suspended] = [await at.newSession(), await at.newSession()];
    const unused = await sessions.create({ project: at.engine.project, name: "unused" });
    await sessions.switch(looked, "ada");
    await sessions.suspend(suspended);
    expect([(await sessions.getActive("ada"))?.id, await sessions.getActive("bob")]).toEqual([looked, undefined]);
    const none = { created: 0, active: 0, paused: 0, suspended: 0, completed: 0, failed: 0 };
    const counted = { ...none, created: 1, active: 1, suspended: 1 };
    expect(await sessions.stats()).toEqual({ states: counted, open: 2, limit: 100, inMemory: 2, waiting: 0 });
    await at.again();
    const all = await at.engine.sessions.closeAll({ reason: "the day is over" });
    expect(new Map(all.map(({ id, state, reason }) => [id, `${state}: ${reason}`]))).toEqual(
      new Map([
        [looked, "completed: the day is over"],
        [suspended, "completed: the day is over"],
        [unused.id, "failed: it was not used"],
      ]),
    );
    expect(await at.engine.sessions.getActive("ada")).toBeUndefined();
    const { states, open, inMemory } = await at.engine.sessions.stats();
    expect([states, open, inMemory]).toEqual([{ ...none, completed: 2, failed: 1 }, 0, 0]);
    expect([await at.engine.sessions.closeAll(), at.engine.bus.size]).toEqual([[], 0]);
  });

  it("leaves no timer, topic or subscription, whatever was under way [SM-8]", async () => {
    await using at = await world({ "pool.adaptive": "on" });
    const session = await at.newSession();
    const { bus } = await at.engine.sessions.context(session);
    const heard: SessionMessage[] = [];
    bus.subscribe("**", (message) => void heard.push(message));
    await at.engine.dags.run(session, { nodes: nodes("a"), policy });
    await until(() => at.played.begun.length === 1);
    const { bus: all } = at.engine;
    expect(at.clock.pendingTimers()).toBeGreaterThan(0);
    await at.engine.close();
    expect([all.size, at.clock.pendingTimers(), bus.topics]).toEqual([0, 0, []]);
  });
});
