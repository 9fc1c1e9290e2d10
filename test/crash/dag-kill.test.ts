/** kill -9 amid DAG runs: nothing is lost, nothing is done twice, and every run ends as its graph says. */
import { expect, it } from "vitest";
import { killDags } from "./dag-kills.ts";

it("of 200 random graphs, each killed at two points of its own, none loses, doubles or misjudges a node [DAG-6, DAG-12]", async () => {
  const { figures, problems } = await killDags({ dags: 200, seed: 20_261_116, kills: 2 });
  expect(problems).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, wrong: 0, lives: 3 });
  // Most of them stood in their middle, both times.
  expect(figures.killedRuns).toBeGreaterThan(250);
});

it("of 6 random graphs, each killed at every one of its changes, none does either", async () => {
  const { figures, problems } = await killDags({ dags: 6, seed: 7, kills: "every" });
  expect(problems).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, wrong: 0, lives: 2 });
  expect(figures.killedRuns).toBeGreaterThan(100);
});
