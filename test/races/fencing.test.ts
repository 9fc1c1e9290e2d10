/** Processes that are really stopped past their lease: what they do afterwards with the old grant is refused everywhere. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ReservationId } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { openScratchDaemon } from "../flows/scratch-daemon.ts";
import { openClient } from "./open-client.ts";

const ttlMs = 1_500;
const env = { SYLK_RESERVATIONS_TTL_MS: String(ttlMs), SYLK_WORK_CLAIM_TTL_MS: String(ttlMs) };
const path = "src/checkout.ts";
const clock = systemClock();
const elapse = (ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve, { keepAlive: true }));

it("refuses a holder that was stopped past its lease at every gate, and its former paths stay lost after the next one is done [RSV-9]", async () => {
  await using daemon = await openScratchDaemon({ env });
  const [heron, otter] = [await openClient(daemon, "heron"), await openClient(daemon, "otter")];
  const { workItem } = await heron.call("work-item.create", { title: "Round totals" });
  const claimed = await heron.call("work-item.claim", { id: workItem.id });
  const { reservation: held } = await heron.call("reservation.acquire", { paths: [path] });
  heron.stop();

  // Told while it is stopped: a process that was frozen between its decision and the act.
  const { id, fencingToken } = held;
  const late = [
    heron.call("reservation.check", { paths: [path], fencingToken }),
    heron.call("reservation.renew", { id }),
    heron.call("reservation.acquire", { paths: [path], fencingToken }),
    heron.call("reservation.acquire", { paths: ["src/other.ts"], fencingToken }),
    heron.call("reservation.release", { id }),
    heron.call("work-item.close", { id: workItem.id, fencingToken: claimed.lease.fencingToken }),
    heron.call("work-item.release", { id: workItem.id }),
    heron.call("work-item.unclaim", { id: workItem.id }),
  ];
  const { reservation: taken } = await otter.call("reservation.acquire", { paths: [path], waitMs: 20_000 });
  expect(taken.fencingToken).toBeGreaterThan(fencingToken);
  const over = await otter.call("work-item.claim", { id: workItem.id });
  expect(over.lease.fencingToken).toBeGreaterThan(claimed.lease.fencingToken);
  const keeping = keepEditing(otter, taken.id);

  heron.resume();
  expect(await outcomes(late)).toEqual(late.map(() => "lease.lost"));
  await keeping.end();
  expect(await otter.call("reservation.check", { paths: [path], fencingToken: taken.fencingToken })).toMatchObject({
    items: [{ state: "yours" }],
  });
  // In the grace of the stopped one's lease, but somebody has been at the file since.
  await otter.call("reservation.release", { id: taken.id });
  const afterwards = [
    heron.call("reservation.renew", { id }),
    heron.call("reservation.check", { paths: [path], fencingToken }),
    heron.call("reservation.acquire", { paths: [path], fencingToken }),
  ];
  expect(await outcomes(afterwards)).toEqual(afterwards.map(() => "lease.lost"));
  // Without the old token it is a new grant, with a newer one.
  const { reservation: again } = await heron.call("reservation.acquire", { paths: [path] });
  expect(again.fencingToken).toBeGreaterThan(taken.fencingToken);
});

it("lets an Engineer that was stopped past its lease write nothing over the next one's work [RSV-9]", async () => {
  await using daemon = await openScratchDaemon({ env });
  const [engineer, otter] = [await openClient(daemon, "engineer"), await openClient(daemon, "otter")];
  const content = (): string => readFileSync(join(daemon.repository, path), "utf8");
  await engineer.write(path, "export const total = 1;\n");
  engineer.stop();
  const late = engineer.write(path, "export const total = 2;\n");
  const { reservation } = await otter.call("reservation.acquire", { paths: [path], waitMs: 20_000 });
  writeFileSync(join(daemon.repository, path), "export const total = 3;\n");
  await otter.call("reservation.release", { id: reservation.id });
  engineer.resume();
  await expect(late).rejects.toMatchObject({
    code: "lease.lost",
    message: expect.stringContaining("Read it again") as string,
  });
  expect(content()).toBe("export const total = 3;\n");
  await engineer.write(path, "export const total = 4;\n");
  expect(content()).toBe("export const total = 4;\n");
});

it("never robs a slow holder that keeps working, until the bound of a contested hold [RSV-14, RSV-15]", async () => {
  const contestedMaxMs = 4_000;
  await using daemon = await openScratchDaemon({
    env: { ...env, SYLK_RESERVATIONS_CONTESTED_MAX_MS: String(contestedMaxMs) },
  });
  const [heron, otter] = [await openClient(daemon, "heron"), await openClient(daemon, "otter")];
  const { reservation: held } = await heron.call("reservation.acquire", { paths: [path] });
  const working = keepEditing(heron, held.id);
  // Nobody wants it: it works for longer than its lease, and slowly.
  await elapse(1.5 * ttlMs);
  const since = clock.monotonic();
  const impatient = otter.call("reservation.acquire", { paths: [path], waitMs: 1_500 });
  await expect(impatient).rejects.toMatchObject({ code: "reservation.conflict" });
  expect(await heron.call("reservation.check", { paths: [path], fencingToken: held.fencingToken })).toMatchObject({
    items: [{ state: "yours" }],
  });
  const { reservation: taken } = await otter.call("reservation.acquire", { paths: [path], waitMs: 20_000 });
  expect(clock.monotonic() - since).toBeGreaterThanOrEqual(contestedMaxMs - 50);
  expect(taken.fencingToken).toBeGreaterThan(held.fencingToken);
  await working.end().catch(() => {}); // refused already, or about to be
  await expect(heron.call("reservation.renew", { id: held.id })).rejects.toMatchObject({ code: "lease.lost" });
});

type Client = Awaited<ReturnType<typeof openClient>>;

/** Edits a few times per lease, until told to stop or refused; `end` rejects with the refusal. */
function keepEditing(client: Client, id: ReservationId): { end(): Promise<void> } {
  let stopped = false;
  const work = async (): Promise<void> => {
    while (!stopped) {
      await client.call("reservation.renew", { id });
      await elapse(ttlMs / 4);
    }
  };
  const working = work();
  working.catch(() => {}); // looked at by end
  return {
    end() {
      stopped = true;
      return working;
    },
  };
}

function outcomes(calls: readonly Promise<unknown>[]): Promise<readonly string[]> {
  return Promise.all(
    calls.map((call) =>
      call.then(
        (answer) => `done: ${JSON.stringify(answer)}`,
        (error: unknown) => (error as { code: string }).code,
      ),
    ),
  );
}
