import { expect, it } from "vitest";
import type { RawInputOf } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, getWorkItem, listWorkItems, readyWorkItems, updateWorkItem } from "./index.ts";
import { claimNew, createItem, input, refusalOf } from "./testkit.ts";

const update = (call: AgentCall, ports: ScratchPorts, change: RawInputOf<"work-item.update">) =>
  updateWorkItem(input("work-item.update", change), call, ports);
const readyIds = async ({ caller }: AgentCall, ports: ScratchPorts) =>
  (await readyWorkItems(input("work-item.ready", {}), caller, ports)).items.map(({ id }) => id);

it("keeps labels, parent and all three kinds of links, and changes only what is named [WRK-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const [epic, needed, other] = [
    await createItem(heron, ports),
    await createItem(heron, ports),
    await createItem(heron, ports),
  ];
  const item = await createItem(heron, ports, {
    body: "429 and Retry-After",
    labels: ["api", "api", "lang:ts"],
    parent: epic.id,
    dependsOn: [needed.id],
    relatesTo: [other.id],
    discoveredFrom: [epic.id],
  });
  expect(item).toMatchObject({
    labels: ["api", "lang:ts"],
    parent: epic.id,
    dependsOn: [needed.id],
    relatesTo: [other.id],
    discoveredFrom: [epic.id],
  });
  const { workItem } = await update(heron, ports, {
    id: item.id,
    title: "Limit /orders",
    priority: 0,
    labels: ["api"],
  });
  expect(workItem).toEqual({ ...item, title: "Limit /orders", priority: 0, labels: ["api"], version: 2 });
  expect((await getWorkItem(item.id, heron.caller, ports)).workItem).toEqual(workItem);
  expect((await ports.events()).at(-1)).toMatchObject({ type: "work-item.updated", data: { workItem } });
  const unlinked = await update(heron, ports, {
    id: item.id,
    parent: "",
    dependsOn: [],
    relatesTo: [],
    discoveredFrom: [],
  });
  expect(unlinked.workItem).toMatchObject({ dependsOn: [], relatesTo: [], discoveredFrom: [], labels: ["api"] });
  expect(unlinked.workItem.parent).toBeUndefined();
});

it("lists items by label and by parent [WRK-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const epic = await createItem(heron, ports);
  const part = await createItem(heron, ports, { parent: epic.id, labels: ["api"] });
  await createItem(heron, ports, { labels: ["ap"] });
  const listed = async (query: RawInputOf<"work-item.list">) =>
    (await listWorkItems(input("work-item.list", query), heron.caller, ports)).items.map(({ id }) => id);
  expect(await listed({ label: "api" })).toEqual([part.id]);
  expect(await listed({ parent: epic.id })).toEqual([part.id]);
  expect((await refusalOf(listed({ parent: ports.ids.next("wrk") }))).code).toBe("work-item.not-found");
});

it("refuses dependencies and parents that lead back, naming the way round [WRK-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const first = await createItem(heron, ports);
  const second = await createItem(heron, ports, { dependsOn: [first.id], parent: first.id });
  const third = await createItem(heron, ports, { dependsOn: [second.id], parent: second.id });
  const cycle = [first.id, third.id, second.id, first.id];
  for (const change of [{ dependsOn: [third.id] }, { parent: third.id }]) {
    const refusal = await refusalOf(update(heron, ports, { id: first.id, ...change }));
    expect(refusal).toMatchObject({ code: "work-item.cycle", details: { cycle } });
    expect(refusal.message).toContain(third.id);
  }
  const itself = await refusalOf(update(heron, ports, { id: first.id, dependsOn: [first.id] }));
  expect(itself.details.cycle).toEqual([first.id, first.id]);
  expect((await getWorkItem(first.id, heron.caller, ports)).workItem).toEqual(first);
  // Two ways to the same item are no circle.
  const join = await createItem(heron, ports, { dependsOn: [first.id] });
  expect((await update(heron, ports, { id: third.id, dependsOn: [second.id, join.id] })).workItem.version).toBe(2);
});

it("takes a blocked item out of the queue with its reason, and puts it back [WRK-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await claimNew(heron, ports);
  const { workItem } = await update(heron, ports, { id, status: "blocked", reason: "the gateway is replaced first" });
  expect(workItem).toMatchObject({ status: "blocked", blockedReason: "the gateway is replaced first" });
  expect(workItem.owner).toBeUndefined();
  expect(await readyIds(heron, ports)).toEqual([]);
  expect(await refusalOf(claimWorkItem(id, heron, ports))).toMatchObject({
    code: "work-item.blocked",
    message: expect.stringContaining("the gateway is replaced first"),
  });
  const open = (await update(heron, ports, { id, status: "open" })).workItem;
  expect(open.blockedReason).toBeUndefined();
  expect(await readyIds(heron, ports)).toEqual([id]);
});

it("is ready exactly while everything it depends on is closed, however the dependencies change [WRK-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const [first, second] = [await createItem(heron, ports), await createItem(heron, ports)];
  const item = await createItem(heron, ports, { priority: 0, dependsOn: [first.id] });
  const isReady = async () => (await readyIds(heron, ports)).includes(item.id);
  expect(await isReady()).toBe(false);
  await closeWorkItem({ id: first.id, reason: "done" }, heron, ports);
  expect(await isReady()).toBe(true);
  await update(heron, ports, { id: item.id, dependsOn: [first.id, second.id] });
  expect(await isReady()).toBe(false);
  await update(heron, ports, { id: item.id, dependsOn: [first.id] });
  expect(await isReady()).toBe(true);
});

it("refuses a reason without a block, a block without one, and what is not there, foreign, taken or ended", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const { id } = await claimNew(heron, ports);
  const codeOf = async (call: AgentCall, change: RawInputOf<"work-item.update">) =>
    (await refusalOf(Promise.resolve().then(() => update(call, ports, change)))).code;
  expect(await codeOf(heron, { id, status: "blocked" })).toBe("input.invalid");
  expect(await codeOf(heron, { id, reason: "because" })).toBe("input.invalid");
  expect(await codeOf(heron, { id, dependsOn: Array.from({ length: 10_000 }, () => id) })).toBe("input.invalid");
  expect(await codeOf(heron, { id: ports.ids.next("wrk"), priority: 1 })).toBe("work-item.not-found");
  expect(await codeOf(heron, { id, parent: ports.ids.next("wrk") })).toBe("work-item.not-found");
  expect(await codeOf(lynx, { id, priority: 1 })).toBe("caller.denied");
  expect(await codeOf(otter, { id, status: "blocked", reason: "not mine" })).toBe("claim.taken");
  await endAgent(otter.caller.agent.id, otter, ports);
  expect(await codeOf(otter, { id, priority: 1 })).toBe("agent.ended");
  await closeWorkItem({ id, reason: "done" }, heron, ports);
  expect(await codeOf(heron, { id, status: "open" })).toBe("work-item.closed");
});

it("closes an item that 10,000 others wait for, and all of them are ready", { timeout: 60_000 }, async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await createItem(heron, ports);
  await Promise.all(Array.from({ length: 10_000 }, () => createItem(heron, ports, { dependsOn: [id] })));
  expect(await readyIds(heron, ports)).toEqual([id]);
  await closeWorkItem({ id, reason: "done" }, heron, ports);
  const { items } = await readyWorkItems(input("work-item.ready", { limit: 500 }), heron.caller, ports);
  expect(items).toHaveLength(500);
});
