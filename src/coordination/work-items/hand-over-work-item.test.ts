import { expect, it } from "vitest";
import type { RawInputOf } from "../../contract/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { minuteMs, scratchPorts, settled, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, getWorkItem, giveUpWorkItem, handOffWorkItem, listNotices, reportProgress } from "./index.ts";
import { claimNew, createItem, input, refusalOf } from "./testkit.ts";

const handoff = (call: AgentCall, ports: ScratchPorts, wanted: RawInputOf<"work-item.handoff">) =>
  handOffWorkItem(input("work-item.handoff", wanted), call, ports);
const noticesOf = async ({ caller }: AgentCall, ports: ScratchPorts) =>
  (await listNotices(input("work-item.notices", {}), caller, ports)).items.map(({ kind }) => kind);
const ownerOf = async (id: string, { caller }: AgentCall, ports: ScratchPorts) =>
  (await getWorkItem(id, caller, ports)).workItem.owner?.name;
async function afterwards(ports: ScratchPorts): Promise<void> {
  const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  await settled();
  sweeper.stop();
}

it("asks the owner, who accepts: the item passes on with its handoff record and a new token [WRK-7]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { id, claimedAt } = await claimNew(heron, ports);
  const wanted = input("reservation.acquire", { paths: ["src/limit.ts"], patterns: ["test/**"] });
  await acquireReservation(wanted, heron, ports);
  ports.clock.advance(minuteMs);
  for (const percent of [30, 60])
    await reportProgress(input("work-item.progress", { id, note: `${percent} done`, percent }), heron, ports);

  const asked = await handoff(otter, ports, { id });
  expect(asked).toMatchObject({
    state: "asked",
    workItem: { owner: { name: "heron" }, handoffRequest: { to: { name: "otter" } } },
  });
  expect(await noticesOf(heron, ports)).toEqual(["handoff-asked"]);
  expect((await handoff(otter, ports, { id })).state).toBe("asked");

  const passed = await handoff(heron, ports, { id, answer: "accept" });
  expect(passed).toMatchObject({ state: "handed-over", workItem: { owner: { name: "otter" }, attempts: 2 } });
  expect(passed.workItem.handoffRequest).toBeUndefined();
  expect(await noticesOf(otter, ports)).toEqual(["handed-over"]);
  const received = await claimWorkItem(id, otter, ports);
  expect(received.lease.fencingToken).toBe(2);
  expect(received.handoff).toEqual({
    from: heron.caller.agent,
    how: "handed-over",
    claimedAt,
    endedAt: ports.clock.now(),
    progress: [60, 30].map((percent) => ({
      note: `${percent} done`,
      percent,
      by: heron.caller.agent,
      at: ports.clock.now(),
    })),
    files: ["src/limit.ts", "test/**"],
  });
  expect((await ports.events()).at(-1)).toMatchObject({
    type: "work-item.handed-over",
    data: { formerOwner: { name: "heron" }, owner: { name: "otter" }, fencingToken: 2 },
  });
  expect((await refusalOf(giveUpWorkItem(id, "reopened", heron, ports))).code).toBe("lease.lost");
});

it("leaves the item with an owner who declines, and tells who asked [WRK-7]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  const { id } = await claimNew(heron, ports);
  await handoff(otter, ports, { id });
  expect(await refusalOf(handoff(lynx, ports, { id }))).toMatchObject({
    code: "handoff.pending",
    retryAfterMs: 10 * minuteMs,
    details: { handoffRequest: { to: { name: "otter" } } },
  });
  expect((await handoff(heron, ports, { id, answer: "decline" })).state).toBe("declined");
  expect(await noticesOf(otter, ports)).toEqual(["handoff-declined"]);
  expect(await ownerOf(id, heron, ports)).toBe("heron");
  expect((await refusalOf(handoff(heron, ports, { id, answer: "accept" }))).code).toBe("handoff.not-asked");
  expect((await refusalOf(handoff(otter, ports, { id, answer: "accept" }))).code).toBe("lease.lost");
});

it("takes a stalled owner's silence for consent, and a moving one's for a no [WRK-7]", async () => {
  using ports = scratchPorts({ stallAfterMs: 20 * minuteMs, claimTtlMs: 600 * minuteMs, staleAfterMs: 600 * minuteMs });
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const [stalled, moving] = [await claimNew(heron, ports), await claimNew(heron, ports)];
  ports.clock.advance(15 * minuteMs);
  await reportProgress(input("work-item.progress", { id: moving.id, note: "nearly" }), heron, ports);
  for (const { id } of [stalled, moving]) await handoff(otter, ports, { id });
  ports.clock.advance(10 * minuteMs - 1);
  await afterwards(ports);
  expect([await ownerOf(stalled.id, heron, ports), await ownerOf(moving.id, heron, ports)]).toEqual(["heron", "heron"]);
  ports.clock.advance(1);
  await afterwards(ports);
  expect([await ownerOf(stalled.id, heron, ports), await ownerOf(moving.id, heron, ports)]).toEqual(["otter", "heron"]);
  expect(await noticesOf(otter, ports)).toEqual(expect.arrayContaining(["handed-over", "handoff-declined"]));
});

it("hands over at once what its owner gives away or no agent owns, within the receiver's limit [WRK-7]", async () => {
  using ports = scratchPorts({ maxClaimsPerAgent: 1 });
  const heron = await ports.caller("heron");
  await ports.caller("otter");
  const given = await claimNew(heron, ports);
  expect(await handoff(heron, ports, { id: given.id, to: "otter" })).toMatchObject({
    state: "handed-over",
    workItem: { owner: { name: "otter" } },
    handoff: { from: { name: "heron" } },
  });
  const free = await createItem(heron, ports);
  expect((await refusalOf(handoff(heron, ports, { id: free.id, to: "otter" }))).code).toBe("claim.limit");
  expect((await handoff(heron, ports, { id: free.id })).workItem.owner?.name).toBe("heron");
  expect((await refusalOf(handoff(heron, ports, { id: free.id, to: "nobody" }))).code).toBe("agent.not-found");
});
