import { expect, it } from "vitest";
import { endAgent } from "../agent-end/index.ts";
import { registerAgent, type WatchedProcess } from "../registry/index.ts";
import { minuteMs, repository, scratchPorts, settled, type ScratchPorts } from "../testkit.ts";
import { startSweeper } from "./sweeper.ts";
import { watchProcesses } from "./watch-processes.ts";

const user = { kind: "user", project: undefined } as const;

function watching(ports: ScratchPorts) {
  const onFailed = (error: unknown) => expect.fail(String(error));
  const sweeper = startSweeper({ ...ports, onFailed });
  const looks: number[] = [];
  const watch = watchProcesses({
    ...ports,
    async goneAmong(processes) {
      looks.push(processes.length);
      return processes.filter(({ pid, start }) => ports.processes.get(pid) !== start);
    },
    sweep: (gone) => sweeper.sweep(gone),
    onFailed,
  });
  return {
    looks,
    [Symbol.dispose]() {
      watch.stop();
      sweeper.stop();
    },
  };
}

async function enrol(
  ports: ScratchPorts,
  name: string,
  terms: { readonly pid?: number; readonly parent?: string } = {},
) {
  if (terms.pid !== undefined && !ports.processes.has(terms.pid)) ports.processes.set(terms.pid, `start-${terms.pid}`);
  const project = { path: repository(ports.folder, "shop") };
  return (await registerAgent({ sessionKey: name, client: "other", project, name, ...terms }, ports.store, ports))
    .agent;
}

async function pass(ports: ScratchPorts, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) {
    ports.clock.advance(500);
    await settled();
  }
}
const offline = async (ports: ScratchPorts) =>
  (await ports.events())
    .filter(({ type }) => type === "agent.offline")
    .map(({ data }) => [(data.agent as { name: string }).name, data.reason]);

it("takes an agent offline within two seconds after its process is gone, once, and no other agent [IDN-5]", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  await enrol(ports, "heron", { pid: 100 });
  await enrol(ports, "otter", { pid: 200 });
  await enrol(ports, "lynx");
  await pass(ports, 5_000);
  expect(await offline(ports)).toEqual([]);
  ports.processes.delete(100);
  await pass(ports, 2_000);
  expect(await offline(ports)).toEqual([["heron", "process-gone"]]);
  await pass(ports, 10_000);
  expect(await offline(ports)).toHaveLength(1);
});

it("takes a later process with the same pid for another one [IDN-5]", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  await enrol(ports, "heron", { pid: 100 });
  ports.processes.set(100, "another start");
  await pass(ports, 2_000);
  expect(await offline(ports)).toEqual([["heron", "process-gone"]]);
});

it("watches a process that a known session names only later, also of one that came back", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  await enrol(ports, "heron");
  await pass(ports, 3_000);
  await enrol(ports, "heron", { pid: 100 });
  ports.processes.delete(100);
  await pass(ports, 2_000);
  expect(await offline(ports)).toHaveLength(1);
  await enrol(ports, "heron", { pid: 101 });
  ports.processes.delete(101);
  await pass(ports, 2_000);
  expect(await offline(ports)).toHaveLength(2);
});

it("keeps the process of the client, not of a helper that registers after it and ends [IDN-1]", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  await enrol(ports, "heron", { pid: 100 });
  expect((await enrol(ports, "heron", { pid: 555 })).pid).toBe(100);
  ports.processes.delete(555);
  await pass(ports, 3_000);
  expect(await offline(ports)).toEqual([]);
  ports.processes.delete(100);
  expect((await enrol(ports, "heron", { pid: 556 })).pid).toBe(556);
});

it("does not ask again for a process it has seen gone: the agent may go on without it", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  const { id } = await enrol(ports, "heron", { pid: 100 });
  ports.processes.delete(100);
  await pass(ports, 2_000);
  await ports.bringBack(id);
  ports.liveness.touch(id);
  await pass(ports, 10_000);
  expect(await offline(ports)).toHaveLength(1);
});

it("takes children offline with their parent, and no parent with its children [IDN-2, IDN-5]", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  await enrol(ports, "parent", { pid: 100 });
  await enrol(ports, "child", { pid: 200, parent: "parent" });
  await enrol(ports, "grandchild", { parent: "child" });
  await enrol(ports, "other", { pid: 300, parent: "parent" });
  ports.processes.delete(300);
  await pass(ports, 2_000);
  expect(await offline(ports)).toEqual([["other", "process-gone"]]);
  ports.processes.delete(100);
  await pass(ports, 2_000);
  expect(await offline(ports)).toEqual([
    ["other", "process-gone"],
    ["parent", "process-gone"],
    ["child", "parent-offline"],
    ["grandchild", "parent-offline"],
  ]);
});

it("has no timer without live agents that have a process, and none after it was stopped [IDN-5]", async () => {
  using ports = scratchPorts();
  const watch = watchProcesses({
    ...ports,
    goneAmong: async () => [],
    sweep: async () => {},
    onFailed: (error) => expect.fail(String(error)),
  });
  const timers = async () => {
    await settled();
    await ports.liveness.flush();
    return ports.clock.pendingTimers();
  };
  expect(await timers()).toBe(0);
  await enrol(ports, "otter");
  await pass(ports, 2_000);
  expect(await timers()).toBe(0);
  const { id } = await enrol(ports, "heron", { pid: 100 });
  expect(await timers()).toBe(1);
  await endAgent(id, { caller: user, transact: ports.store.transact }, ports);
  await pass(ports, 2_000);
  expect(await timers()).toBe(0);
  await enrol(ports, "heron");
  expect(await timers()).toBe(1);
  watch.stop();
  expect([await timers(), ports.bus.size]).toEqual([0, 0]);
});

it("reports a look that failed and looks again", async () => {
  using ports = scratchPorts();
  const planted = new Error("planted");
  const failures: unknown[] = [];
  let failing = true;
  const swept: WatchedProcess[] = [];
  const watch = watchProcesses({
    ...ports,
    goneAmong: (processes) => (failing ? Promise.reject(planted) : Promise.resolve(processes)),
    sweep: async (gone) => void swept.push(...gone),
    onFailed: (error) => failures.push(error),
  });
  await enrol(ports, "heron", { pid: 100 });
  await pass(ports, 1_000);
  expect([failures, swept]).toEqual([[planted], []]);
  failing = false;
  await pass(ports, 1_000);
  expect(swept).toMatchObject([{ pid: 100, start: "start-100" }]);
  watch.stop();
});

it("counts what a child says as a sign of life of those above it [IDN-2, IDN-4]", async () => {
  using ports = scratchPorts();
  using _watch = watching(ports);
  await enrol(ports, "parent");
  for (let minute = 0; minute < 8; minute++) {
    await enrol(ports, "child", { parent: "parent" });
    ports.clock.advance(minuteMs);
    await settled();
  }
  expect(await offline(ports)).toEqual([]);
});
