/**
 * `npm run bench [-- --only name,name] [--no-write] [--peer]`: measures, prints, and keeps the result.
 *
 *   benches, one after the other -> figures -> JSON in .cache/bench and bench/results -> docs/benchmarks.md as a whole
 *
 * `--only` takes beginnings of names ("claims" is both claims benches). A missed target is a figure, not a failure:
 * the exit code is 1 only when something could not be measured.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, BenchOptions, Outcome } from "./bench.ts";
import { actAsChild } from "./child-table.ts";
import { busyShare } from "./processes/busy-share.ts";

const [first, childName = "", plan = ""] = process.argv.slice(2);
if (first === "--child") await actAsChild(childName, plan);
else await runBenches(process.argv.slice(2));

async function runBenches(args: readonly string[]): Promise<void> {
  // Loaded here: children come through this file too.
  const { benches } = await import("./benches/index.ts");
  const { describeRun } = await import("./report/describe-run.ts");
  const { show } = await import("./report/render-section.ts");
  const { publishOutcomes, writeResults } = await import("./report/write-report.ts");
  const root = join(import.meta.dirname, "..");
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: "string" }, "no-write": { type: "boolean" }, peer: { type: "boolean", default: false } },
  });
  const selected = select(benches, values.only?.split(","));
  const terms = describeRun(root, args);
  const outcomes: Outcome[] = [];
  for (const bench of selected) {
    console.log(`\n${bench.name}: ${bench.method}`);
    const outcome = await measure(bench, { peer: values.peer });
    outcomes.push(outcome);
    for (const { what, value, unit, floor, target } of outcome.figures) {
      const beside = floor === undefined ? "" : `  (${floor.what}: ${show(floor.value, floor.unit)})`;
      const verdict = target === undefined ? "" : `  ${target.met ? "met" : "MISSED"}: ${target.text}`;
      console.log(`  ${show(value, unit).padStart(12)}  ${what}${beside}${verdict}`);
    }
    if (outcome.failure !== undefined) console.log(`  FAILED: ${outcome.failure}`);
  }
  console.log(`\n${writeResults(root, terms, outcomes)}`);
  if (values["no-write"] !== true) publishOutcomes(root, terms, outcomes);
  process.exitCode = outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

function select(benches: readonly Bench[], only: readonly string[] | undefined): readonly Bench[] {
  const names = benches.map(({ name }) => name);
  const unknown = only?.filter((wanted) => !names.some((name) => name.startsWith(wanted))) ?? [];
  if (unknown.length > 0) {
    console.error(`sylk: there is no bench ${unknown.join(", ")}; there are: ${names.join(", ")}`);
    process.exit(1);
  }
  return benches.filter(({ name }) => only?.some((wanted) => name.startsWith(wanted)) ?? true);
}

async function measure({ name, method, run }: Bench, options: BenchOptions): Promise<Outcome> {
  const busyBefore = await busyShare();
  const startedAt = performance.now();
  const outcome = await run(options).then(
    (figures) => ({ figures }),
    (error: unknown) => ({ figures: [], failure: error instanceof Error ? error.message : String(error) }),
  );
  return { bench: name, method, busyBefore, seconds: (performance.now() - startedAt) / 1000, ...outcome };
}
