import { describe, expect, it } from "vitest";
import type { RawInputOf } from "../../contract/index.ts";
import type { GraphHost } from "./graph-host-port.ts";
import { engineDag } from "./graph.ts";
import { playedCommands, type ScratchDags, scratchDags } from "./testkit.ts";

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** Nothing ends before it is stopped. */
const endless = () =>
  playedCommands(({ request: { signal } }) => {
    const { promise, resolve } = Promise.withResolvers<{ end: "aborted" }>();
    const stop = () => resolve({ end: "aborted" });
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    return promise;
  });
const adjust = (at: ScratchDags, host: GraphHost, input: RawInputOf<"dag.adjust">) =>
  at.operations(host)("dag.adjust", input);

describe("a DAG run in the next daemon", () => {
  it("was put down as a whole: all of its nodes that were stopped wait again, and nothing is written later", async () => {
    using at = scratchDags();
    const names = ["a", "b", "c", "d"];
    const { id } = await at.add(Object.fromEntries(names.map((name) => [name, { run: [name] }])));
    const told: string[] = [];
    const host = at.host(endless(), { log: { error: (event) => (told.push(event), "") } });
    await host.launch(id);
    await until(async () => (await at.store.reader.processes.list()).length === names.length);
    await host.close();
    const states = await at.statesOf(id);
    expect([states, told]).toEqual([Object.fromEntries(names.map((name) => [name, "queued"])), []]);
  });

  it.each(["running", "paused"] as const)(
    "that was killed while it was %s and rests now has no node that is shown as running, and continues with them",
    async (before) => {
      using at = scratchDags();
      const { id } = await at.add({ a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"] } });
      const killed = at.host(endless());
      await killed.launch(id);
      await until(async () => (await at.store.reader.processes.list()).length === 1);
      if (before === "paused") await at.operations(killed)("dag.pause", { id });
      const next = at.host();
      await next.resumeAll({ autoResume: before === "paused" });
      const { dag } = await at.operations(next)("dag.show", { id });
      expect([dag.status, dag.nodes.map(({ state, cause }) => [state, cause])]).toEqual([
        "paused",
        [
          ["queued", "interrupted"],
          ["pending", undefined],
        ],
      ]);
      await at.operations(next)("dag.resume", { id });
      await next.over(id);
      expect(await at.statusOf(id)).toBe("succeeded");
    },
  );

  it("has the version, the nodes and the place of every adjustment", async () => {
    using at = scratchDags();
    const { id } = await at.add({ a: { run: ["a"] }, b: { run: ["b"], dependsOn: ["a"] } });
    const first = at.host(endless());
    await first.launch(id);
    await adjust(at, first, { id, nodes: { c: { run: ["c"], dependsOn: ["a"] } }, expectedVersion: 1 });
    await adjust(at, first, { id, remove: ["b"], nodes: { d: { run: ["d"] }, e: { run: ["e"] } }, expectedVersion: 2 });
    await first.close();
    expect(await at.store.reader.dags.find(id)).toMatchObject({ version: 3, nodes: 4 });
    const second = at.host(endless());
    await second.resumeAll({ autoResume: true });
    await expect(adjust(at, second, { id, remove: ["c"], expectedVersion: 2 })).rejects.toMatchObject({
      code: "dag.stale",
      details: { version: 3 },
    });
    const { dag } = await adjust(at, second, { id, remove: ["c"], expectedVersion: 3 });
    expect([dag.version, dag.nodes.map(({ name }) => name)]).toEqual([4, ["a", "d", "e"]]);
    await second.close();
  });

  it("keeps nothing of a node that was replaced before it started", async () => {
    using at = scratchDags();
    const { id } = await at.add({ gate: { run: ["x"] }, late: { run: ["old"] } }, { maxConcurrency: 1 });
    const host = at.host(endless());
    await host.launch(id);
    await until(async () => (await at.statesOf(id)).late === "queued");
    await at.store.transact(id, (tx) => tx.dags.saveOutput(id, "late", "of before"));
    await adjust(at, host, { id, nodes: { late: { run: ["new"], dependsOn: ["gate"] } }, expectedVersion: 1 });
    expect(await at.store.reader.dags.outputOf(id, "late")).toBeUndefined();
    expect((await at.store.reader.dags.nodesOf(id)).map(({ node }) => node)).toEqual(["gate"]);
    await host.close();
  });

  it("still says why it was cancelled [DAG-18]", async () => {
    using at = scratchDags();
    const { id } = await at.add({ a: { run: ["a"] } });
    const host = at.host(endless());
    await host.launch(id);
    const { dag } = await at.operations(host)("dag.cancel", { id, reason: "wrong branch" });
    expect([dag.status, dag.reason]).toEqual(["cancelled", "wrong branch"]);
    const next = at.operations(at.host());
    expect((await next("dag.show", { id })).dag.reason).toBe("wrong branch");
  });
});

it("retries nothing in a session that rests", async () => {
  using at = scratchDags();
  const { id, session } = await at.add({ a: { run: ["a"], retry: { max: 0 } } });
  const host = at.host(playedCommands(async () => ({ exitCode: 1 })));
  await host.launch(id);
  await host.over(id);
  await at.store.transact(session, async (tx) =>
    tx.sessions.update({ ...(await tx.sessions.find(session))!, state: "paused" }),
  );
  await expect(at.operations(host)("dag.retry", { id, node: "a" })).rejects.toMatchObject({
    code: "session.not-possible",
    details: { state: "paused" },
  });
  expect([await at.statusOf(id), host.live(id)]).toEqual(["failed", undefined]);
});

it("gives the engine the mode and the policy that its author wrote [DAG-4]", () => {
  const policy = { maxConcurrency: 3, failFast: false, retry: { max: 2, backoffMs: 7 }, timeoutMs: 9 };
  for (const mode of ["eager", "layered"] as const)
    expect(engineDag(new Map(), { policy, mode }).policy).toMatchObject({
      mode,
      maxConcurrency: 3,
      failFast: false,
      defaultRetry: { max: 2, backoffMs: 7 },
    });
});
