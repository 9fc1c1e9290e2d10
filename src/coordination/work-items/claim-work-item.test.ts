import { expect, it } from "vitest";
import { operations, parseInput, type DomainError, type RawInputOf, type WorkItemId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, createWorkItem, getWorkItem, giveUpWorkItem } from "./index.ts";

async function create(call: AgentCall, ports: ScratchPorts, terms: Partial<RawInputOf<"work-item.create">> = {}) {
  const input = parseInput(operations["work-item.create"], { title: "Rate-limit POST /orders", ...terms });
  return (await createWorkItem(input, call, ports)).workItem;
}
const close = (id: WorkItemId, call: AgentCall, ports: ScratchPorts) =>
  closeWorkItem({ id, reason: "done" }, call, ports);
const refusalOf = (claimed: Promise<unknown>) =>
  claimed.then(
    () => expect.fail("it was granted"),
    (error: unknown) => error as DomainError,
  );

it("gives a free item to the agent that claims it, with a lease, and records it", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const item = await create(heron, ports);
  const { workItem, lease } = await claimWorkItem(item.id, heron, ports);
  expect(workItem).toEqual({
    ...item,
    status: "in_progress",
    owner: heron.caller.agent,
    attempts: 1,
    version: 2,
    claimedAt: ports.clock.now(),
  });
  expect(lease).toEqual({ fencingToken: 1, expiresAt: ports.clock.now() + 30 * minuteMs });
  expect((await ports.events()).at(-1)).toMatchObject({
    type: "work-item.claimed",
    subject: item.id,
    data: { workItem, owner: { name: "heron" }, fencingToken: 1 },
  });
});

it("lets exactly one of 64 agents win that claim in the same turn; the others learn who holds it [WRK-2]", async () => {
  using ports = scratchPorts();
  const agents = await Promise.all(Array.from({ length: 64 }, (_, index) => ports.caller(`agent-${index}`)));
  const { id } = await create(agents[0]!, ports);
  const outcomes = await Promise.allSettled(agents.map((agent) => claimWorkItem(id, agent, ports)));
  const winners = outcomes.filter(({ status }) => status === "fulfilled");
  expect(winners).toMatchObject([{ value: { lease: { fencingToken: 1 } } }]);
  const owner = (await getWorkItem(id, agents[0]!.caller, ports)).workItem.owner!;
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      expect(outcome.reason).toMatchObject({ code: "claim.taken", details: { holder: { id: owner.id } } });
  expect((await ports.eventTypes()).filter((type) => type === "work-item.claimed")).toHaveLength(1);
});

it("refuses an item that was won in an earlier turn, with its holder, the time left and what to do [WRK-2]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  ports.clock.advance(10 * minuteMs);
  expect(await refusalOf(claimWorkItem(id, otter, ports))).toMatchObject({
    code: "claim.taken",
    message: expect.stringContaining("sylk ready"),
    retryAfterMs: 20 * minuteMs,
    details: { holder: { ...heron.caller.agent, status: "offline" }, suggestedAction: "pick-next" },
  });
});

it("answers its owner's second claim with the same token and records nothing [WRK-8]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await create(heron, ports);
  const first = await claimWorkItem(id, heron, ports);
  ports.clock.advance(10 * minuteMs);
  ports.hear(heron);
  const before = await ports.eventTypes();
  const second = await claimWorkItem(id, heron, ports);
  expect(second.workItem).toEqual(first.workItem);
  expect(second.lease).toEqual({ fencingToken: 1, expiresAt: ports.clock.now() + 30 * minuteMs });
  expect(await ports.eventTypes()).toEqual(before);
});

it("keeps a claim as long as its owner is heard of, whatever it calls, and not longer [WRK-5]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await create(heron, ports);
  const { workItem } = await claimWorkItem(id, heron, ports);
  for (let call = 0; call < 5; call++) {
    ports.clock.advance(29 * minuteMs);
    ports.hear(heron);
  }
  expect((await refusalOf(claimWorkItem(id, otter, ports))).code).toBe("claim.taken");
  ports.clock.advance(30 * minuteMs - 1);
  expect((await refusalOf(claimWorkItem(id, otter, ports))).retryAfterMs).toBe(1);
  ports.clock.advance(1);
  const taken = await claimWorkItem(id, otter, ports);
  expect(taken).toMatchObject({ workItem: { owner: { name: "otter" }, attempts: 2 }, lease: { fencingToken: 2 } });
  const [expired, claimed] = (await ports.events()).slice(-2);
  expect([expired, claimed]).toMatchObject([
    { type: "work-item.claim-expired", data: { formerOwner: { name: "heron" } } },
    { type: "work-item.claimed", data: { owner: { name: "otter" } } },
  ]);
  expect(taken.workItem.version).toBeGreaterThan(workItem.version);
});

it.each([3_600_000, -3_600_000])("changes no claim when the wall clock jumps by %i ms [CORE-19]", async (jump) => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  ports.clock.jumpWall(jump);
  expect((await refusalOf(claimWorkItem(id, otter, ports))).retryAfterMs).toBe(30 * minuteMs);
  ports.clock.advance(30 * minuteMs);
  expect((await claimWorkItem(id, otter, ports)).lease.fencingToken).toBe(2);
});

it("gives a claim one full time limit after a restart", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await create(heron, ports);
  await claimWorkItem(id, heron, ports);
  ports.clock.advance(29 * minuteMs);
  using next = ports.restart({ downMs: 600 * minuteMs });
  const otter = await next.caller("otter");
  expect((await refusalOf(claimWorkItem(id, otter, next))).retryAfterMs).toBe(30 * minuteMs);
  next.clock.advance(30 * minuteMs);
  next.hear(otter);
  expect((await claimWorkItem(id, otter, next)).lease.fencingToken).toBe(2);
});

it("refuses an item that waits for others, names them, and gives it once they are closed", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const [first, second] = [await create(heron, ports), await create(heron, ports)];
  const { id } = await create(heron, ports, { dependsOn: [first.id, second.id] });
  await close(first.id, heron, ports);
  expect(await refusalOf(claimWorkItem(id, heron, ports))).toMatchObject({
    code: "work-item.blocked",
    message: expect.stringContaining(second.id),
    details: { blockedBy: [second.id] },
  });
  await close(second.id, heron, ports);
  expect((await claimWorkItem(id, heron, ports)).lease.fencingToken).toBe(1);
});

it("refuses a closed item with its reason", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await create(heron, ports);
  await closeWorkItem({ id, reason: "not needed" }, heron, ports);
  expect(await refusalOf(claimWorkItem(id, heron, ports))).toMatchObject({
    code: "work-item.closed",
    details: { closedReason: "not needed" },
  });
});

it("refuses more claims than an agent may hold, names them, and counts those it gave up no more", async () => {
  using ports = scratchPorts({ maxClaimsPerAgent: 2 });
  const heron = await ports.caller("heron");
  const [first, second, third] = [await create(heron, ports), await create(heron, ports), await create(heron, ports)];
  for (const { id } of [first, second]) await claimWorkItem(id, heron, ports);
  const refusal = await refusalOf(claimWorkItem(third.id, heron, ports));
  expect(refusal).toMatchObject({ code: "claim.limit", details: { limit: 2, used: 2 } });
  expect((refusal.details.held as string[]).toSorted()).toEqual([first.id, second.id].toSorted());
  // What it holds already is no further claim.
  expect((await claimWorkItem(first.id, heron, ports)).lease.fencingToken).toBe(1);
  await giveUpWorkItem(first.id, "reopened", heron, ports);
  expect((await claimWorkItem(third.id, heron, ports)).lease.fencingToken).toBe(1);
});

it("is refused for an item that is not there or of another project, and to an agent that has ended [CORE-20]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const { id } = await create(heron, ports);
  expect((await refusalOf(claimWorkItem(id, lynx, ports))).code).toBe("caller.denied");
  expect((await refusalOf(claimWorkItem(ports.ids.next("wrk"), heron, ports))).code).toBe("work-item.not-found");
  await endAgent(otter.caller.agent.id, otter, ports);
  expect((await refusalOf(claimWorkItem(id, otter, ports))).code).toBe("agent.ended");
  expect((await getWorkItem(id, heron.caller, ports)).workItem.owner).toBeUndefined();
});
