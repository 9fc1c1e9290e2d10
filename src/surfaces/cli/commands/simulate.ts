import { statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dampingRules, type SimulationReport } from "../../../contract/index.ts";
import type { WrittenCommand } from "../command.ts";
import { entryPoints } from "../entry-points.ts";
import { drawSvg } from "../simulation/draw-svg.ts";
import { printComparison, printReport } from "../simulation/print-report.ts";
import { readTerms } from "../simulation/read-terms.ts";

export const simulate: WrittenCommand = {
  summary: "Simulate coordination of 1 to 1,000 agents: the real rules on a virtual clock, without a daemon",
  example: "sylk simulate --agents 1,5,20 --minutes 60 --seed 7",
  details: `The same seed gives the same result. Rules you can switch off: ${dampingRules.join(", ")}.`,
  flags: {
    agents: { describe: "counts to try, from 1 to 1,000 (default 1,2,5,10,20,50,100)", value: "list" },
    minutes: { describe: "simulated minutes measured for each count (default 60)", value: "number" },
    seed: { describe: "seed of the random numbers (default 1)", value: "number" },
    off: { describe: "damping rules to switch off, with commas", value: "rules" },
    commits: {
      describe:
        "which commits wait for each other: those with overlapping paths, or all of the project (default paths)",
      value: "mode",
    },
    rhythm: {
      describe: "how agents work: steady, deep, checked, sprint, or a YAML file (default steady)",
      value: "name",
    },
    compare: { describe: "switch off each damping rule in turn and show the effect" },
    svg: { describe: "also draw the charts into this file, or simulate.svg in this folder", value: "file" },
  },
  errors: ["input.invalid"],
  async run({ flags, cwd, out, json, signal }) {
    const { rhythms, simulate: run, compare } = await entryPoints().simulation();
    const terms = await readTerms(flags, cwd, rhythms);
    let done = 0;
    const watching = { onProgress: (share: number) => void (done = share), signal };
    const bar = (): string => `simulating ${progressBar(done)}`;
    if (flags.compare === true) {
      const comparison = await out.progress(bar, compare(terms, watching));
      if (json) out.json(comparison);
      else printComparison(comparison, out);
      return;
    }
    const report = await out.progress(bar, run(terms, watching));
    const svg = typeof flags.svg === "string" ? writeSvg(resolve(cwd, flags.svg), report) : undefined;
    if (json) return out.json(report);
    printReport(report, out);
    if (svg !== undefined) out.line(`Charts: ${svg}`);
  },
};

function progressBar(share: number): string {
  const filled = Math.round(share * 20);
  return `${"▓".repeat(filled)}${"░".repeat(20 - filled)} ${Math.floor(share * 100)} %`;
}

function writeSvg(place: string, report: SimulationReport): string {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(place, "simulate.svg") : place;
  writeFileSync(file, drawSvg(report));
  return file;
}
