import { expect, it } from "vitest";
import { operations, parseInput, type ReservationId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { acquireReservation, releaseReservation, renewReservation } from "./index.ts";

async function hold(call: AgentCall, ports: ScratchPorts, path = "a.ts") {
  const wanted = parseInput(operations["reservation.acquire"], { paths: [path] });
  return (await acquireReservation(wanted, call, ports)).reservation;
}
const renew = (id: ReservationId, call: AgentCall, ports: ScratchPorts) =>
  renewReservation({ id, changed: true }, call, ports);
const both = [
  ["renew", renew],
  ["release", releaseReservation],
] as const;

it("renews from now, as often as asked, for as long as its holder has been editing, and that is no event [RSV-7]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const held = await hold(heron, ports);
  for (let renewal = 0; renewal < 5; renewal++) {
    ports.clock.advance(4 * minuteMs);
    const { reservation } = await renew(held.id, heron, ports);
    const patienceMs = Math.max(5, 4 * (renewal + 1)) * minuteMs;
    expect(reservation).toEqual({ ...held, expiresAt: ports.clock.now() + patienceMs });
  }
  expect(await ports.eventTypes()).toEqual(["agent.registered", "reservation.acquired"]);
});

it("releases at once: the path is free, an event says so", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const held = await hold(heron, ports);
  ports.clock.advance(minuteMs);
  const { reservation } = await releaseReservation(held.id, heron, ports);
  expect(reservation).toEqual({ ...held, expiresAt: ports.clock.now() });
  expect((await ports.events()).at(-1)).toMatchObject({ type: "reservation.released", data: { reservation } });
  expect(await hold(otter, ports)).toMatchObject({ holder: { name: "otter" } });
});

it.each(both)(
  "refuses to %s a reservation that ran out, was released, passed on or ended with its agent",
  async (_name, act) => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const expectLost = (id: ReservationId, call: AgentCall) =>
      expect(act(id, call, ports)).rejects.toMatchObject({
        code: "lease.lost",
        message: expect.stringContaining("reserve the paths again"),
        details: { id },
      });

    const released = await hold(heron, ports);
    await releaseReservation(released.id, heron, ports);
    await expectLost(released.id, heron);

    const ranOut = await hold(heron, ports);
    ports.clock.advance(7 * minuteMs);
    await expectLost(ranOut.id, heron);
    await hold(otter, ports);
    await expectLost(ranOut.id, heron);

    const ofEnded = await hold(heron, ports, "b.ts");
    await endAgent(heron.caller.agent.id, heron, ports);
    await expectLost(ofEnded.id, heron);
  },
);

it.each(both)("refuses to %s another agent's reservation or one of another project [CORE-20]", async (_name, act) => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  const held = await hold(heron, ports);
  ports.clock.advance(minuteMs);
  await expect(act(held.id, otter, ports)).rejects.toMatchObject({
    code: "caller.denied",
    details: { holder: { name: "heron" } },
  });
  await expect(act(held.id, lynx, ports)).rejects.toMatchObject({
    code: "caller.denied",
    details: { needed: "a token of that project" },
  });
  expect(ports.leases.leftMs(held)).toBe(4 * minuteMs);
  expect(await hold(heron, ports)).toMatchObject({ id: held.id });
});

it.each(both)("says of a reservation that never was, when asked to %s it, that there is none", async (_name, act) => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const id = ports.ids.next("rsv");
  await expect(act(id, heron, ports)).rejects.toMatchObject({ code: "reservation.not-found", details: { id } });
});

it("says lease.lost for as long as ended reservations are kept, and not found afterwards", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const held = await hold(heron, ports);
  await releaseReservation(held.id, heron, ports);
  const live = await hold(heron, ports, "b.ts");
  const removed = await ports.store.transact("retention", (tx) =>
    tx.reservations.removeEndedBefore(ports.clock.now() + 1),
  );
  expect(removed).toBe(1);
  await expect(renew(held.id, heron, ports)).rejects.toMatchObject({ code: "reservation.not-found" });
  expect((await renew(live.id, heron, ports)).reservation.id).toBe(live.id);
});

it("gives nothing back that another agent was granted meanwhile, though that one is done with it [RSV-8, RSV-9]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const [lost, kept] = [await hold(heron, ports), await hold(heron, ports, "b/b.ts")];
  ports.clock.advance(5 * minuteMs);
  const taken = await hold(otter, ports);
  ports.clock.jumpWall(-60 * minuteMs);
  await releaseReservation(taken.id, otter, ports);
  await expect(renew(lost.id, heron, ports)).rejects.toMatchObject({ code: "lease.lost" });
  expect(await renew(kept.id, heron, ports)).toMatchObject({ reservation: { id: kept.id } });
});
