/** Many processes go for the same items and paths at once: what they were told has one order in which it is true. */
import { expect, it } from "vitest";
import { runRaces } from "./run-races.ts";

const races = 20_000;

it("answers 20,000 races of 8 processes as if they had come one after the other [WRK-2, WRK-8, RSV-1]", async () => {
  const seed = Number(process.env.SYLK_TEST_SEED ?? Math.floor(performance.now() * 1000) % 2 ** 31); // clock-exempt: a seed
  console.log(`seed ${seed} (repeat with SYLK_TEST_SEED=${seed})`);
  const { figures, problems } = await runRaces({ races, seed });
  console.log(JSON.stringify(figures));
  expect(problems).toEqual([]);
  expect(figures.races).toBeGreaterThanOrEqual(races);
  // Only worth something if they really meet.
  expect(figures.fewestRacers).toBeGreaterThanOrEqual(64);
  expect(figures.mostAtOnce).toBeGreaterThan(32);
  expect(figures.grants).toBeGreaterThan(1_000);
});
