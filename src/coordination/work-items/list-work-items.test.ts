import { expect, it } from "vitest";
import { operations, parseInput, type RawInputOf } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, createWorkItem, getWorkItem, listWorkItems, readyWorkItems } from "./index.ts";

async function create(
  call: AgentCall,
  ports: ScratchPorts,
  title: string,
  terms: Partial<RawInputOf<"work-item.create">> = {},
) {
  ports.clock.advance(1);
  const input = parseInput(operations["work-item.create"], { title, ...terms });
  return (await createWorkItem(input, call, ports)).workItem;
}
async function ready({ caller }: Pick<AgentCall, "caller">, ports: ScratchPorts, limit = 20) {
  return (await readyWorkItems({ limit }, caller, ports)).items.map(({ title }) => title);
}
const list = (ports: ScratchPorts, { caller }: AgentCall, query: RawInputOf<"work-item.list"> = {}) =>
  listWorkItems(parseInput(operations["work-item.list"], query), caller, ports);

it("adds an open item with its terms and an event", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const needed = await create(heron, ports, "first");
  const item = await create(heron, ports, "second", {
    body: "details",
    type: "bug",
    priority: 1,
    dependsOn: [needed.id, needed.id],
  });
  expect(item).toEqual({
    id: expect.stringMatching(/^wrk_/),
    title: "second",
    body: "details",
    type: "bug",
    priority: 1,
    status: "open",
    labels: [],
    dependsOn: [needed.id],
    relatesTo: [],
    discoveredFrom: [],
    attempts: 0,
    version: 1,
    createdAt: ports.clock.now(),
    updatedAt: ports.clock.now(),
  });
  expect((await getWorkItem(item.id, heron.caller, ports)).workItem).toEqual(item);
  expect((await ports.events()).at(-1)).toMatchObject({ type: "work-item.created", data: { workItem: item } });
});

it("adds nothing that depends on an item that is not there or of another project, or for an ended agent", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const foreign = await create(lynx, ports, "foreign");
  for (const id of [foreign.id, ports.ids.next("wrk")])
    await expect(create(heron, ports, "blocked", { dependsOn: [id] })).rejects.toMatchObject({
      code: "work-item.not-found",
      details: { id },
    });
  await endAgent(lynx.caller.agent.id, lynx, ports);
  await expect(create(lynx, ports, "late")).rejects.toMatchObject({ code: "agent.ended" });
  expect((await list(ports, heron)).items).toEqual([]);
});

it("calls ready what can be claimed now: the most urgent first, then the oldest [WRK-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await create(heron, ports, "late and urgent", { priority: 1 });
  await create(heron, ports, "least", { priority: 4 });
  await create(heron, ports, "later and urgent", { priority: 1 });
  await create(heron, ports, "most urgent", { priority: 0 });
  const expected = ["most urgent", "late and urgent", "later and urgent", "least"];
  expect(await ready(heron, ports)).toEqual(expected);
  expect(await ready(heron, ports, 2)).toEqual(expected.slice(0, 2));
});

it("leaves out what is blocked, closed, claimed or of another project, and takes back what lost its owner [WRK-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  await create(lynx, ports, "foreign");
  const first = await create(heron, ports, "first");
  const claimed = await create(heron, ports, "claimed", { priority: 1 });
  await create(heron, ports, "blocked", { dependsOn: [first.id] });
  await claimWorkItem(claimed.id, heron, ports);
  expect(await ready(otter, ports)).toEqual(["first"]);
  await closeWorkItem({ id: first.id, reason: "done" }, otter, ports);
  expect(await ready(otter, ports)).toEqual(["blocked"]);
  // Its owner has been silent for too long; nobody has swept it up yet.
  ports.clock.advance(30 * minuteMs);
  expect(await ready(otter, ports)).toEqual(["claimed", "blocked"]);
});

it("shows an item with its lease while it has a live owner, to its own project and the user only", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const { id } = await create(heron, ports, "first");
  expect((await getWorkItem(id, heron.caller, ports)).lease).toBeUndefined();
  await claimWorkItem(id, heron, ports);
  ports.hear(heron);
  ports.clock.advance(minuteMs);
  const expiresAt = ports.clock.now() + 29 * minuteMs;
  expect((await getWorkItem(id, heron.caller, ports)).lease).toEqual({ fencingToken: 1, expiresAt });
  expect((await getWorkItem(id, { kind: "user", project: undefined }, ports)).workItem.id).toBe(id);
  await expect(getWorkItem(id, lynx.caller, ports)).rejects.toMatchObject({ code: "caller.denied" });
  ports.clock.advance(29 * minuteMs);
  expect((await getWorkItem(id, heron.caller, ports)).lease).toBeUndefined();
});

it("lists the newest first, by status, in pages that join without gap or repetition", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  await create(lynx, ports, "foreign");
  const titles = ["a", "b", "c", "d", "e"];
  for (const title of titles) {
    const { id } = await create(heron, ports, title);
    if (title === "c") await closeWorkItem({ id, reason: "done" }, heron, ports);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(ports, heron, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(titles.toReversed());
  expect((await list(ports, heron, { status: "closed" })).items.map(({ title }) => title)).toEqual(["c"]);
  expect((await list(ports, heron, { status: "open" })).items).toHaveLength(4);
});
