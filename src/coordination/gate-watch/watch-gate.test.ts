import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { createGatePasses, createToolCalls } from "../guard/index.ts";
import { readInbox } from "../mail/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { minuteMs, scratchPorts, settled, type AgentCall } from "../testkit.ts";
import type { BranchTip, BroughtCommit, GateState } from "./ports.ts";
import { watchGate } from "./watch-gate.ts";

it("tells the holder of a commit that the gate did not let through, once, and enters it into the audit", async () => {
  using world = await gateWatched();
  world.commits = [{ commit: "c1", at: world.ports.clock.now(), paths: ["src/a.ts", "free.ts"] }];
  await world.move("c1");
  await world.move("c1");
  expect(await world.notices()).toEqual([
    "c1 came to main without the commit gate and contains src/a.ts, held by heron: the committer is unknown",
  ]);
  expect(await world.acts()).toMatchObject([
    { actor: { kind: "daemon" }, action: "commit.bypassed", subject: "c1", details: { paths: ["src/a.ts"] } },
  ]);
});

it("is silent about commits that were let through, each pass for one commit, and about those before the hold", async () => {
  using world = await gateWatched();
  const { clock } = world.ports;
  const { id } = world.heron.caller.project;
  world.passes.passed(id, ["src/a.ts", "b.ts"]);
  world.commits = [{ commit: "c1", at: clock.now(), paths: ["src/a.ts"] }];
  await world.move("c1");
  world.commits = [{ commit: "c2", at: clock.now() - minuteMs, paths: ["src/a.ts"] }];
  await world.move("c2");
  world.commits = [{ commit: "c3", at: clock.now(), paths: ["free.ts"] }];
  await world.move("c3");
  expect(await world.notices()).toEqual([]);
  world.commits = [{ commit: "c4", at: clock.now(), paths: ["src/a.ts"] }];
  await world.move("c4");
  expect(await world.notices()).toHaveLength(1);
});

it("names the agents whose command was under way, and takes the holder's own for no bypass", async () => {
  using world = await gateWatched();
  const otter = await world.ports.caller("otter");
  const run = (call: AgentCall) =>
    world.calls.began({ agent: call.caller.agent, tree: call.caller.tree, paths: [], patterns: [], unknown: true });
  run(world.heron);
  world.commits = [{ commit: "c1", at: world.ports.clock.now(), paths: ["src/a.ts"] }];
  await world.move("c1");
  expect(await world.notices()).toEqual([]);
  run(otter);
  world.commits = [{ commit: "c2", at: world.ports.clock.now(), paths: ["src/a.ts"] }];
  await world.move("c2");
  expect(await world.notices()).toEqual([expect.stringContaining("a command of heron, otter ran about that time")]);
});

it("says once that the gate is off, by another hooks folder or because its hooks are gone", async () => {
  using world = await gateWatched();
  world.gate = { state: "off", why: "core.hooksPath is /nowhere" };
  await world.move("c0");
  await world.move("c0");
  world.gate = { state: "absent" };
  await world.move("c0");
  expect((await world.notices()).toSorted()).toEqual([
    expect.stringContaining("is off: core.hooksPath is /nowhere"),
    expect.stringContaining("is off: its hooks are gone"),
  ]);
});

async function gateWatched() {
  const ports = scratchPorts();
  const heron = await ports.caller("heron");
  const calls = createToolCalls(ports.clock);
  const passes = createGatePasses(ports.clock);
  const { tree } = heron.caller;
  let onMoved: (tree: string) => void = () => {};
  let tip = "c0";
  const world = {
    ports,
    heron,
    calls,
    passes,
    commits: [] as readonly BroughtCommit[],
    gate: { state: "on" } as GateState,
    async move(commit: string) {
      tip = commit;
      onMoved(tree);
      await pass(100);
    },
    async notices() {
      const inbox = parseInput(operations["mail.inbox"], { channel: "notices" });
      return (await readInbox(inbox, heron, ports)).items.map(({ subject }) => subject);
    },
    acts: () => ports.store.reader.audit.page({ action: undefined, since: undefined, before: undefined, limit: 10 }),
    [Symbol.dispose]() {
      watch.stop();
      ports[Symbol.dispose]();
    },
  };
  const watch = watchGate({
    ...ports,
    calls,
    passes,
    branches: {
      tips: async (): Promise<readonly BranchTip[]> => [{ branch: "main", commit: tip, tree }],
      brought: async () => world.commits,
      since: async () => [],
      gate: async () => world.gate,
    },
    openWatcher(moved) {
      onMoved = moved;
      return { watch: async () => [], stop: () => {} };
    },
    isOn: async () => true,
    onWatched: () => {},
    onFailed(error) {
      throw error;
    },
  });
  const pass = async (ms: number): Promise<void> => {
    await settled();
    ports.clock.advance(ms);
    await settled();
  };
  await acquireReservation(parseInput(operations["reservation.acquire"], { paths: ["src/a.ts"] }), heron, ports);
  await pass(200);
  return world;
}
