/**
 * Who may import whom: runs dependency-cruiser with the rules of .dependency-cruiser.cjs.
 *
 * A cruiser that cannot read TypeScript reports "0 modules, no violation" and exits 0, so the modules are counted.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";
import { runTool } from "./run-tool.ts";
import { listSources } from "./sources.ts";

type Violation = { from: string; to: string; rule: { name: string }; cycle?: { name: string }[] };
type Cruise = { modules: { source: string }[]; summary: { violations: Violation[] } };

const CRUISER = "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs";

export const structure: Check = {
  name: "structure",
  run: async (root) => {
    const folders = ["src", "dashboard/src", "scripts", "test", "bench"].filter((folder) =>
      existsSync(join(root, folder)),
    );
    const run = await runTool(root, [
      CRUISER,
      "--config",
      ".dependency-cruiser.cjs",
      "--output-type",
      "json",
      ...folders,
    ]);
    const cruise = parseCruise(run.stdout);
    if (cruise === undefined) return [`dependency-cruiser did not answer (${run.status}): ${run.output.trim()}`];

    const seen = new Set(cruise.modules.map((module) => module.source));
    const missed = listSources(root, folders).filter((file) => !seen.has(file));
    return [
      ...missed.map((file) => `${file}: not read by dependency-cruiser, so none of its imports were checked`),
      ...cruise.summary.violations.map(describe),
    ];
  },
};

function describe({ from, to, rule, cycle }: Violation): string {
  const path = cycle === undefined ? to : cycle.map((step) => step.name).join(" -> ");
  return `${from} -> ${path}: ${rule.name}`;
}

function parseCruise(text: string): Cruise | undefined {
  try {
    return JSON.parse(text) as Cruise;
  } catch {
    return undefined;
  }
}
