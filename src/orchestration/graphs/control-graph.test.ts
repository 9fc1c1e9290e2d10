import { describe, expect, it } from "vitest";
import type { RawInputOf } from "../../contract/index.ts";
import type { GraphHost } from "./graph-host-port.ts";
import {
  type CarryOut,
  type NodeTerms,
  playedCommands,
  type Policy,
  type ScratchDags,
  scratchDags,
} from "./testkit.ts";

/** Commands that end only when the test says so. */
function heldCommands() {
  const held = new Map<string, (exitCode: number) => void>();
  const begun: string[] = [];
  const carryOut: CarryOut = ({ node, request: { signal } }) => {
    begun.push(node);
    const { promise, resolve } = Promise.withResolvers<{ exitCode?: number; end?: "aborted" }>();
    held.set(node, (exitCode) => resolve({ exitCode }));
    signal?.addEventListener("abort", () => resolve({ end: "aborted" }));
    return promise;
  };
  return { begun, commands: playedCommands(carryOut), end: (node: string, exitCode = 0) => held.get(node)!(exitCode) };
}

async function world(nodes: NodeTerms, policy: Policy = {}) {
  const at = scratchDags();
  const held = heldCommands();
  const dag = await at.add(nodes, policy);
  const host = at.host(held.commands);
  await host.launch(dag.id);
  return { ...held, ...asUser(at, host), at, host, id: dag.id, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

function asUser(at: ScratchDags, host: GraphHost) {
  const act = at.operations(host);
  return {
    cancel: (input: RawInputOf<"dag.cancel">) => act("dag.cancel", input),
    pause: (input: RawInputOf<"dag.pause">) => act("dag.pause", input),
    resume: (input: RawInputOf<"dag.resume">) => act("dag.resume", input),
    retry: (input: RawInputOf<"dag.retry">) => act("dag.retry", input),
    passOver: (input: RawInputOf<"dag.skip">) => act("dag.skip", input),
    answer: (input: RawInputOf<"dag.answer">) => act("dag.answer", input),
    adjust: (input: RawInputOf<"dag.adjust">) => act("dag.adjust", input),
    show: async (input: RawInputOf<"dag.show">) => (await act("dag.show", input)).dag,
    list: async (input: RawInputOf<"dag.list"> = {}) => (await act("dag.list", input)).items,
  };
}

async function until<T>(probe: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let looks = 0; looks < 5_000; looks++) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it did not happen");
}

const chain = { a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"] } };

describe("a DAG run that is under way", () => {
  it("is cancelled with everything of it, and the reason is kept [DAG-18, DAG-25]", async () => {
    using at = await world(chain);
    await until(() => at.begun.includes("a"));
    const { dag } = await at.cancel({ id: at.id, reason: "wrong branch" });
    expect([dag.status, dag.nodes.map(({ state }) => state)]).toEqual(["cancelled", ["cancelled", "cancelled"]]);
    await expect(at.cancel({ id: at.id })).rejects.toMatchObject({ code: "dag.not-possible" });
  });

  it("starts nothing while it is paused, and continues when it is resumed", async () => {
    using at = await world(chain);
    await until(() => at.begun.includes("a"));
    expect((await at.pause({ id: at.id })).dag.status).toBe("paused");
    at.end("a");
    await until(async () => (await at.at.statesOf(at.id)).a === "succeeded");
    expect(at.begun).toEqual(["a"]);
    await expect(at.pause({ id: at.id })).rejects.toMatchObject({ code: "dag.not-possible" });
    await at.resume({ id: at.id });
    await until(() => at.begun.includes("b"));
    at.end("b");
    await at.host.over(at.id);
    expect((await at.show({ id: at.id })).status).toBe("succeeded");
  });

  it("that is paused over a restart can be cancelled and resumed by the next daemon", async () => {
    using at = await world(chain);
    await until(() => at.begun.includes("a"));
    await at.pause({ id: at.id, abort: true });
    await at.host.close();
    const host = at.at.host(playedCommands());
    await host.resumeAll({ autoResume: true });
    const next = asUser(at.at, host);
    expect([host.live(at.id), (await next.show({ id: at.id })).status]).toEqual([undefined, "paused"]);
    await next.passOver({ id: at.id, node: "b" });
    await next.resume({ id: at.id });
    await host.over(at.id);
    expect(await at.at.statesOf(at.id)).toEqual({ a: "succeeded", b: "skipped" });
  });

  it("waits for an approval without holding a place, and continues with the answer", async () => {
    using at = await world({ gate: { run: ["gate"], approve: true } });
    const asked = await until(async () => (await at.show({ id: at.id })).nodes.find(({ question }) => question));
    expect(asked).toMatchObject({ state: "blocked", question: "Run gate? gate" });
    expect([(await at.show({ id: at.id })).status, at.begun]).toEqual(["waiting", []]);
    expect((await at.list({ status: "waiting" })).map(({ id }) => id)).toEqual([at.id]);
    expect(await at.list({ status: "running" })).toEqual([]);
    await at.answer({ id: at.id, node: "gate", decision: "approve" });
    await until(() => at.begun.includes("gate"));
    at.end("gate");
    await at.host.over(at.id);
    expect(await at.at.statusOf(at.id)).toBe("succeeded");
    await expect(at.answer({ id: at.id, node: "gate", decision: "approve" })).rejects.toMatchObject({
      code: "dag.not-possible",
    });
  });

  it("fails a node that was rejected, and asks again when it is retried", async () => {
    using at = await world({ gate: { run: ["gate"], approve: true } });
    await until(async () => (await at.at.statesOf(at.id)).gate === "blocked");
    await at.answer({ id: at.id, node: "gate", decision: "reject", reason: "not on a Friday" });
    await at.host.over(at.id);
    expect((await at.show({ id: at.id })).nodes[0]).toMatchObject({
      state: "failed",
      error: "it was rejected: not on a Friday",
    });
    await at.retry({ id: at.id, node: "gate" });
    await until(async () => (await at.at.statesOf(at.id)).gate === "blocked");
    expect([at.begun, (await at.show({ id: at.id })).status]).toEqual([[], "waiting"]);
  });

  it("is adjusted as a new version; an adjustment for an older one is refused", async () => {
    using at = await world(chain);
    await until(() => at.begun.includes("a"));
    const more = { c: { run: ["c"], dependsOn: ["a"] }, b: { run: ["b2"], dependsOn: ["c"] } };
    const { dag } = await at.adjust({ id: at.id, nodes: more, expectedVersion: 1 });
    expect([dag.version, dag.nodes.map(({ name, text }) => [name, text])]).toEqual([
      2,
      [
        ["a", "a"],
        ["c", "c"],
        ["b", "b2"],
      ],
    ]);
    await expect(at.adjust({ id: at.id, remove: ["b"], expectedVersion: 1 })).rejects.toMatchObject({
      code: "dag.stale",
      details: { version: 2 },
    });
    await expect(at.adjust({ id: at.id, nodes: { d: { run: ["d"], dependsOn: ["x"] } } })).rejects.toMatchObject({
      code: "input.invalid",
      details: { problems: [{ path: "nodes.d.dependsOn", message: expect.stringContaining('"x"') }] },
    });
    at.end("a");
    await until(() => at.begun.includes("c"));
    at.end("c");
    await until(() => at.begun.includes("b"));
    at.end("b");
    await at.host.over(at.id);
    expect((await at.show({ id: at.id })).progress).toEqual({ done: 3, total: 3 });
  });
});

describe("a DAG run that has ended", () => {
  it("is taken up again by a retry, with what was skipped because of it [DAG-6]", async () => {
    using at = await world(chain, { failFast: false });
    await until(() => at.begun.includes("a"));
    at.end("a", 1);
    await at.host.over(at.id);
    expect((await at.show({ id: at.id })).nodes.map(({ state, cause }) => [state, cause])).toEqual([
      ["failed", undefined],
      ["skipped", "failed:a"],
    ]);
    expect((await at.retry({ id: at.id, node: "a" })).dag.status).toBe("running");
    await until(() => at.begun.length === 2);
    at.end("a");
    await until(() => at.begun.includes("b"));
    at.end("b");
    await at.host.over(at.id);
    expect(await at.at.statusOf(at.id)).toBe("succeeded");
    await expect(at.retry({ id: at.id, node: "a" })).rejects.toMatchObject({ code: "dag.not-possible" });
    expect(await at.at.statusOf(at.id), "a refusal changes nothing").toBe("succeeded");
  });

  it("is shown with one node's output, and knows no other nodes", async () => {
    using at = scratchDags();
    const dag = await at.add({ a: { run: ["a"] } });
    const host = at.host(playedCommands(async () => ({ output: "all of it\n" })));
    await host.launch(dag.id);
    await host.over(dag.id);
    const { show, retry } = asUser(at, host);
    expect((await show({ id: dag.id })).nodes[0]).not.toHaveProperty("output");
    expect((await show({ id: dag.id, node: "a" })).nodes[0]).toMatchObject({ output: "all of it\n", exitCode: 0 });
    await expect(show({ id: dag.id, node: "b" })).rejects.toMatchObject({ code: "dag.not-found" });
    await expect(retry({ id: dag.id, node: "b" })).rejects.toMatchObject({ code: "dag.not-found" });
  });
});
