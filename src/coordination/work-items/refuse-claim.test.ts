import Database from "better-sqlite3";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endAgent } from "../agent-end/index.ts";
import { listPresence } from "../who/index.ts";
import { minuteMs, repository, scratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, getWorkItem, listNotices } from "./index.ts";
import { claimNew, createItem, input, refusalOf } from "./testkit.ts";

it("says what to do next in each place where a claim fails [WRK-13]", async () => {
  using ports = scratchPorts({ maxClaimsPerAgent: 1 });
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const taken = await claimNew(heron, ports);
  const [free, closed] = [await createItem(heron, ports), await createItem(heron, ports)];
  const waiting = await createItem(heron, ports, { dependsOn: [free.id] });
  await closeWorkItem({ id: closed.id, reason: "done" }, heron, ports);
  const advice = async (id: string, call = otter) => {
    const { code, details } = await refusalOf(claimWorkItem(id, call, ports));
    return [code, details.suggestedAction];
  };
  expect(await advice(taken.id)).toEqual(["claim.taken", "pick-next"]);
  expect(await advice(closed.id)).toEqual(["work-item.closed", "rerun-discovery"]);
  expect(await advice(waiting.id)).toEqual(["work-item.blocked", "rerun-discovery"]);
  expect(await advice(ports.ids.next("wrk"))).toEqual(["work-item.not-found", "rerun-discovery"]);
  expect(await advice(free.id, heron)).toEqual(["claim.limit", "stop-dispatch"]);
  expect(await advice(free.id, lynx)).toEqual(["caller.denied", "stop-dispatch"]);
});

it("is an error with a time to retry while the store is busy, and no claim [WRK-3]", { timeout: 30_000 }, async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await createItem(heron, ports);
  const foreign = new Database(join(ports.folder.path, "sylk.db"));
  foreign.exec("BEGIN IMMEDIATE");
  const refusal = await refusalOf(claimWorkItem(id, heron, ports));
  expect(refusal).toMatchObject({ code: "store.unavailable", retryAfterMs: expect.any(Number) });
  foreign.exec("ROLLBACK");
  foreign.close();
  expect((await getWorkItem(id, heron.caller, ports)).workItem).toMatchObject({ status: "open", attempts: 0 });
  expect((await claimWorkItem(id, heron, ports)).lease.fencingToken).toBe(1);
});

it("has one place that says who owns an item, and every view reads it [WRK-4]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await claimNew(heron, ports);
  const rows = new Database(join(ports.folder.path, "sylk.db"), { readonly: true });
  const references = rows.pragma("foreign_key_list(work_items)") as { table: string; from: string }[];
  expect(references.filter(({ table }) => table === "agents").map(({ from }) => from)).toEqual(["owner"]);
  rows.close();
  const { workItem } = await getWorkItem(id, otter.caller, ports);
  expect(workItem.owner).toEqual(heron.caller.agent);
  const { items } = await listPresence(input("agent.list", {}), otter.caller, ports);
  expect(items.map(({ name, workItems }) => [name, workItems.map((item) => item.id)])).toEqual([
    ["otter", []],
    ["heron", [id]],
  ]);
  const refusal = await refusalOf(claimWorkItem(id, otter, ports));
  expect(refusal.details.holder).toMatchObject(heron.caller.agent);
});

it("tells a former owner that its claim ran out, and an owner who tried to claim what it has, once each [WRK-5, WRK-14]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id, title } = await claimNew(heron, ports);
  const told = async (cursor?: string) =>
    listNotices(input("work-item.notices", cursor === undefined ? {} : { cursor }), heron.caller, ports);
  for (let attempt = 0; attempt < 3; attempt++) await refusalOf(claimWorkItem(id, otter, ports));
  const first = await told();
  expect(first.items).toMatchObject([
    { kind: "claim-tried", by: { name: "otter" }, workItem: { id, title }, text: expect.stringContaining("otter") },
  ]);
  ports.clock.advance(30 * minuteMs);
  await claimWorkItem(id, otter, ports);
  const second = await told(first.nextCursor);
  expect(second.items).toMatchObject([{ kind: "claim-expired", text: expect.stringContaining(`sylk claim ${id}`) }]);
  expect((await told(second.nextCursor)).items).toEqual([]);
});

it("returns what a session claimed when it ends, to the next agent, with what it left [WRK-9]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const mine = await claimNew(heron, ports);
  const others = await claimNew(otter, ports);
  await endAgent(heron.caller.agent.id, heron, ports);
  expect((await getWorkItem(others.id, otter.caller, ports)).workItem.owner?.name).toBe("otter");
  const { handoff, lease } = await claimWorkItem(mine.id, otter, ports);
  expect(lease.fencingToken).toBe(2);
  expect(handoff).toMatchObject({ from: { name: "heron" }, how: "released" });
});
