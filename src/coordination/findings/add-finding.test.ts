import { expect, it } from "vitest";
import { finding as contract, operations, parseInput } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { pendingFor, readInbox } from "../mail/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { minuteMs, repository, type AgentCall } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "../work-items/index.ts";
import { viewAgent } from "../registry/index.ts";
import { getFinding, listFindings, markFinding, remindHolder } from "./index.ts";
import { aFinding, scratchFindings, type ScratchFindings } from "./testkit.ts";

const reserve = (call: AgentCall, wanted: object, { ports }: ScratchFindings) =>
  acquireReservation(parseInput(operations["reservation.acquire"], wanted), call, ports);
const list = async (call: AgentCall, wanted: object, { findings }: ScratchFindings) =>
  (await listFindings(parseInput(operations["finding.list"], wanted), call.caller, findings)).items;

it("publishes a finding with place, evidence and who, in the one schema of findings, and tells the log [FIND-1, FIND-2]", async () => {
  using world = scratchFindings();
  const heron = await world.ports.caller("heron");
  const { finding, merged } = await world.add(heron, aFinding(42, { evidence: "expected 3, got 2", thread: "orders" }));
  expect(contract.Finding.safeParse(finding).success).toBe(true); // a run's findings are the same thing
  expect(merged).toBe(false);
  expect(finding).toMatchObject({
    severity: "important",
    category: "correctness",
    files: [{ path: "src/orders.ts", line: 42 }],
    evidence: "expected 3, got 2",
    thread: "orders",
    agent: { name: "heron" },
    by: "heron",
    status: "open",
    agreement: 1,
  });
  const events = await world.ports.events();
  expect(events.at(-1)).toMatchObject({
    type: "finding.published",
    subject: finding.id,
    data: { finding: { id: finding.id } },
  });
});

it.each([
  ["critical", "blocking"],
  ["high", "blocking"],
  ["medium", "important"],
  ["low", "informational"],
  ["info", "informational"],
] as const)("takes a checker's %s as %s [FIND-1]", async (level, severity) => {
  using world = scratchFindings();
  const { severity: _own, ...wanted } = aFinding(1, { level });
  const { finding } = await world.add(await world.ports.caller("heron"), wanted);
  expect(finding).toMatchObject({ level, severity });
});

it.each([
  ["no severity", { severity: undefined }],
  ["a path outside", { files: [{ path: "../secret" }] }],
  ["an absolute path", { files: [{ path: "/etc/passwd" }] }],
  ["line 0", { files: [{ path: "a.ts", line: 0 }] }],
  ["an empty summary", { summary: " \u0007 " }],
  ["a megabyte of evidence", { evidence: "x".repeat(1_048_576) }],
  ["a category that is none", { category: "Not A Category" }],
  ["an unknown field", { colour: "red" }],
])("refuses %s and stores nothing [FIND-1]", async (_what, other) => {
  using world = scratchFindings();
  const heron = await world.ports.caller("heron");
  const wanted = Object.fromEntries(
    Object.entries({ ...aFinding(1), ...other }).filter(([, value]) => value !== undefined),
  );
  await expect((async () => world.add(heron, wanted as never))()).rejects.toMatchObject({ code: "input.invalid" });
  expect(await world.ports.eventTypes()).not.toContain("finding.published");
});

it("is read by peers of other sessions, by place, severity, thread or without one's own, and not by other projects [FIND-2]", async () => {
  using world = scratchFindings();
  const { ports } = world;
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const crow = await ports.caller("crow", repository(ports.folder, "nest"));
  const { finding } = await world.add(heron, aFinding(42, { thread: "orders" }));
  await world.add(otter, aFinding(7, { severity: "blocking", files: [{ path: "src/cart.ts", line: 7 }] }));
  const paths = async (call: AgentCall, wanted: object) =>
    (await list(call, wanted, world)).map(({ files }) => files[0]!.path);
  expect(await paths(otter, {})).toEqual(["src/cart.ts", "src/orders.ts"]);
  expect(await paths(otter, { peers: true })).toEqual(["src/orders.ts"]);
  expect(await paths(otter, { path: "src/orders.ts" })).toEqual(["src/orders.ts"]);
  expect(await paths(otter, { severity: "blocking" })).toEqual(["src/cart.ts"]);
  expect(await paths(otter, { thread: "orders" })).toEqual(["src/orders.ts"]);
  expect(await paths(crow, {})).toEqual([]);
  await expect(getFinding(finding.id, crow.caller, world.findings)).rejects.toMatchObject({ code: "caller.denied" });
  const page = parseInput(operations["finding.list"], { limit: 1 });
  const first = await listFindings(page, otter.caller, world.findings);
  const second = await listFindings({ ...page, cursor: first.nextCursor }, otter.caller, world.findings);
  expect([first.items.length, second.items[0]!.id, second.nextCursor]).toEqual([1, finding.id, undefined]);
});

it("takes reports of one place and category for one finding; agents on one model count once [FIND-4]", async () => {
  using world = scratchFindings();
  const names = ["heron", "otter", "lynx", "crane"];
  const [heron, otter, lynx, crane] = await Promise.all(names.map((name) => world.ports.caller(name)));
  const first = await world.add(heron!, aFinding(42, { model: "opus" }));
  const second = await world.add(otter!, aFinding(44, { model: "opus" }));
  expect(second).toMatchObject({ merged: true, finding: { id: first.finding.id, agreement: 1 } });
  expect((await world.add(lynx!, aFinding(41, { model: "gpt", severity: "blocking" }))).finding).toMatchObject({
    id: first.finding.id,
    agreement: 2,
    severity: "blocking",
  });
  expect((await world.add(crane!, aFinding(40))).finding.agreement).toBe(3); // of an unknown model: a source of its own
  expect((await world.add(crane!, aFinding(40))).finding.reports).toHaveLength(4); // repeating oneself adds nothing
  for (const other of [
    aFinding(60),
    aFinding(42, { category: "style" }),
    aFinding(42, { files: [{ path: "b.ts", line: 42 }] }),
  ])
    expect((await world.add(heron!, other)).merged).toBe(false);
});

it("joins two findings when a report lies between them, and keeps what was decided [FIND-4]", async () => {
  using world = scratchFindings();
  const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
  const low = (await world.add(heron, aFinding(10))).finding;
  const high = (await world.add(otter, aFinding(16))).finding;
  expect(high.id).not.toBe(low.id);
  const joined = (await world.add(heron, aFinding(13))).finding;
  expect(joined).toMatchObject({ id: low.id, agreement: 2 });
  expect((await getFinding(high.id, heron.caller, world.findings)).finding.id).toBe(low.id); // its old id still finds it
  expect(await list(heron, {}, world)).toHaveLength(1);
});

it("sends a blocking finding to live agents that hold its files, and to no others [FIND-7]", async () => {
  using world = scratchFindings();
  const { ports } = world;
  const names = ["heron", "holder", "globber", "elsewhere", "silent"];
  const [heron, holder, globber, elsewhere, silent] = await Promise.all(names.map((name) => ports.caller(name)));
  await reserve(holder!, { paths: ["src/orders.ts"], mode: "shared" }, world);
  await reserve(globber!, { patterns: ["src/**"], mode: "shared" }, world);
  await reserve(elsewhere!, { paths: ["src/cart.ts"], mode: "shared" }, world);
  await reserve(silent!, { paths: ["src/orders.ts"], mode: "shared", ttlMs: 30 * minuteMs }, world);
  ports.clock.advance(4 * minuteMs);
  ports.hear(heron!, holder!, globber!, elsewhere!);
  ports.clock.advance(minuteMs - 1);
  await endAgent(silent!.caller.agent.id, silent!, ports);
  const { notified, finding } = await world.add(heron!, aFinding(42, { severity: "blocking" }));
  expect(notified.map(({ name }) => name).toSorted()).toEqual(["globber", "holder"]);
  const { agent, project } = holder!.caller;
  expect(await pendingFor(agent.id, project.id, ports)).toEqual({ mail: 0, notices: 1, blockingFindings: 1 });
  const wanted = parseInput(operations["mail.inbox"], { channel: "notices" });
  expect((await readInbox(wanted, holder!, ports)).items).toMatchObject([
    {
      from: { name: "heron" },
      importance: "urgent",
      subject: finding.summary,
      content: { kind: "finding", finding: finding.id },
    },
  ]);
  expect((await world.add(globber!, aFinding(43, { severity: "blocking" }))).notified).toEqual([]); // known already
});

it("tells an agent that holds a file later with its next heartbeat, once, while the finding stands [FIND-7]", async () => {
  using world = scratchFindings();
  const { ports } = world;
  const [heron, late] = [await ports.caller("heron"), await ports.caller("late")];
  const { finding } = await world.add(heron, aFinding(42, { severity: "blocking" }));
  const beat = async (call: AgentCall) => {
    const record = await ports.store.reader.agents.find(call.caller.agent.id);
    await remindHolder(viewAgent(record!, ports.liveness), world.findings);
    return (await pendingFor(call.caller.agent.id, call.caller.project.id, ports)).blockingFindings;
  };
  expect(await beat(late)).toBe(0);
  await reserve(late, { patterns: ["src/*.ts"], mode: "shared" }, world);
  await reserve(heron, { paths: ["src/orders.ts"], mode: "shared" }, world);
  expect([await beat(late), await beat(late), await beat(heron)]).toEqual([1, 1, 0]);
  await markFinding({ id: finding.id, status: "fixed", why: "done" }, heron, world.findings);
  const later = await ports.caller("later");
  await reserve(later, { paths: ["src/orders.ts"], mode: "shared" }, world);
  expect(await beat(later)).toBe(0);
});

it("sends a blocking finding to those of the same run and of the same thread [FIND-7]", async () => {
  using world = scratchFindings(["engineer-node"]);
  const { ports } = world;
  const names = ["heron", "engineer-node", "talker", "owner", "stranger"];
  const [heron, , talker, owner] = await Promise.all(names.map((name) => ports.caller(name)));
  const run = ports.ids.next("run");
  const told = async (other: object) =>
    (await world.add(heron!, aFinding(1, { severity: "blocking", files: [], ...other }))).notified.map(
      ({ name }) => name,
    );
  expect(await told({ summary: "in a run", run })).toEqual(["engineer-node"]);
  await world.add(talker!, aFinding(9, { thread: "orders" }));
  expect(await told({ summary: "in a thread", thread: "orders" })).toEqual(["talker"]);
  const item = parseInput(operations["work-item.create"], { title: "Keep orders" });
  const { workItem } = await createWorkItem(item, owner!, ports);
  await claimWorkItem(workItem.id, owner!, ports);
  expect(await told({ summary: "about an item", thread: workItem.id })).toEqual(["owner"]);
});
