import { expect, it } from "vitest";
import { DomainError, type ReservationId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { holdPatiently } from "./reservations.ts";

const conflict = new DomainError("reservation.conflict", "src/a.ts is held by otter", { details: {} });

function world(answers: readonly ("granted" | Error)[]) {
  const clock = manualClock();
  let asked = 0;
  const renewed: string[] = [];
  const lost = new Set<string>();
  const client = {
    name: "heron",
    end: async () => {},
    acquire: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]!;
      if (answer !== "granted") throw answer;
      return `rsv_${asked}` as ReservationId;
    },
    renew: async (id: ReservationId) => {
      renewed.push(id);
      if (lost.has(id)) throw new DomainError("lease.lost", `${id} has ended; otter has it now`, { details: {} });
    },
  };
  return { clock, hold: holdPatiently(client, clock), asked: () => asked, renewed, lost };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("waits while somebody else holds the path, and goes on as soon as it is free [RUN-3]", async () => {
  const { clock, hold, asked } = world([conflict, conflict, "granted"]);
  const held = hold("src/a.ts", new AbortController().signal);
  for (const expected of [1, 2, 3]) {
    await turn();
    expect(asked()).toBe(expected);
    clock.advance(250);
  }
  await held;
  expect(clock.pendingTimers()).toBe(0);
});

it("gives up after minutes with the holder's name, at once when stopped, and at once for any other refusal [RUN-3]", async () => {
  const patient = world([conflict]);
  const waiting = patient.hold("src/a.ts", new AbortController().signal);
  waiting.catch(() => {}); // looked at below
  for (let looks = 0; looks < 1_300; looks++) {
    await turn();
    patient.clock.advance(250);
  }
  await expect(waiting).rejects.toThrow("held by otter");
  expect(patient.asked()).toBeGreaterThan(1_000);
  await expect(world([conflict]).hold("src/a.ts", AbortSignal.abort())).rejects.toThrow("held by otter");
  await expect(world([new Error("no daemon")]).hold("src/a.ts", new AbortController().signal)).rejects.toThrow(
    "no daemon",
  );
});

it("renews what it holds, and tells the model once that somebody else had it; then it is reserved again [RSV-9]", async () => {
  const { hold, asked, renewed, lost } = world(["granted"]);
  const { signal } = new AbortController();
  await hold("src/a.ts", signal);
  await hold("src/a.ts", signal);
  expect([asked(), renewed]).toEqual([1, ["rsv_1"]]);
  lost.add("rsv_1");
  await expect(hold("src/a.ts", signal)).rejects.toMatchObject({
    code: "lease.lost",
    message: expect.stringContaining("read it again") as string,
  });
  await hold("src/a.ts", signal);
  await hold("src/a.ts", signal);
  expect([asked(), renewed.at(-1)]).toEqual([2, "rsv_2"]);
});
