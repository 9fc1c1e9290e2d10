import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DagNode, openEngine, type SessionMessage } from "./engine.ts";
import { manualClock } from "./platform/clock/index.ts";
import type { Settings } from "./platform/config/index.ts";
import { homePaths } from "./platform/home/index.ts";
import { takeProcessLock } from "./platform/store/index.ts";
import { scratchFolder } from "./platform/store/testkit.ts";

const policy = {
  maxConcurrency: 50,
  failFast: false,
  defaultRetry: { max: 0, backoffMs: 1 },
  defaultTimeoutMs: 60_000,
};
const node = (id: string, dependsOn: readonly string[] = [], other: Partial<DagNode> = {}): DagNode => ({
  id,
  role: "engineer",
  title: id,
  prompt: id,
  dependsOn,
  ...other,
});

async function world(settings: Partial<Settings> = {}) {
  const folder = scratchFolder();
  const clock = manualClock();
  const directory = join(folder.path, "engine");
  const open = () => openEngine({ directory, settings, clock, agents: ["architect"] });
  let engine = await open();
  const newSession = async () => {
    const { id } = await engine.sessions.create({ project: engine.project, name: "checkout" });
    await engine.sessions.resume(id);
    return id;
  };
  return {
    clock,
    directory,
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
    async dispatch({ id }: DagNode, { signal }: { readonly signal: AbortSignal }): Promise<string> {
      begun.push(id);
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      return Promise.race([of(id).promise, stopped]);
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
    const played = playedNodes();
    const nodes = ["a", "b", "c"];
    const runs = await Promise.all(
      sessions.map((session, index) =>
        at.engine.startDag(session, {
          id: "build",
          dag: { nodes: nodes.map((id) => node(`${id}${index}`)), policy },
          dispatch: played.dispatch,
        }),
      ),
    );
    await until(() => played.begun.length === 3);
    const { groups, running, waiting } = at.engine.pool.metrics();
    expect([running, waiting, groups[sessions[0]!]!.running]).toEqual([3, 3, 2]);
    for (const id of nodes) for (const index of [0, 1]) played.end(`${id}${index}`);
    for (const run of runs) expect((await run.finished).outcome).toBe("succeeded");
    const { workflow } = await at.engine.sessions.context(sessions[0]!);
    expect(workflow).toEqual({ dag: "build", phase: "complete", progress: { done: 3, total: 3 } });
  });

  it("counts a node's time from its slot, not from the queue [POOL-15]", async () => {
    await using at = await world({ "pool.workers": 1 });
    const played = playedNodes();
    const run = await at.engine.startDag(await at.newSession(), {
      id: "build",
      dag: { nodes: [node("long", [], { timeoutMs: 1_000 }), node("next", [], { timeoutMs: 100 })], policy },
      dispatch: played.dispatch,
    });
    await until(() => played.begun.length === 1);
    at.clock.advance(900); // "next" has waited nine times its limit
    played.end("long");
    await until(() => played.begun.length === 2);
    at.clock.advance(101);
    const { outcome, nodes } = await run.finished;
    expect([outcome, nodes.get("long")!.state]).toEqual(["failed", "succeeded"]);
    expect(nodes.get("next")!.error).toMatchObject({ class: "timeout" });
  });

  it("stops a graph with its session, goes on with it, and cancels it with its end [SM-28]", async () => {
    await using at = await world();
    const session = await at.newSession();
    const played = playedNodes();
    const dag = { nodes: [node("a"), node("b", ["a"])], policy };
    const run = await at.engine.startDag(session, { id: "build", dag, dispatch: played.dispatch });
    await until(() => played.begun.length === 1);
    await at.engine.sessions.pause(session);
    await until(() => at.engine.pool.metrics().running === 0);
    played.end("a");
    expect(played.begun).toEqual(["a"]);
    await at.engine.sessions.resume(session);
    await until(() => played.begun.join() === "a,a,b");
    await at.engine.sessions.close(session);
    expect((await run.finished).outcome).toBe("cancelled");
    expect([at.engine.pool.metrics().groups[session], at.engine.bus.size]).toEqual([undefined, 0]);
  });

  it("goes on with a graph that was cut off: what was done stays done, what ran runs again [SM-22]", async () => {
    await using at = await world();
    const session = await at.newSession();
    const played = playedNodes();
    const terms = { id: "build", dag: { nodes: [node("a"), node("b", ["a"])], policy }, dispatch: played.dispatch };
    const run = await at.engine.startDag(session, terms);
    const broken = run.finished.catch((error: unknown) => String(error));
    played.end("a");
    await until(() => played.begun.join() === "a,b");
    await at.again();
    expect(await broken).toContain("the engine was closed");
    expect((await at.engine.sessions.context(session)).workflow.progress).toEqual({ done: 1, total: 2 });
    const again = await at.engine.startDag(session, terms);
    played.end("b");
    expect((await again.finished).outcome).toBe("succeeded");
    expect(played.begun).toEqual(["a", "b", "b"]);
  });

  it("leaves no timer, topic or subscription, whatever was under way [SM-8]", async () => {
    await using at = await world({ "pool.adaptive": "on" });
    const session = await at.newSession();
    const { bus } = await at.engine.sessions.context(session);
    const heard: SessionMessage[] = [];
    bus.subscribe("**", (message) => void heard.push(message));
    const played = playedNodes();
    const run = await at.engine.startDag(session, {
      id: "build",
      dag: { nodes: [node("a")], policy },
      dispatch: played.dispatch,
    });
    run.finished.catch(() => {});
    await until(() => played.begun.length === 1);
    const { bus: all } = at.engine;
    expect(at.clock.pendingTimers()).toBeGreaterThan(0);
    await at.engine.close();
    expect([all.size, at.clock.pendingTimers(), bus.topics]).toEqual([0, 0, []]);
  });
});
