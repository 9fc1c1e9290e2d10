import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { hashToken } from "../../platform/tokens.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, createWorkItem } from "../work-items/index.ts";
import { endAgent } from "./end-agent.ts";

const user = { kind: "user", project: undefined } as const;

async function hold(call: AgentCall, ports: ScratchPorts, path: string) {
  const wanted = parseInput(operations["reservation.acquire"], { paths: [path] });
  return (await acquireReservation(wanted, call, ports)).reservation;
}
async function claim(call: AgentCall, ports: ScratchPorts) {
  const wanted = parseInput(operations["work-item.create"], { title: "Rate-limit POST /orders" });
  const { workItem } = await createWorkItem(wanted, call, ports);
  await claimWorkItem(workItem.id, call, ports);
  return workItem.id;
}
async function tokenOf({ caller }: AgentCall, ports: ScratchPorts) {
  const session = { sessionKey: caller.agent.name, client: "other", project: { path: caller.tree } } as const;
  return (await registerAgent(session, ports.store, ports)).token;
}

/** What an agent has, as others see it. */
async function belongings({ caller }: AgentCall, token: string, { store, liveness }: ScratchPorts) {
  const { agents, reservations, workItems, tokens } = store.reader;
  return {
    status: liveness.statusOf((await agents.find(caller.agent.id))!),
    reservations: (await reservations.liveOf(caller.project.id, caller.agent.id)).length,
    claims: (await workItems.ownedBy(caller.agent.id)).length,
    token: (await tokens.find(hashToken(token))) !== undefined,
  };
}
const everything = { status: "active", reservations: 2, claims: 1, token: true };
const nothing = { status: "ended", reservations: 0, claims: 0, token: false };

async function busyAgent(name: string, ports: ScratchPorts) {
  const call = await ports.caller(name);
  await hold(call, ports, `${name}/a.ts`);
  await hold(call, ports, `${name}/b.ts`);
  return { call, item: await claim(call, ports), token: await tokenOf(call, ports) };
}

it("frees what the agent reserved, returns what it claimed, revokes its tokens, and touches no other agent's [WRK-9]", async () => {
  using ports = scratchPorts();
  const heron = await busyAgent("heron", ports);
  const otter = await busyAgent("otter", ports);
  const before = (await ports.events()).length;
  const answer = await endAgent(heron.call.caller.agent.id, heron.call, ports);
  expect(answer).toMatchObject({
    agent: { name: "heron", status: "ended", endedAt: ports.clock.now() },
    releasedReservations: 2,
    releasedClaims: 1,
  });
  expect(await belongings(heron.call, heron.token, ports)).toEqual(nothing);
  expect(await belongings(otter.call, otter.token, ports)).toEqual(everything);
  expect(await ports.store.reader.workItems.find(heron.item)).toMatchObject({ status: "open" });
  expect((await ports.eventTypes()).slice(before)).toEqual([
    "work-item.released",
    "reservation.released",
    "reservation.released",
    "agent.ended",
  ]);
});

it("does all of it in one transaction: a reader of the first part sees the whole", async () => {
  using ports = scratchPorts();
  const { call, token } = await busyAgent("heron", ports);
  const seen: ReturnType<typeof belongings>[] = [];
  ports.bus.subscribe("event.**", () => void seen.push(belongings(call, token, ports)));
  await endAgent(call.caller.agent.id, call, ports);
  expect(await Promise.all(seen)).toEqual([nothing, nothing, nothing, nothing]);
});

it("does none of it when its transaction fails", async () => {
  using ports = scratchPorts();
  const { call, token } = await busyAgent("heron", ports);
  const before = await ports.eventTypes();
  const planted = new Error("planted");
  const failing: AgentCall["transact"] = (scope, work) =>
    call.transact(scope, async (tx) => {
      await work(tx);
      throw planted;
    });
  await expect(endAgent(call.caller.agent.id, { ...call, transact: failing }, ports)).rejects.toBe(planted);
  expect(await belongings(call, token, ports)).toEqual(everything);
  expect(await ports.eventTypes()).toEqual(before);
});

it("lets another agent have the paths at once", async () => {
  using ports = scratchPorts();
  const { call } = await busyAgent("heron", ports);
  const otter = await ports.caller("otter");
  await endAgent(call.caller.agent.id, call, ports);
  expect((await hold(otter, ports, "heron/a.ts")).holder.name).toBe("otter");
});

it("ends an agent once, however often it is asked", async () => {
  using ports = scratchPorts();
  const { call } = await busyAgent("heron", ports);
  const { id } = call.caller.agent;
  const first = await endAgent(id, call, ports);
  ports.clock.advance(1_000);
  const second = await endAgent(id, { ...call, caller: user }, ports);
  expect(second).toMatchObject({ agent: { endedAt: first.agent.endedAt }, releasedReservations: 0, releasedClaims: 0 });
  expect((await ports.eventTypes()).filter((type) => type === "agent.ended")).toHaveLength(1);
});

it("is refused for another agent, of this or another project; the user may end any [CORE-20]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const otter = await ports.caller("otter");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const { id } = heron.caller.agent;
  for (const other of [otter, lynx])
    await expect(endAgent(id, other, ports)).rejects.toMatchObject({ code: "caller.denied" });
  await expect(endAgent(ports.ids.next("agt"), { ...heron, caller: user }, ports)).rejects.toMatchObject({
    code: "agent.not-found",
  });
  expect((await endAgent(id, { ...heron, caller: user }, ports)).agent.status).toBe("ended");
});

it("is an act for the audit when the user takes from an agent what it held, and otherwise not", async () => {
  using ports = scratchPorts();
  const heron = await busyAgent("heron", ports);
  const otter = await busyAgent("otter", ports);
  const idle = await ports.caller("idle");
  const byUser = { caller: user, transact: ports.store.transact };
  await endAgent(heron.call.caller.agent.id, byUser, ports);
  await endAgent(otter.call.caller.agent.id, otter.call, ports);
  await endAgent(idle.caller.agent.id, byUser, ports);
  const query = { action: undefined, since: undefined, before: undefined, limit: 9 };
  expect(await ports.store.reader.audit.page(query)).toMatchObject([
    {
      actor: { kind: "user" },
      action: "agent.ended",
      subject: heron.call.caller.agent.id,
      details: { name: "heron", releasedReservations: 2, releasedClaims: 1 },
    },
  ]);
});
