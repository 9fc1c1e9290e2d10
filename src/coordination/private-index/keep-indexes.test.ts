import { expect, it } from "vitest";
import { commit, type AgentId, type SessionIndex } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { repository, scratchPorts, settled, type AgentCall } from "../testkit.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { keepIndexes } from "./keep-indexes.ts";
import type { SessionIndexes } from "./ports.ts";
import { closeIndex, openIndex } from "./session-index.ts";

const hourMs = 3_600_000;

it("removes the index of an agent that ended at once, of one that is offline after a day [GIT-2]", async () => {
  using world = opened();
  const [heron, otter, wren] = await Promise.all(["heron", "otter", "wren"].map((name) => world.ports.caller(name)));
  for (const call of [heron!, otter!, wren!]) await openIndex({}, call, world.all);
  await endAgent(heron!.caller.agent.id, heron!, world.ports);
  await settled();
  expect(world.owners()).toEqual([otter!, wren!].map(({ caller }) => caller.agent.id));
  const record = (await world.ports.store.reader.agents.find(otter!.caller.agent.id))!;
  const offline = { ...record, offlineAt: world.ports.clock.now() };
  await world.ports.store.transact("offline", (tx) => tx.agents.update(offline));
  for (let hour = 0; hour < 23; hour++) await world.pass(hourMs);
  expect(world.owners()).toHaveLength(2);
  await world.pass(hourMs);
  expect(world.owners()).toEqual([wren!.caller.agent.id]);
  await closeIndex(wren!, world.all);
  expect(await closeIndex(wren!, world.all)).toEqual({});
  expect((await world.ports.eventTypes()).filter((type) => type === "index.closed")).toHaveLength(3);
  expect(world.failures).toEqual([]);
});

it("builds the indexes of a project anew after a commit there, and tells the shared index of the own one [GIT-11]", async () => {
  using world = opened();
  const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
  const crow = await world.ports.caller("crow", repository(world.ports.folder, "nest"));
  for (const call of [heron, otter, crow]) await openIndex({}, call, world.all);
  await world.announce(heron);
  expect(world.rebuilt.toSorted()).toEqual([heron, otter].map(({ caller }) => caller.agent.id).toSorted());
  expect(world.shared).toEqual([[heron.caller.agent.id, "4c2a1f0"]]);
});

function opened() {
  const ports = scratchPorts();
  const kept = new Map<AgentId, SessionIndex>();
  const rebuilt: AgentId[] = [];
  const shared: (readonly [AgentId, string])[] = [];
  const failures: unknown[] = [];
  const indexes: SessionIndexes = {
    async make(tree, agent) {
      kept.set(agent, { agent, tree, file: `/indexes/${agent}`, builtAt: ports.clock.now() });
      return kept.get(agent)!;
    },
    find: (agent) => kept.get(agent),
    owners: () => [...kept.keys()],
    async rebuild(index) {
      rebuilt.push(index.agent);
      return { index, kept: [], unstaged: [] };
    },
    shareCommit: async ({ agent }, hash) => void shared.push([agent, hash]),
    remove: (agent) => void kept.delete(agent),
    removeStrays: () => [],
  };
  const all = { ...ports, indexes, turns: createKeyedQueue() };
  const keeper = keepIndexes({ ...all, onFailed: (error) => void failures.push(error) });
  return {
    ports,
    all,
    rebuilt,
    shared,
    failures,
    owners: () => [...kept.keys()],
    async pass(ms: number) {
      await settled();
      ports.clock.advance(ms);
      await settled();
    },
    async announce({ caller }: AgentCall) {
      const fact = { commit: "4c2a1f0", paths: ["a.ts"], by: caller.agent, told: [] };
      await ports.store.transact(caller.project.id, (tx) =>
        tx.events.append(caller.project.id, commit.CommitAnnounced.of("4c2a1f0", fact)),
      );
      await settled();
    },
    [Symbol.dispose]() {
      keeper.stop();
      ports[Symbol.dispose]();
    },
  };
}
