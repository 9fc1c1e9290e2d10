import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { adaptLimit } from "./adapt-limit.ts";
import { createHistogram } from "./histogram.ts";
import type { Lane } from "./lanes.ts";
import { createPool, type PoolOptions, TimeLimitPassed, type Work } from "./pool.ts";

/** Written down a second time on purpose: most urgent first. */
const lanes: readonly Lane[] = ["critical", "high", "normal", "low", "background"];

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function world(options: Partial<PoolOptions> = {}) {
  const clock = manualClock();
  const pool = createPool({ clock, limits: { all: 2, perGroup: 2 }, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const submit = (name: string, terms: Partial<Work<string>> = {}) =>
    pool.submit({
      group: "s1",
      kind: "engineer",
      lane: "normal",
      ...terms,
      run: (signal) =>
        new Promise((resolve, reject) => {
          started.push(name);
          ends.set(name, () => resolve(name));
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await settled();
  };
  return { clock, pool, started, submit, end };
}

it("starts waiting jobs by lane as slots become free, two at a time [POOL-1, POOL-18]", async () => {
  const { started, submit, end, pool } = world();
  const done = [submit("first"), submit("second")];
  for (const lane of lanes.toReversed()) done.push(submit(lane, { lane }));
  expect([started, pool.metrics().running]).toEqual([["first", "second"], 2]);
  for (const name of ["first", "second", ...lanes]) await end(name);
  expect(started).toEqual(["first", "second", ...lanes]);
  expect(await Promise.all(done)).toHaveLength(7);
});

it("lets a slot bound to a lane take from the others when its own is empty", async () => {
  const { started, submit, end } = world({ limits: { all: 1, perGroup: 1 }, boundSlots: ["low"] });
  void submit("busy");
  for (const lane of ["high", "low"] as const) void submit(lane, { lane });
  await end("busy");
  expect(started).toEqual(["busy", "low"]);
  await end("low");
  expect(started).toEqual(["busy", "low", "high"]);
  await end("high");
});

it("binds as many slots to a lane as it was told, and no other", async () => {
  const { started, submit, end } = world({ boundSlots: ["low"] });
  for (const name of ["bound", "free"]) void submit(name);
  for (const lane of ["low", "high"] as const) for (const turn of [1, 2]) void submit(`${lane} ${turn}`, { lane });
  await end("free");
  expect(started.slice(2)).toEqual(["high 1"]);
  await end("bound");
  expect(started.slice(3)).toEqual(["low 1"]);
  for (const name of ["high 1", "low 1", "high 2", "low 2"]) await end(name);
});

it("lets a waiting job climb one lane every five seconds unless told otherwise [POOL-4]", async () => {
  const { clock, started, submit, end } = world({ limits: { all: 1, perGroup: 1 } });
  void submit("busy");
  void submit("patient", { lane: "low" });
  clock.advance(9_999);
  void submit("high", { lane: "high" });
  await end("busy");
  expect(started).toEqual(["busy", "high"]);
  clock.advance(1);
  void submit("late", { lane: "high" });
  await end("high");
  expect(started).toEqual(["busy", "high", "patient"]);
  for (const name of ["patient", "late"]) await end(name);
});

it("keeps a queue per session, and refuses what does not fit with the way out [POOL-7]", async () => {
  const { submit, pool } = world({ limits: { all: 1, perGroup: 1 }, queue: { all: 4, perGroup: 2 } });
  for (const name of ["running", "one", "two"]) void submit(name).catch(() => {});
  await expect(submit("three")).rejects.toMatchObject({
    code: "pool.full",
    details: { group: "s1", limit: 2, used: 2 },
    retryAfterMs: expect.any(Number) as number,
  });
  for (const name of ["a", "b"]) void submit(name, { group: "s2" }).catch(() => {});
  await expect(submit("c", { group: "s3" })).rejects.toMatchObject({ details: { limit: 4, used: 4 } });
  expect(pool.metrics()).toMatchObject({ refused: 2, groups: { s1: { waiting: 2 }, s2: { waiting: 2 } } });
  pool.close();
});

it("reports jobs and waits per session, waits per lane, depths and how long jobs ran [POOL-9, POOL-13, POOL-14, POOL-16]", async () => {
  const { clock, submit, end, pool } = world({ limits: { all: 1, perGroup: 1 } });
  void submit("long", { lane: "high" });
  void submit("queued", { group: "s2", lane: "low" });
  expect(pool.metrics()).toMatchObject({ waiting: 1, lanes: { low: { waiting: 1 }, high: { waiting: 0 } } });
  clock.advance(3_000);
  await end("long");
  clock.advance(10);
  await end("queued");
  const { groups, lanes: byLane } = pool.metrics();
  expect(groups["s1"]).toMatchObject({ submitted: 1, started: 1, finished: 1, failed: 0, running: 0, waiting: 0 });
  expect([groups["s1"]?.wait.maxMs, groups["s2"]?.wait.maxMs]).toEqual([0, 3_000]);
  expect([byLane.low.wait.meanMs, byLane.high.wait.count, byLane.normal.wait.count]).toEqual([3_000, 1, 0]);
});

it("does not count time in the queue as run time, in figures or against the limit [POOL-15]", async () => {
  const { clock, submit, end, pool } = world({ limits: { all: 1, perGroup: 1 } });
  void submit("long");
  const queued = submit("queued", { timeLimitMs: 100 });
  queued.catch(() => {}); // looked at below
  clock.advance(60_000);
  await end("long");
  clock.advance(99);
  await settled();
  expect(pool.metrics().running).toBe(1);
  await end("queued");
  expect(await queued).toBe("queued");
  const { run } = pool.metrics();
  expect(run).toMatchObject({ count: 2, maxMs: 60_000, p50Ms: 128 });
  expect(run.buckets).toEqual([
    { upToMs: 128, count: 1 },
    { upToMs: 65_536, count: 1 },
  ]);
});

it("stops a job at its limit, and gives its slot away when it does not listen", async () => {
  const { clock, submit, started, pool } = world({ limits: { all: 1, perGroup: 1 }, graceMs: 50 });
  await expectStopped(submit("listens", { timeLimitMs: 100 }), () => clock.advance(100));
  const deaf = pool.submit({
    group: "s1",
    kind: "k",
    lane: "normal",
    timeLimitMs: 100,
    run: () => new Promise(() => {}),
  });
  const next = submit("next");
  await expectStopped(deaf, () => clock.advance(100));
  expect(started).toEqual(["listens"]);
  clock.advance(50);
  expect(started).toEqual(["listens", "next"]);
  expect(pool.metrics()).toMatchObject({ abandoned: 1, running: 1 });
  next.catch(() => {});
  pool.close();
  await settled();
  expect(clock.pendingTimers()).toBe(0);
});

async function expectStopped(job: Promise<unknown>, act: () => void): Promise<void> {
  job.catch(() => {}); // looked at below
  act();
  await expect(job).rejects.toThrow(TimeLimitPassed);
  await settled();
}

it("settles a job that does not listen when its session is closed, once its grace is over", async () => {
  const { clock, pool } = world({ graceMs: 50 });
  const deaf = pool.submit({ group: "s1", kind: "k", lane: "normal", run: () => new Promise(() => {}) });
  deaf.catch(() => {}); // looked at below
  pool.closeGroup("s1");
  clock.advance(49);
  expect(pool.metrics().running).toBe(1);
  clock.advance(1);
  await expect(deaf).rejects.toThrow("s1 was closed");
  expect(pool.metrics()).toMatchObject({ running: 0, abandoned: 1, groups: {} });
});

it("drops a job whose caller leaves, waiting or running, and continues", async () => {
  const { submit, started, pool } = world({ limits: { all: 1, perGroup: 1 } });
  const [runs, waits] = [new AbortController(), new AbortController()];
  const running = submit("running", { signal: runs.signal });
  const waiting = submit("waiting", { signal: waits.signal });
  const last = submit("last");
  last.catch(() => {});
  waits.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  runs.abort(new Error("gone"));
  await expect(running).rejects.toThrow("gone");
  await settled();
  expect(started).toEqual(["running", "last"]);
  expect(pool.metrics().groups["s1"]).toMatchObject({ submitted: 3, failed: 2, finished: 0, running: 1 });
  expect([runs, waits].map(({ signal }) => getEventListeners(signal, "abort").length)).toEqual([0, 0]);
  pool.close();
  await expect(last).rejects.toThrow("the pool was closed");
  await expect(submit("late")).rejects.toThrow("takes no more jobs");
});

it("survives work that throws at once, and settles it alone", async () => {
  const { pool, submit, end } = world({ limits: { all: 1, perGroup: 1 } });
  const thrown = pool.submit({
    group: "s1",
    kind: "k",
    lane: "normal",
    run: () => {
      throw new Error("planted");
    },
  });
  const next = submit("next");
  await expect(thrown).rejects.toThrow("planted");
  await settled();
  await end("next");
  expect(await next).toBe("next");
  expect(pool.metrics()).toMatchObject({ running: 0, groups: { s1: { failed: 1, finished: 1 } } });
});

it("forgets a closed session: its jobs, its figures, and nothing of others", async () => {
  const { pool, submit, started } = world({ limits: { all: 2, perGroup: 1 } });
  const mine = [submit("a"), submit("b")];
  const other = submit("c", { group: "s2" });
  other.catch(() => {});
  pool.closeGroup("s1");
  for (const job of mine) await expect(job).rejects.toThrow("s1 was closed");
  await settled();
  expect(Object.keys(pool.metrics().groups)).toEqual(["s2"]);
  expect([started, pool.metrics().running]).toEqual([["a", "c"], 1]);
  pool.close();
});

it("serves by weight, keeps a weight while its group has no jobs, and forgets it when the group is closed", async () => {
  const { pool, submit, started, end } = world({ limits: { all: 1, perGroup: 1 } });
  pool.setWeight("s1", 3);
  const round = async () => {
    started.length = 0;
    void submit("gate", { group: "s0" });
    for (const group of ["s1", "s2"]) for (let job = 0; job < 4; job++) void submit(`${group} ${job}`, { group });
    await end("gate");
    for (let done = 1; done < 9; done++) await end(started[done]!);
    return started.slice(1, 5).filter((name) => name.startsWith("s1")).length;
  };
  expect([await round(), await round()]).toEqual([3, 3]);
  pool.closeGroup("s1");
  expect(await round()).toBe(2);
});

it("takes what a job makes of being stopped, counts it once, and does not listen to its owner any more", async () => {
  const { pool } = world();
  const owner = new AbortController();
  const tidy = pool.submit({
    group: "s1",
    kind: "k",
    lane: "normal",
    signal: owner.signal,
    run: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("tidied up"))),
  });
  owner.abort();
  expect(await tidy).toBe("tidied up");
  expect(pool.metrics().groups["s1"]).toMatchObject({ finished: 1, failed: 0, running: 0 });
  const patient = new AbortController();
  await pool.submit({ group: "s1", kind: "k", lane: "normal", signal: patient.signal, run: async () => {} });
  expect(getEventListeners(patient.signal, "abort")).toEqual([]);
});

it("raises and lowers its limit with the load, inside its bounds [POOL-12]", async () => {
  let load = 0;
  const adaptive = { min: 1, max: 4, calmBelow: 0.5, strainedAbove: 0.9, everyMs: 1_000, load: () => load };
  const { clock, pool, submit, started } = world({ limits: { all: 2, perGroup: 9 }, adaptive });
  for (let job = 0; job < 9; job++) void submit(`${job}`).catch(() => {});
  const limits: number[] = [];
  const observe = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      limits.push(pool.metrics().limit);
    }
  };
  observe(3);
  expect([limits, started.length]).toEqual([[3, 4, 4], 4]);
  load = 0.7;
  observe(1);
  load = 1;
  observe(4);
  expect(limits.slice(3)).toEqual([4, 3, 2, 1, 1]);
  pool.close();
  await settled();
  expect(clock.pendingTimers()).toBe(0);
  expect(adaptLimit(3, 0, false, adaptive)).toBe(3);
  expect([adaptive.calmBelow, adaptive.strainedAbove].map((edge) => adaptLimit(3, edge, true, adaptive))).toEqual([
    3, 3,
  ]);
});

it("gives quantiles that are never below the truth and at most twice it", () => {
  const histogram = createHistogram();
  expect([histogram.quantile(0.5), histogram.buckets()]).toEqual([0, []]);
  for (let ms = 1; ms <= 1_000; ms++) histogram.record(ms);
  for (const share of [0.01, 0.5, 0.9, 0.99, 1]) {
    expect(histogram.quantile(share)).toBeGreaterThanOrEqual(share * 1_000);
    expect(histogram.quantile(share)).toBeLessThanOrEqual(2 * share * 1_000);
  }
});

it.each<Lane>(["critical", "background"])("runs two jobs of lane %s at the same time", async (lane) => {
  const { submit, started, pool } = world();
  for (const name of ["a", "b"]) submit(name, { lane }).catch(() => {});
  expect([started, pool.metrics().running]).toEqual([["a", "b"], 2]);
  pool.close();
});
