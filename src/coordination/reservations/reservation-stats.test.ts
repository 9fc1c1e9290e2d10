import { expect, it } from "vitest";
import { minuteMs, scratchPorts, settled, type ScratchPorts } from "../testkit.ts";
import { acquireReservation, releaseReservation, renewReservation, reservationStats } from "./index.ts";

const wanted = { patterns: [] as string[], mode: "exclusive" as const, scope: "tree" as const, waitMs: 0 };

async function holdBriefly(ports: ScratchPorts, name: string, path: string): Promise<void> {
  const agent = await ports.caller(name);
  ports.hear(agent);
  const { reservation } = await acquireReservation({ ...wanted, paths: [path] }, agent, ports);
  ports.clock.advance(minuteMs);
  await releaseReservation(reservation.id, agent, ports);
}

it("counts hand-overs per path, and those back to the one before [RSV-13]", async () => {
  using ports = scratchPorts();
  for (const name of ["heron", "otter", "heron", "heron", "otter"]) await holdBriefly(ports, name, "a.ts");
  await holdBriefly(ports, "heron", "b.ts");
  const { caller } = await ports.caller("heron");
  const stats = await reservationStats({ hours: 2, limit: 1 }, caller, ports);
  expect(stats).toMatchObject({ grants: 6, handOvers: 3, backAndForth: 1, handOversPerPathHour: 0.75, graceHits: 0 });
  expect(stats.paths).toEqual([expect.objectContaining({ path: "a.ts", handOvers: 3, handOversPerHour: 1.5 })]);
});

it("counts time spent waiting, also of a wait in vain [RSV-13]", async () => {
  using ports = scratchPorts();
  const [heron, otter, crow] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("crow")];
  const { reservation } = await acquireReservation({ ...wanted, paths: ["a.ts"] }, heron, ports);
  const granted = acquireReservation({ ...wanted, paths: ["a.ts"], waitMs: 3 * minuteMs }, otter, ports);
  const inVain = acquireReservation({ ...wanted, paths: ["a.ts"], waitMs: minuteMs }, crow, ports);
  const refusal = inVain.catch((error: unknown) => error);
  await settled();
  ports.clock.advance(minuteMs);
  expect(await refusal).toMatchObject({ code: "reservation.conflict" });
  ports.clock.advance(minuteMs);
  await releaseReservation(reservation.id, heron, ports);
  await granted;
  await settled();
  const stats = await reservationStats({ hours: 1, limit: 20 }, heron.caller, ports);
  expect(stats).toMatchObject({ grants: 2, handOvers: 1, givenUp: 1, waitedMs: 3 * minuteMs });
});

it("counts a hold that was taken back in grace [RSV-13]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { reservation } = await acquireReservation({ ...wanted, paths: ["a.ts"] }, heron, ports);
  ports.clock.advance(6 * minuteMs);
  ports.hear(heron);
  ports.leases.lapse({ ...reservation, id: reservation.id });
  await ports.store.transact("test", (tx) => tx.reservations.end(reservation.id, ports.clock.now(), "expiry"));
  await renewReservation({ id: reservation.id, changed: true }, heron, ports);
  expect(await reservationStats({ hours: 1, limit: 20 }, heron.caller, ports)).toMatchObject({ graceHits: 1 });
});

it("keeps no wait longer than reservations are kept, and shows none of another project [RSV-13]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const project = heron.caller.project.id;
  await ports.store.transact(project, (tx) =>
    tx.reservations.addLostWait({ project, paths: ["a.ts"], waitedMs: 5, at: ports.clock.now() }),
  );
  const stats = () => reservationStats({ hours: 168, limit: 20 }, heron.caller, ports);
  expect(await stats()).toMatchObject({ givenUp: 1, waitedMs: 5 });
  expect(await reservationStats({ hours: 1, limit: 20 }, { kind: "user", project: undefined }, ports)).toMatchObject({
    givenUp: 0,
  });
  await ports.store.transact(project, (tx) => tx.reservations.removeEndedBefore(ports.clock.now() + 3_600_000));
  expect(await stats()).toMatchObject({ givenUp: 0, paths: [] });
});
