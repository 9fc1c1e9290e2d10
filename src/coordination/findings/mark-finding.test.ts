import { expect, it } from "vitest";
import { operations, parseInput, type FindingId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { readInbox } from "../mail/index.ts";
import { minuteMs, type AgentCall } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, createWorkItem, getWorkItem } from "../work-items/index.ts";
import { alsoFixing, getFinding, investigate, listFindings, markFinding, promoteFinding } from "./index.ts";
import { aFinding, scratchFindings, type ScratchFindings } from "./testkit.ts";

async function published(call: AgentCall, world: ScratchFindings, line = 42) {
  return (await world.add(call, aFinding(line))).finding.id;
}
const promote = (id: FindingId, call: AgentCall, { findings }: ScratchFindings) =>
  promoteFinding({ id, priority: undefined }, call, findings);

it.each(["accepted", "discarded", "fixed"] as const)(
  "is marked %s with who and why, and the log says so [FIND-5]",
  async (status) => {
    using world = scratchFindings();
    const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
    const id = await published(heron, world);
    const { finding } = await markFinding({ id, status, why: "reproduced \u001b[1mtwice" }, otter, world.findings);
    expect(finding).toMatchObject({ status, mark: { by: { name: "otter" }, why: "reproduced twice" } });
    expect((await getFinding(id, heron.caller, world.findings)).finding).toEqual(finding);
    expect((await world.ports.events()).at(-1)).toMatchObject({
      type: "finding.marked",
      data: { finding: { status } },
    });
  },
);

it("is a new finding when it is reported again after it was fixed [FIND-5]", async () => {
  using world = scratchFindings();
  const heron = await world.ports.caller("heron");
  const id = await published(heron, world);
  await markFinding({ id, status: "fixed", why: "done" }, heron, world.findings);
  expect(await world.add(heron, aFinding(42))).toMatchObject({ merged: false, finding: { status: "open" } });
});

it("becomes one work item, linked on both sides; closing the item fixes the finding [FIND-8]", async () => {
  using world = scratchFindings();
  const heron = await world.ports.caller("heron");
  const id = await published(heron, world);
  const { workItem, finding } = await promote(id, heron, world);
  expect(finding.workItem).toBe(workItem.id);
  expect(workItem).toMatchObject({ title: finding.summary, type: "bug", body: expect.stringContaining(id) });
  expect((await promote(id, heron, world)).workItem.id).toBe(workItem.id);
  const ofItem = parseInput(operations["finding.list"], { workItem: workItem.id });
  expect((await listFindings(ofItem, heron.caller, world.findings)).items.map((one) => one.id)).toEqual([id]);
  const call = alsoFixing(workItem.id, heron, world.findings);
  await closeWorkItem({ id: workItem.id, reason: "merged in 4f2a91c" }, call, world.ports);
  expect((await getFinding(id, heron.caller, world.findings)).finding).toMatchObject({
    status: "fixed",
    mark: { by: { name: "heron" }, why: expect.stringContaining("merged in 4f2a91c") },
  });
});

it("leaves a discarded finding as it is when its item closes, and other items alone [FIND-8]", async () => {
  using world = scratchFindings();
  const heron = await world.ports.caller("heron");
  const id = await published(heron, world);
  const { workItem } = await promote(id, heron, world);
  const other = await createWorkItem(
    parseInput(operations["work-item.create"], { title: "Other" }),
    heron,
    world.ports,
  );
  await markFinding({ id, status: "discarded", why: "no defect" }, heron, world.findings);
  for (const item of [other.workItem.id, workItem.id])
    await closeWorkItem({ id: item, reason: "done" }, alsoFixing(item, heron, world.findings), world.ports);
  expect((await getFinding(id, heron.caller, world.findings)).finding.status).toBe("discarded");
});

it("closes its item when it is marked fixed, unless another live agent owns that: then the owner is told [FIND-8]", async () => {
  using world = scratchFindings();
  const { ports, findings } = world;
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const [free, owned] = [await published(heron, world, 10), await published(heron, world, 90)];
  const [freeItem, ownedItem] = [await promote(free, heron, world), await promote(owned, heron, world)];
  await claimWorkItem(ownedItem.workItem.id, otter, ports);
  expect((await markFinding({ id: free, status: "fixed", why: "done" }, heron, findings)).workItem).toMatchObject({
    id: freeItem.workItem.id,
    status: "closed",
  });
  expect(await markFinding({ id: owned, status: "fixed", why: "done" }, heron, findings)).toMatchObject({
    finding: { status: "fixed" },
    workItem: { status: "in_progress", owner: { name: "otter" } },
  });
  const { workItem } = await getWorkItem(ownedItem.workItem.id, otter.caller, ports);
  expect(workItem.status).toBe("in_progress");
  const notices = await readInbox(parseInput(operations["mail.inbox"], { channel: "notices" }), otter, ports);
  expect(notices.items).toMatchObject([{ content: { kind: "finding", finding: owned }, importance: "normal" }]);
});

const look = (call: AgentCall, topic: string, { findings }: ScratchFindings, files: string[] = []) =>
  investigate(parseInput(operations["finding.investigate"], { topic, files }), call, findings);

it("tells who is on something similar and shows what they found since they began [FIND-6]", async () => {
  using world = scratchFindings();
  const [heron, otter, lynx] = await Promise.all(["heron", "otter", "lynx"].map((name) => world.ports.caller(name)));
  await published(heron!, world, 99);
  world.ports.clock.advance(1_000);
  expect((await look(heron!, "Why orders are lost on restart", world)).similar).toEqual([]);
  const id = await published(heron!, world, 42);
  const { similar } = await look(otter!, "orders lost after a restart", world);
  expect(similar).toMatchObject([
    { agent: { name: "heron" }, shared: "words: orders, lost, restart", findings: [{ id }] },
  ]);
  expect((await look(lynx!, "Colours of the receipt", world)).similar).toEqual([]);
});

it("takes a shared file for similar, and forgets an investigation with its agent and its end [FIND-6]", async () => {
  using world = scratchFindings();
  const { ports } = world;
  const [heron, otter, lynx] = await Promise.all(["heron", "otter", "lynx"].map((name) => ports.caller(name)));
  await look(heron!, "alpha", world, ["src/orders.ts"]);
  ports.clock.advance(1);
  await look(lynx!, "gamma", world, ["src/orders.ts"]);
  const names = async () =>
    (await look(otter!, "beta", world, ["src/orders.ts"])).similar.map(({ agent }) => agent.name);
  expect(await names()).toEqual(["heron", "lynx"]);
  await investigate(
    parseInput(operations["finding.investigate"], { topic: "gamma", done: true }),
    lynx!,
    world.findings,
  );
  expect(await names()).toEqual(["heron"]);
  await endAgent(heron!.caller.agent.id, heron!, ports);
  expect(await names()).toEqual([]);
  await look(lynx!, "gamma", world, ["src/orders.ts"]);
  ports.clock.advance(6 * minuteMs);
  ports.hear(otter!);
  expect(await names()).toEqual([]); // lynx has been silent for too long
});

it("is removed some time after it was decided, never before, and with its reports", async () => {
  using world = scratchFindings();
  const { ports, findings } = world;
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const [open, fixed] = [await published(heron, world, 10), await published(heron, world, 90)];
  await published(otter, world, 91);
  await markFinding({ id: fixed, status: "fixed", why: "done" }, heron, findings);
  const removeBefore = (at: number) => ports.store.transact("retention", (tx) => tx.findings.removeOld(at, 1000));
  expect(await removeBefore(ports.clock.now())).toBe(0);
  expect(await removeBefore(ports.clock.now() + 1)).toBe(2);
  expect((await getFinding(open, heron.caller, findings)).finding.status).toBe("open");
  await expect(getFinding(fixed, heron.caller, findings)).rejects.toMatchObject({ code: "finding.not-found" });
});
