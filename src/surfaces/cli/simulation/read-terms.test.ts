import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Measurement, Rhythm, SimulationReport } from "../../../contract/index.ts";
import { drawSvg } from "./draw-svg.ts";
import { readTerms } from "./read-terms.ts";

const folder = mkdtempSync(join(tmpdir(), "sylk-scratch-"));
afterAll(() => rmSync(folder, { recursive: true }));

const steady: Rhythm = {
  areas: 24,
  filesPerArea: 20,
  hotFiles: 6,
  hotShare: 0.1,
  filesPerCommit: 3,
  editsPerFile: 4,
  editEverySeconds: 20,
  thinkSeconds: 120,
  thinkShare: 0.2,
  heartbeatSeconds: 60,
  commitsPerItem: 2,
  commitSeconds: 0,
  itemsPerAgentHour: 4,
  forgetShare: 0.2,
  crashesPerAgentHour: 0,
  awaySeconds: 600,
  patienceSeconds: 300,
  refreshSeconds: 2,
  syncSeconds: 10,
};
const read = (flags: Record<string, string>) => readTerms(flags, folder, { steady });

function file(text: string): string {
  writeFileSync(join(folder, "mine.yaml"), text);
  return "mine.yaml";
}

it("asks for the counts of the question when nothing is said", async () => {
  expect(await read({})).toMatchObject({ agents: [1, 2, 5, 10, 20, 50, 100], minutes: 60, seed: 1, off: [] });
});

it("takes counts in order and once, and rules by name", async () => {
  const terms = await read({ agents: "5, 1,5", off: "grace,debounce", minutes: "10", seed: "0" });
  expect(terms).toMatchObject({ agents: [1, 5], off: ["debounce", "grace"], minutes: 10, seed: 0 });
});

it("takes a file for what differs from a named rhythm", async () => {
  expect((await read({ rhythm: file("like: steady\nareas: 3\n") })).rhythm).toEqual({ ...steady, areas: 3 });
});

it.each([
  [{ agents: "0" }, '--agents: "0" is not a whole number from 1 to 1000'],
  [{ agents: "1001" }, '--agents: "1001" is not a whole number from 1 to 1000'],
  [{ agents: "two" }, '--agents: "two" is not a whole number from 1 to 1000'],
  [{ minutes: "-5" }, '--minutes: "-5" is not a whole number from 1 to 44640'],
  [{ seed: "1.5" }, '--seed: "1.5" is not a whole number from 0 to 2147483648'],
  [{ off: "graze" }, '--off: "graze" is not a damping rule; did you mean grace?'],
  [{ rhythm: "nowhere" }, '--rhythm: there is no rhythm and no file "nowhere"; name one of steady, or a YAML file'],
])("refuses %j and says what would do", async (flags, message) => {
  await expect(read(flags as Record<string, string>)).rejects.toMatchObject({ code: "input.invalid", message });
});

it.each([
  ["areas: 0", "areas"],
  ["unknown: 1", "unknown"],
  ["like: nobody", "name one of steady"],
  ["- a list", 'a list of "name: number" lines'],
  ["a: [1", "is not YAML"],
  [`x: ${"y".repeat(70_000)}`, "a rhythm is a few lines"],
])("refuses a rhythm file with %.20s", async (text, message) => {
  await expect(read({ rhythm: file(text) })).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining(message) as string,
  });
});

it("draws charts as SVG, with names escaped", () => {
  const row = {
    agents: 1,
    commitsPerHour: 3,
    blockedShare: 0,
    handOversPerPathHour: 0,
    refreshesPerCommit: 0,
    queueAgeMinutes: 1,
  };
  const report: SimulationReport = {
    terms: { agents: [1], minutes: 1, seed: 1, off: [], commits: "paths", rhythm: steady, rhythmName: "<b>" },
    measurements: [row as Measurement],
    tipping: { steadyUpTo: 1, tipsAt: undefined, sentence: "It & more" },
  };
  const svg = drawSvg(report);
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(svg).toContain("&lt;b&gt;");
  expect(svg).not.toContain("NaN");
});
