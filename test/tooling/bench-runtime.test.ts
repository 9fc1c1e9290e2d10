/** What the benches of sessions and pool measure, by count and order instead of by time. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { switchSessions } from "../../bench/load/session-switches.ts";
import { jain, simulateAgents } from "../../bench/load/simulated-agents.ts";
import { openEngine } from "../../src/app/library/engine.ts";
import { manualClock } from "../../src/platform/clock/index.ts";
import { scratchFolder } from "./scratch-folder.ts";

it("knows a fair share from an unfair one", () => {
  expect([jain([5, 5, 5, 5]), jain([4, 0, 0, 0]), jain([])]).toEqual([1, 0.25, 1]);
});

/** Time passes as soon as nobody has anything left to do. */
async function simulated(load: { sessions: number; agents: number; workers: number; jobs: number }) {
  const clock = manualClock();
  let isOver = false;
  const figures = simulateAgents({ clock, fineNow: () => clock.monotonic(), workMs: 20, ...load }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1);
  }
  return figures;
}

it("serves a thousand agents of a hundred sessions alike, at every look on the way, and leaves no slot idle [BENCH-4]", async () => {
  const { fairness, dispatchMs, done } = await simulated({ sessions: 100, agents: 1_000, workers: 200, jobs: 4_000 });
  expect(done).toBe(4_000);
  expect(fairness.length).toBeGreaterThanOrEqual(9);
  expect(Math.min(...fairness)).toBeGreaterThanOrEqual(0.99);
  expect(Math.max(...dispatchMs)).toBeLessThanOrEqual(1);
});

it("does ten times as much in ten times as many sessions while there are slots [BENCH-11]", async () => {
  const [few, many] = [
    await simulated({ sessions: 10, agents: 20, workers: 20, jobs: 400 }),
    await simulated({ sessions: 100, agents: 200, workers: 200, jobs: 4_000 }),
  ];
  expect(many.done / many.seconds / (few.done / few.seconds)).toBeGreaterThanOrEqual(8);
  expect(many.p95WaitMs).toBe(0);
});

it("saves the session that is left at every switch, and takes the other up", async () => {
  const engine = await openEngine({ directory: join(scratchFolder(), "engine") });
  const { latenciesMs, pauses } = await switchSessions(engine, { among: 4, switches: 20 });
  expect([latenciesMs.length, pauses]).toEqual([20, 19]);
  expect((await engine.sessions.stats()).states).toMatchObject({ active: 1, paused: 3 });
  await engine.close();
});
