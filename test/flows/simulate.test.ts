/** The load model as a user runs it: without a daemon, the same twice. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openScratchHome } from "./scratch-home.ts";

it("prints a table, charts and a sentence, draws an SVG, starts no daemon and repeats itself [LOAD-1, LOAD-2]", async () => {
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

it("refuses what it cannot simulate, with the way out", async () => {
  await using home = openScratchHome();
  const refused = await home.sylk(["simulate", "--off", "debunce"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("did you mean debounce?");
});
