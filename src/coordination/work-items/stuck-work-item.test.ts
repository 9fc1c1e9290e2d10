import { expect, it } from "vitest";
import { minuteMs, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, listNotices, markStuck, readyWorkItems, reportProgress } from "./index.ts";
import { claimNew, createItem, input, refusalOf } from "./testkit.ts";

const reason = "the staging database refuses connections";
const ready = async ({ caller }: AgentCall, ports: ScratchPorts) =>
  (await readyWorkItems(input("work-item.ready", {}), caller, ports)).items;
const noticesOf = async ({ caller }: AgentCall, ports: ScratchPorts) =>
  (await listNotices(input("work-item.notices", {}), caller, ports)).items;

it("offers an item its owner calls stuck to the others at once, with what the owner left [WRK-14]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await claimNew(heron, ports);
  expect(await ready(otter, ports)).toEqual([]);
  const { workItem } = await markStuck({ id, reason }, heron, ports);
  expect(workItem).toMatchObject({ owner: { name: "heron" }, stuck: { reason, by: { name: "heron" } } });
  expect(await ready(otter, ports)).toMatchObject([{ id, stuck: { reason } }]);
  const taken = await claimWorkItem(id, otter, ports);
  expect(taken).toMatchObject({
    workItem: { owner: { name: "otter" } },
    lease: { fencingToken: 2 },
    handoff: { from: { name: "heron" }, how: "stuck", stuckReason: reason },
  });
  expect(taken.workItem.stuck).toBeUndefined();
  expect(await noticesOf(heron, ports)).toMatchObject([
    { kind: "taken-over", by: { name: "otter" }, text: expect.stringContaining(reason) },
  ]);
  expect((await ports.events()).slice(-2)).toMatchObject([
    { type: "work-item.released", data: { how: "stuck", formerOwner: { name: "heron" } } },
    { type: "work-item.claimed", data: { owner: { name: "otter" } } },
  ]);
});

it("gives a live owner time to object when another agent calls its item stuck [WRK-14]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await claimNew(heron, ports);
  await markStuck({ id, reason }, otter, ports);
  expect(await noticesOf(heron, ports)).toMatchObject([{ kind: "marked-stuck", by: { name: "otter" } }]);
  expect(await ready(otter, ports)).toEqual([]);
  expect((await refusalOf(claimWorkItem(id, otter, ports))).code).toBe("claim.taken");
  ports.clock.advance(9 * minuteMs);
  await markStuck({ id, reason: "still" }, otter, ports); // gives it no more time
  ports.hear(heron);
  ports.clock.advance(minuteMs);
  expect((await ready(otter, ports)).map((item) => item.id)).toEqual([id]);
  expect((await claimWorkItem(id, otter, ports)).lease.fencingToken).toBe(2);
});

it("is not stuck any more once its owner reports progress [WRK-14]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await claimNew(heron, ports);
  await markStuck({ id, reason }, otter, ports);
  const { workItem } = await reportProgress(
    input("work-item.progress", { id, note: "it answers again" }),
    heron,
    ports,
  );
  expect(workItem.stuck).toBeUndefined();
  ports.clock.advance(20 * minuteMs);
  ports.hear(heron);
  expect(await ready(otter, ports)).toEqual([]);
  expect((await refusalOf(claimWorkItem(id, otter, ports))).code).toBe("claim.taken");
});

it("marks nothing that is closed, and lets only the owner report progress", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const closed = await createItem(heron, ports);
  await closeWorkItem({ id: closed.id, reason: "done" }, heron, ports);
  expect((await refusalOf(markStuck({ id: closed.id, reason }, heron, ports))).code).toBe("work-item.closed");
  const { id } = await claimNew(heron, ports);
  const report = input("work-item.progress", { id, note: "mine" });
  expect((await refusalOf(reportProgress(report, otter, ports))).code).toBe("lease.lost");
});
