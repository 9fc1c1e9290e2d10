/** The load model as a user runs it: without a daemon, the same twice. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonOf } from "./run-sylk.ts";
import { openScratchHome } from "./scratch-home.ts";

const figures = [
  "blockedShare",
  "handOvers",
  "refreshesPerCommit",
  "syncsPerCommit",
  "fairness",
  "queueAgeMinutes",
] as const;
type Simulated = {
  readonly measurements: readonly Readonly<Record<(typeof figures)[number] | "agents", number>>[];
  readonly tipping: { readonly tipsAt?: number; readonly steadyUpTo: number; readonly sentence: string };
};

it("prints a table, charts and a sentence, draws an SVG, starts no daemon and repeats itself [LOAD-1]", async () => {
  await using home = openScratchHome();
  const args = ["simulate", "--agents", "1,3", "--minutes", "5", "--rhythm", "sprint"];
  const shown = await home.sylk([...args, "--svg", "charts.svg"]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^agents +commits\/h +blocked/m);
  expect(shown.stdout).toMatch(/^ {5}3 █+/m);
  expect(shown.stdout).toMatch(/tip/);
  expect(readFileSync(join(home.repository, "charts.svg"), "utf8")).toMatch(/^<svg /);
  const [once, again] = [await home.sylk([...args, "--json"]), await home.sylk([...args, "--json"])];
  expect(again.stdout).toBe(once.stdout);
  expect(existsSync(home.paths.record)).toBe(false);
});

it("answers for 1 to 100 agents: waiting, hand-overs, catching up, fairness, queue age, and where it tips [LOAD-2]", async () => {
  await using home = openScratchHome();
  const args = ["simulate", "--minutes", "4", "--rhythm", "sprint"];
  const { measurements, tipping } = jsonOf<Simulated>(await home.sylk([...args, "--json"]));
  expect(measurements.map(({ agents }) => agents)).toEqual([1, 2, 5, 10, 20, 50, 100]);
  for (const one of measurements)
    for (const figure of figures) expect(one[figure], `${figure} of ${one.agents}`).toEqual(expect.any(Number));
  const [alone, hundred] = [measurements[0]!, measurements.at(-1)!];
  expect(alone).toMatchObject({ blockedShare: 0, handOvers: 0, refreshesPerCommit: 0, syncsPerCommit: 0, fairness: 1 });
  for (const figure of figures.filter((name) => name !== "fairness"))
    expect(hundred[figure], figure).toBeGreaterThan(alone[figure]);
  expect(hundred.fairness).toBeLessThan(1);
  const steady = measurements.filter(({ agents }) => agents <= tipping.steadyUpTo);
  expect(tipping.tipsAt).toBeGreaterThan(1);
  expect(steady.length).toBeLessThan(measurements.length);
  const shown = (await home.sylk(args)).stdout;
  for (const { agents } of measurements) {
    expect(shown).toMatch(new RegExp(`^ *${agents} +[\\d.,]+ +[\\d.]+ %`, "m"));
    expect(shown, "a bar for each").toMatch(new RegExp(`^ *${agents} █*`, "m"));
  }
  for (const title of ["blocked", "hand-overs/path/h", "refreshes/commit", "syncs/commit", "fairness", "queue age min"])
    expect(shown, "a column of a table").toMatch(new RegExp(`^agents .*${title}`, "m"));
  expect(shown).not.toContain("not shown for lack of room");
  expect(shown).toContain(tipping.sentence);
});

it("refuses what it cannot simulate, with the way out", async () => {
  await using home = openScratchHome();
  const refused = await home.sylk(["simulate", "--off", "debunce"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("did you mean debounce?");
});
