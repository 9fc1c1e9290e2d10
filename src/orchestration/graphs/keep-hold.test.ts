import { expect, it } from "vitest";
import { DomainError, type ReservationId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { keepHold } from "./keep-hold.ts";
import type { PathHolder } from "./path-reservations.ts";

const grant = { id: "rsv_1" as ReservationId, fencingToken: 7, renewEveryMs: 1_000 };

function holding(answers: (() => Promise<void>)[]) {
  const clock = manualClock();
  const agent = { id: "agt_1", name: "otter", client: "sylk" } as PathHolder["agent"];
  let renewals = 0;
  const renew = async (): Promise<void> => {
    renewals++;
    await answers.shift()?.();
  };
  const holder: PathHolder = {
    agent,
    renew,
    acquire: async () => grant,
    inTheWay: async () => undefined,
    end: async () => {},
  };
  const hold = keepHold(holder, grant, { clock, end: async () => {} });
  return { hold, clock, renewals: () => renewals };
}

const unavailable = () => Promise.reject(new DomainError("store.unavailable", "the disk is full"));
const lost = () => Promise.reject(new DomainError("lease.lost", "otter has it now"));

async function pass(clock: ReturnType<typeof manualClock>, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    clock.advance(grant.renewEveryMs);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
}

it("is renewed until it ends, also past a store that cannot answer for a moment", async () => {
  const { hold, clock, renewals } = holding([async () => {}, unavailable]);
  await pass(clock, 3);
  expect([renewals(), hold.lost.aborted]).toEqual([3, false]);
  expect(hold.env).toEqual({ SYLK_AGENT: "agt_1", SYLK_FENCING_TOKEN: "7" });
  await hold.end();
  await pass(clock, 3);
  expect([renewals(), clock.pendingTimers()]).toEqual([3, 0]);
});

it("tells whatever runs under it to stop when another agent has it, and why", async () => {
  const { hold, clock, renewals } = holding([lost]);
  await pass(clock, 3);
  expect([renewals(), hold.lost.reason]).toEqual([1, expect.objectContaining({ message: "otter has it now" })]);
});
