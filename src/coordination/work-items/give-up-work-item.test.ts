import { expect, it } from "vitest";
import { operations, parseInput, type RawInputOf } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, createWorkItem, getWorkItem, giveUpWorkItem, readyWorkItems } from "./index.ts";

async function create(call: AgentCall, ports: ScratchPorts, terms: Partial<RawInputOf<"work-item.create">> = {}) {
  const input = parseInput(operations["work-item.create"], { title: "Rate-limit POST /orders", ...terms });
  return (await createWorkItem(input, call, ports)).workItem;
}

it("gives up ownership and keeps the status (unclaim); the item can be claimed at once, with the next token [WRK-8]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  const { workItem } = await giveUpWorkItem(id, "kept", heron, ports);
  expect(workItem.status).toBe("in_progress");
  expect(workItem.owner).toBeUndefined();
  expect((await readyWorkItems({ limit: 10 }, otter.caller, ports)).items.map((item) => item.id)).toEqual([id]);
  expect((await claimWorkItem(id, otter, ports)).lease.fencingToken).toBe(2);
});

it("gives up ownership and reopens the item (release), with an event that names the former owner [WRK-8]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  const { workItem } = await giveUpWorkItem(id, "reopened", heron, ports);
  expect(workItem).toMatchObject({ status: "open", attempts: 1, version: 3 });
  expect((await getWorkItem(id, heron.caller, ports)).lease).toBeUndefined();
  expect((await ports.events()).at(-1)).toMatchObject({
    type: "work-item.released",
    data: { workItem, formerOwner: { name: "heron" } },
  });
});

it.each(["kept", "reopened"] as const)(
  "is refused as lost to anyone but the owner, who is named (status %s)",
  async (status) => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
    const { id } = await create(heron, ports);
    const unowned = giveUpWorkItem(id, status, heron, ports);
    await expect(unowned).rejects.toMatchObject({
      code: "lease.lost",
      message: expect.stringContaining("claim it first"),
    });
    await claimWorkItem(id, heron, ports);
    const others = giveUpWorkItem(id, status, otter, ports);
    await expect(others).rejects.toMatchObject({ code: "lease.lost", details: { id, holder: { name: "heron" } } });
    await expect(giveUpWorkItem(id, status, lynx, ports)).rejects.toMatchObject({ code: "caller.denied" });
    const missing = giveUpWorkItem(ports.ids.next("wrk"), status, heron, ports);
    await expect(missing).rejects.toMatchObject({ code: "work-item.not-found" });
    expect((await getWorkItem(id, heron.caller, ports)).workItem.owner?.name).toBe("heron");
  },
);

it("is lost to an owner whose claim ran out and passed on", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  ports.clock.advance(30 * minuteMs);
  await claimWorkItem(id, otter, ports);
  const late = giveUpWorkItem(id, "reopened", heron, ports);
  await expect(late).rejects.toMatchObject({ code: "lease.lost", details: { holder: { name: "otter" } } });
});

it("closes an item for its owner, with a reason, and ends the claim", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  const { workItem } = await closeWorkItem({ id, reason: "merged" }, heron, ports);
  expect(workItem).toMatchObject({ status: "closed", closedReason: "merged" });
  expect(workItem.owner).toBeUndefined();
  expect((await ports.events()).at(-1)).toMatchObject({ type: "work-item.closed", data: { workItem } });
  const again = closeWorkItem({ id, reason: "twice" }, heron, ports);
  await expect(again).rejects.toMatchObject({ code: "work-item.closed", details: { closedReason: "merged" } });
});

it("closes an item for anyone while no live agent owns it, and for its owner alone while one does", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const [free, claimed] = [await create(heron, ports), await create(heron, ports)];
  await claimWorkItem(claimed.id, heron, ports);
  expect((await closeWorkItem({ id: free.id, reason: "done" }, otter, ports)).workItem.status).toBe("closed");
  const others = closeWorkItem({ id: claimed.id, reason: "done" }, otter, ports);
  await expect(others).rejects.toMatchObject({ code: "claim.taken", details: { holder: { name: "heron" } } });
  const foreign = closeWorkItem({ id: claimed.id, reason: "done" }, lynx, ports);
  await expect(foreign).rejects.toMatchObject({ code: "caller.denied" });
  ports.clock.advance(30 * minuteMs);
  expect((await closeWorkItem({ id: claimed.id, reason: "done" }, otter, ports)).workItem.status).toBe("closed");
});

it("lets an agent that has ended close nothing", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await create(heron, ports);
  await endAgent(otter.caller.agent.id, otter, ports);
  await expect(closeWorkItem({ id, reason: "done" }, otter, ports)).rejects.toMatchObject({ code: "agent.ended" });
});
