import { expect, it } from "vitest";
import { DomainError, type ReservationId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import type { PathHolder, PathReservations } from "./path-reservations.ts";
import { playedCommands, scratchDags } from "./testkit.ts";

const edit = { run: ["edit"], reserves: { paths: ["a.txt"] } };
const agent = { id: "agt_1", name: "otter", client: "sylk" } as PathHolder["agent"];
const grant = { id: "rsv_1" as ReservationId, fencingToken: 1, renewEveryMs: 1_000 };

function reservations(terms: Partial<PathHolder>): PathReservations & { readonly log: string[] } {
  const log: string[] = [];
  return {
    log,
    async open({ node }) {
      log.push(`open ${node}`);
      const end = async (): Promise<void> => void log.push(`end ${node}`);
      const nothing = async (): Promise<undefined> => undefined;
      return { agent, acquire: async () => grant, renew: nothing, inTheWay: nothing, end, ...terms };
    },
  };
}

it("stops a command whose paths another agent has by now, and says so", async () => {
  const clock = manualClock();
  using at = scratchDags(clock);
  const dag = await at.add({ edit });
  const begun = Promise.withResolvers<void>();
  const commands = playedCommands(({ request: { signal } }) => {
    begun.resolve();
    return new Promise((resolve) => signal?.addEventListener("abort", () => resolve({ end: "aborted" })));
  });
  const held = reservations({ renew: () => Promise.reject(new DomainError("lease.lost", "heron has it now")) });
  const host = at.host(commands, { reservations: held });
  await host.launch(dag.id);
  await begun.promise;
  clock.advance(grant.renewEveryMs);
  await host.over(dag.id);
  const [row] = await at.store.reader.dags.nodesOf(dag.id);
  expect(row?.record).toMatchObject({
    state: "failed",
    error: { class: "transient", message: expect.stringMatching(/no longer holds its paths.*heron has it now/) },
  });
  expect(held.log).toEqual(["open edit", "end edit"]);
});

it("fails with the way out when the paths can never be reserved, and is retried when they cannot for now", async () => {
  using at = scratchDags();
  const dag = await at.add({ edit }, { retry: { max: 1, backoffMs: 0 } });
  const refusals = [
    new DomainError("store.unavailable", "the disk is full"),
    new DomainError("reservation.limit", "otter already holds 40 of 40 paths; release some first"),
  ];
  const held = reservations({ acquire: () => Promise.reject(refusals.shift()!) });
  const host = at.host(playedCommands(), { reservations: held });
  await host.launch(dag.id);
  await host.over(dag.id);
  const [row] = await at.store.reader.dags.nodesOf(dag.id);
  expect(row?.record).toMatchObject({
    state: "failed",
    attempt: 2,
    error: { class: "user-fixable", message: expect.stringContaining("release some first") },
  });
  expect(held.log).toEqual(["open edit", "end edit", "open edit", "end edit"]);
});
