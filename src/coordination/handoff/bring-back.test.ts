import { expect, it } from "vitest";
import { DomainError, operations, parseInput } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { minuteMs, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "../work-items/index.ts";
import { createBringBack } from "./bring-back.ts";

const hold = (call: AgentCall, ports: ScratchPorts, ...paths: string[]) =>
  acquireReservation(parseInput(operations["reservation.acquire"], { paths, ttlMs: 30 * minuteMs }), call, ports);
async function claim(call: AgentCall, ports: ScratchPorts, title: string) {
  const { workItem } = await createWorkItem(parseInput(operations["work-item.create"], { title }), call, ports);
  return (await claimWorkItem(workItem.id, call, ports)).workItem;
}
/** Silent until it is offline; the others are heard of. */
async function fallSilent(ports: ScratchPorts, ...others: readonly AgentCall[]): Promise<void> {
  ports.clock.advance(5 * minuteMs);
  ports.hear(...others);
  const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  await sweeper.sweep();
  sweeper.stop();
}

it("gives back what is still free, in one transaction with the event, and says what was lost to whom [IDN-6]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await hold(heron, ports, "kept.ts");
  await hold(heron, ports, "lost.ts", "lost-too.ts");
  const [kept, lost] = [await claim(heron, ports, "Kept"), await claim(heron, ports, "Lost")];
  await fallSilent(ports, otter);
  await hold(otter, ports, "lost-too.ts");
  await claimWorkItem(lost.id, otter, ports);
  const before = (await ports.events()).length;
  const seen: Promise<number>[] = [];
  ports.bus.subscribe("event.agent.returned", () => {
    seen.push(ports.store.reader.workItems.countOwnedBy(heron.caller.agent.id));
  });
  const homecoming = await ports.bringBack(heron.caller.agent.id);
  expect(homecoming).toMatchObject({
    regained: { reservations: [expect.stringMatching(/^rsv_/)], workItems: [kept.id] },
    lost: [
      { kind: "reservation", what: "lost.ts lost-too.ts", holder: { name: "otter" }, reason: expect.any(String) },
      { kind: "work-item", what: "Lost", holder: { name: "otter" } },
    ],
  });
  expect(await Promise.all(seen)).toEqual([1]);
  const since = (await ports.events()).slice(before);
  expect(since.map(({ type }) => type)).toEqual(["reservation.acquired", "work-item.claimed", "agent.returned"]);
  expect(since.at(-1)!.data).toMatchObject({ agent: { name: "heron" }, homecoming });
  expect((await ports.store.reader.handoffs.find(heron.caller.agent.id))?.homecoming).toEqual(homecoming);
});

it("brings an agent back once, however many calls notice it at once", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await hold(heron, ports, "a.ts");
  await fallSilent(ports);
  const { id } = heron.caller.agent;
  const answers = await Promise.all([ports.bringBack(id), ports.bringBack(id), ports.bringBack(id)]);
  expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  expect((await ports.eventTypes()).filter((type) => type === "agent.returned")).toHaveLength(1);
  expect(await ports.store.reader.reservations.liveOf(heron.caller.project.id, id)).toHaveLength(1);
  expect(await ports.bringBack(id)).toBeUndefined();
});

it("does not bring back who has ended, and gives nothing back of what was given up by an end", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await hold(heron, ports, "a.ts");
  await endAgent(heron.caller.agent.id, heron, ports);
  expect(await ports.bringBack(heron.caller.agent.id)).toBeUndefined();
  await ports.caller("heron");
  expect(await ports.store.reader.reservations.live(undefined)).toEqual([]);
});

it("brings an agent back also where the project's settings cannot be read, and says that this cost it what it held", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await hold(heron, ports, "a.ts");
  await fallSilent(ports);
  const broken = new DomainError("settings.invalid", "config.yaml:1:1: not YAML");
  const bringBack = createBringBack({ ...ports, settingsFor: () => Promise.reject(broken) });
  expect(await bringBack(heron.caller.agent.id)).toMatchObject({
    regained: { reservations: [], workItems: [] },
    lost: [{ kind: "reservation", what: "a.ts", reason: "config.yaml:1:1: not YAML" }],
  });
  expect((await ports.store.reader.agents.find(heron.caller.agent.id))?.offlineAt).toBeUndefined();
});
