import { expect, it } from "vitest";
import { manualClock } from "./clock/index.ts";
import { startRetention } from "./retention.ts";

const sixHoursMs = 6 * 3_600_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function scratchRetention(removeNow: (run: number) => Promise<void> = async () => {}) {
  const clock = manualClock();
  const failures: unknown[] = [];
  let runs = 0;
  const retention = startRetention({
    clock,
    remove: () => removeNow(++runs),
    onFailed: (error) => failures.push(error),
  });
  return { clock, retention, failures, runs: () => runs };
}

it("removes what is too old at the start and then every six hours", async () => {
  const { clock, runs } = scratchRetention();
  expect(runs()).toBe(1);
  await settled();
  clock.advance(sixHoursMs - 1);
  expect(runs()).toBe(1);
  clock.advance(1);
  expect(runs()).toBe(2);
  await settled();
  clock.advance(sixHoursMs);
  expect(runs()).toBe(3);
});

it("reports a removal that failed and tries again the next time", async () => {
  const planted = new Error("planted");
  const { clock, runs, failures } = scratchRetention(async (run) => {
    if (run === 1) throw planted;
  });
  await settled();
  expect(failures).toEqual([planted]);
  clock.advance(sixHoursMs);
  await settled();
  expect([runs(), failures.length]).toEqual([2, 1]);
});

it("waits until a removal is done before it plans the next", async () => {
  const slow = Promise.withResolvers<void>();
  const { clock, runs } = scratchRetention(() => slow.promise);
  await settled();
  expect(clock.pendingTimers()).toBe(0);
  slow.resolve();
  await settled();
  expect([clock.pendingTimers(), runs()]).toEqual([1, 1]);
});

it("leaves no timer behind when it is stopped, also in the middle of a removal", async () => {
  const idle = scratchRetention();
  await settled();
  idle.retention.stop();
  expect(idle.clock.pendingTimers()).toBe(0);

  const slow = Promise.withResolvers<void>();
  const busy = scratchRetention(() => slow.promise);
  busy.retention.stop();
  slow.resolve();
  await settled();
  expect(busy.clock.pendingTimers()).toBe(0);
});
