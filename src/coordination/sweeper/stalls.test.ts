import { expect, it } from "vitest";
import { minuteMs, scratchPorts, settled, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { getWorkItem, listNotices, reportProgress } from "../work-items/index.ts";
import { claimNew, input } from "../work-items/testkit.ts";
import { startSweeper } from "./sweeper.ts";

/** Agents that never fall silent: the sweep is about their work alone. */
const talkative = { claimTtlMs: 6_000 * minuteMs, staleAfterMs: 6_000 * minuteMs };

function sweeping(ports: ScratchPorts): Disposable {
  const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  return { [Symbol.dispose]: () => sweeper.stop() };
}
async function pass(ports: ScratchPorts, ms: number, stepMs = 30_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    ports.clock.advance(stepMs);
    await settled();
  }
}
const ownerOf = async (id: string, { caller }: AgentCall, ports: ScratchPorts) =>
  (await getWorkItem(id, caller, ports)).workItem.owner?.name;
const count = async (ports: ScratchPorts, type: string) =>
  (await ports.eventTypes()).filter((other) => other === type).length;

it("asks the owner of work that has not moved for an hour, and releases it when no answer comes [WRK-6]", async () => {
  using ports = scratchPorts(talkative);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  using _sweeper = sweeping(ports);
  const { id } = await claimNew(heron, ports);
  const moving = await claimNew(otter, ports);
  await pass(ports, 59 * minuteMs);
  ports.progress.worked(otter.caller.agent.id); // an edit or a commit of otter's
  expect(await count(ports, "work-item.stall-asked")).toBe(0);
  await pass(ports, 2 * minuteMs);
  expect((await getWorkItem(id, heron.caller, ports)).workItem.askedAt).toBeDefined();
  expect(await ownerOf(id, heron, ports)).toBe("heron");
  await pass(ports, 10 * minuteMs);
  const { workItem, handoff } = await getWorkItem(id, heron.caller, ports);
  expect(workItem).toMatchObject({ status: "open" });
  expect(workItem.owner).toBeUndefined();
  expect(handoff).toMatchObject({ from: { name: "heron" }, how: "stalled" });
  const told = (await listNotices(input("work-item.notices", {}), heron.caller, ports)).items;
  expect(told.map(({ kind }) => kind)).toEqual(["stall-asked", "stall-released"]);
  expect(await ownerOf(moving.id, heron, ports)).toBe("otter");
});

it("leaves work alone whose owner answers with its progress [WRK-6]", async () => {
  using ports = scratchPorts(talkative);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  using _sweeper = sweeping(ports);
  const { id } = await claimNew(heron, ports);
  await claimNew(otter, ports);
  await pass(ports, 61 * minuteMs);
  expect((await getWorkItem(id, heron.caller, ports)).workItem.askedAt).toBeDefined();
  const { workItem } = await reportProgress(input("work-item.progress", { id, note: "reading" }), heron, ports);
  expect(workItem.askedAt).toBeUndefined();
  await pass(ports, 30 * minuteMs);
  expect(await ownerOf(id, heron, ports)).toBe("heron");
});

it("takes its question back when the owner edits instead of answering [WRK-6]", async () => {
  using ports = scratchPorts(talkative);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  using _sweeper = sweeping(ports);
  const { id } = await claimNew(heron, ports);
  await claimNew(otter, ports);
  await pass(ports, 61 * minuteMs);
  ports.progress.worked(heron.caller.agent.id);
  await pass(ports, 15 * minuteMs);
  const { workItem } = await getWorkItem(id, heron.caller, ports);
  expect([workItem.owner?.name, workItem.askedAt]).toEqual(["heron", undefined]);
});

it("releases at most two in a minute, and never from the last agent that works [WRK-6]", async () => {
  using ports = scratchPorts({ ...talkative, maxClaimsPerAgent: 10 });
  const agents = await Promise.all(["heron", "otter", "lynx", "crane"].map((name) => ports.caller(name)));
  using _sweeper = sweeping(ports);
  for (const agent of agents) await claimNew(agent, ports);
  const releasedAt: number[] = [];
  ports.bus.subscribe("event.work-item.released", () => void releasedAt.push(ports.clock.now()));
  await pass(ports, 65 * minuteMs);
  expect(releasedAt).toEqual([]);
  await pass(ports, 30 * minuteMs, 10_000);
  expect(releasedAt).toHaveLength(3);
  expect(releasedAt[1]).toBe(releasedAt[0]);
  expect(releasedAt[2]! - releasedAt[1]!).toBeGreaterThanOrEqual(minuteMs);
  expect((await ports.store.reader.workItems.owned()).length).toBe(1);
});

it("returns the claims of an agent that is gone at once, all of them, and counts them for nothing [WRK-6]", async () => {
  using ports = scratchPorts({ maxClaimsPerAgent: 10 });
  const heron = await ports.caller("heron");
  using _sweeper = sweeping(ports);
  for (let held = 0; held < 5; held++) await claimNew(heron, ports);
  await pass(ports, 4 * minuteMs);
  expect((await ports.store.reader.workItems.owned()).length).toBe(5); // not heard of for 4 min only
  await pass(ports, 2 * minuteMs);
  expect(await ports.store.reader.workItems.owned()).toEqual([]);
  const returned = (await ports.events()).filter(({ type }) => type === "work-item.claim-expired");
  expect(returned).toHaveLength(5);
});
