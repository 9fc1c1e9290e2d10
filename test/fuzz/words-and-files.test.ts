/** What people type and write: command lines, settings, scenarios, the providers' file. */
import { expect, it } from "vitest";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { openScratchHome } from "../flows/scratch-home.ts";
import { sumOf } from "./figures.ts";
import { fuzzFiles } from "./fuzz-files.ts";
import { fuzzWords } from "./fuzz-words.ts";

it("reads any command line as arguments, help or a mistake with its way out [CORE-22]", async () => {
  const figures = await fuzzWords({ cases: 700, seed: 1118 });
  expect(figures.problems).toEqual([]);
  expect(figures.by.size).toBeGreaterThan(commandTable.length * 0.9);
  expect(sumOf(figures, "accepted")).toBeGreaterThan(100);
  expect(sumOf(figures, "refused")).toBeGreaterThan(100);
});

it("reads any settings, scenario or providers file, or names the file and its line [CORE-22]", async () => {
  await using home = openScratchHome();
  const figures = await fuzzFiles(home.root, { cases: 400, seed: 1118 });
  expect(figures.problems).toEqual([]);
  for (const [kind, { accepted, refused }] of figures.by) {
    expect(accepted, `${kind} that can be read`).toBeGreaterThan(5);
    expect(refused, `${kind} that cannot`).toBeGreaterThan(20);
  }
});
