import { beforeAll, expect, it } from "vitest";
import { composePool } from "./pool.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { resolveSettings, type Settings } from "../../platform/config/index.ts";

let usual: Settings;
beforeAll(async () => {
  ({ settings: usual } = await resolveSettings({ env: {}, flags: {} }));
});

function world(settings: Partial<Settings>) {
  const clock = manualClock();
  const pool = composePool({ ...usual, "pool.adaptive": "off", ...settings }, clock);
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const submit = (group: string, kind: string, lane: "high" | "low" = "low") =>
    pool
      .submit({
        group,
        kind,
        lane,
        run: () => {
          started.push(`${group} ${kind} ${lane}`);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
      })
      .catch((error: unknown) => (error as Error).message);
  const counts = () => Object.values(pool.metrics().groups).map(({ running, waiting }) => [running, waiting]);
  return { clock, pool, ends, started, submit, counts };
}

it("caps tasks and engineers of a session, engineers of all, and all jobs, as the settings say [SM-30, POOL-10, POOL-11]", () => {
  const { pool, submit, counts } = world({
    "pool.workers": 6,
    "sessions.maxTasks": 4,
    "sessions.maxEngineers": 2,
    "engineers.max": 3,
  });
  for (const group of ["a", "b"]) for (let job = 0; job < 3; job++) void submit(group, "engineer");
  expect(counts()).toEqual([
    [2, 1],
    [1, 2],
  ]);
  for (let job = 0; job < 3; job++) void submit("a", "tester");
  expect([counts()[0], pool.metrics().running]).toEqual([[4, 2], 5]);
  for (let job = 0; job < 3; job++) void submit("c", "tester");
  expect([counts()[2], pool.metrics().running]).toEqual([[1, 2], 6]);
  pool.close();
});

it("refuses what has no room to wait, of one session and of all [POOL-7]", async () => {
  const { pool, submit } = world({ "pool.workers": 1, "pool.maxWaiting": 3, "pool.maxWaitingPerSession": 2 });
  for (let job = 0; job < 3; job++) void submit("a", "tester");
  expect(await submit("a", "tester")).toContain("2 jobs of a wait already");
  void submit("b", "tester");
  expect(await submit("c", "tester")).toContain("3 jobs wait already");
  pool.close();
});

it("lets waiting jobs climb as fast as the settings say, and measures the load only where it may adapt [POOL-4, POOL-12]", async () => {
  const { clock, pool, ends, started, submit } = world({ "pool.workers": 1, "pool.ageingMs": 1_000 });
  void submit("a", "tester");
  void submit("a", "low");
  clock.advance(2_000);
  void submit("a", "high", "high");
  ends[0]!();
  await new Promise((resolve) => setImmediate(resolve));
  expect([started[1], clock.pendingTimers()]).toEqual(["a low low", 0]);
  pool.close();
  const adaptive = world({ "pool.workers": 8, "pool.adaptive": "on" });
  expect(adaptive.clock.pendingTimers()).toBe(1);
  for (let measured = 0; measured < 20; measured++) {
    adaptive.clock.advance(5_000);
    expect(adaptive.pool.metrics().limit).toBeGreaterThanOrEqual(2);
    expect(adaptive.pool.metrics().limit).toBeLessThanOrEqual(8);
  }
  adaptive.pool.close();
  expect(adaptive.clock.pendingTimers()).toBe(0);
});
