/** kill -9 under load: what was acknowledged stays, what was not is whole or absent, and repeating doubles nothing. */
import { expect, it } from "vitest";
import { runKills } from "./run-kills.ts";

const kills = 50;

it("loses no acknowledged call, leaves no half one and doubles none in 50 kills under load [CORE-11, CRSH-4]", async () => {
  const seed = Number(process.env.SYLK_TEST_SEED ?? Math.floor(performance.now() * 1000) % 2 ** 31);
  console.log(`seed ${seed} (repeat with SYLK_TEST_SEED=${seed})`);
  const { figures, problems } = await runKills({ kills, seed });
  console.log(JSON.stringify(figures));
  expect(problems).toEqual([]);
  expect(figures.kills).toBeGreaterThanOrEqual(kills);
  // The suite is only worth something if kills hit calls on their way, before and after their commit.
  expect(figures.acknowledged).toBeGreaterThan(1_000);
  expect(figures.refused).toBeGreaterThan(50);
  expect(figures.unacknowledged).toBeGreaterThan(kills);
  expect(figures.silentlyDone).toBeGreaterThan(0);
  expect(figures.silentlyDone).toBeLessThan(figures.unacknowledged);
  expect(figures.killsWhileStarting).toBeGreaterThan(0);
});
