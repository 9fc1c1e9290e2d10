/**
 * `npm run campaign:fuzz -- [--cases 100000] [--seed N] [--record]`: the fuzz suite's engine, for longer.
 *
 *   operations by dispatch and over HTTP, command lines, files -> figures as a table and as JSON
 *
 * Exit code 1 when anything crashed, hung, failed as a defect, or was changed by a refused input. `--record` keeps the
 * result for docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Figures, sumOf } from "../test/fuzz/figures.ts";
import { fuzzFiles } from "../test/fuzz/fuzz-files.ts";
import { fuzzOperations } from "../test/fuzz/fuzz-operations.ts";
import { openFuzzWorld } from "../test/fuzz/fuzz-world.ts";
import { fuzzWords } from "../test/fuzz/fuzz-words.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    record: { type: "boolean", default: false },
  },
});
const [cases, seed] = [wholeNumber("cases", values.cases), wholeNumber("seed", values.seed)];
const startedAt = new Date();
let uncaught = 0;
for (const event of ["uncaughtException", "unhandledRejection"] as const)
  process.on(event, (error) => {
    uncaught++;
    console.error(`${event}:`, error);
  });
console.log(`fuzz campaign: ${cases} cases, seed ${seed}`);

const parts = await runParts();
const problems = parts.flatMap((figures) => figures.problems);
const count = (...kinds: readonly string[]): number => problems.filter(({ kind }) => kinds.includes(kind)).length;
const sum = (of: (figures: Figures) => number): number => parts.reduce((total, figures) => total + of(figures), 0);
const report = {
  campaign: "fuzz",
  date: startedAt.toISOString(),
  commit: commit(),
  seed,
  cases: sum((figures) => figures.cases),
  overHttp: sum((figures) => figures.overHttp),
  operations: parts[0]!.by.size,
  accepted: sum((figures) => sumOf(figures, "accepted")),
  refused: sum((figures) => sumOf(figures, "refused")),
  crashes: uncaught + count("crash", "defect"),
  hangs: count("hang"),
  undeclared: count("untyped", "undeclared", "unnamed"),
  changedByRefused: count("changed"),
  seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
};
console.log(reportTable(report));
console.log(JSON.stringify(report));
for (const { kind, where, input } of problems.slice(0, 20)) console.error(`${kind}: ${where} ${input}`);
if (values.record) record();
process.exitCode = problems.length + uncaught === 0 ? 0 : 1;

/** Four of five cases are operations; command lines and files share the rest. */
async function runParts(): Promise<readonly Figures[]> {
  const folder = mkdtempSync(join(tmpdir(), "sylk-fuzz-"));
  await using world = await openFuzzWorld();
  try {
    const [words, files] = [Math.round(cases * 0.12), Math.round(cases * 0.08)];
    return [
      await fuzzOperations(world, { cases: cases - words - files, seed, onBatch: showProgress }),
      await fuzzWords({ cases: words, seed }),
      await fuzzFiles(folder, { cases: files, seed }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function showProgress(figures: Figures): void {
  const said = `${figures.cases} calls, ${figures.problems.length} problems`;
  if (process.stdout.isTTY) process.stdout.write(`\r${said} `);
  else if (figures.cases % 10_000 === 0) console.log(said);
}

function record(): void {
  const { crashes, hangs, undeclared, changedByRefused, date, commit: head } = report;
  const text = `${report.cases.toLocaleString("en")} cases: ${report.operations} operations from the OpenAPI document (${report.overHttp.toLocaleString("en")} over HTTP), command lines, settings, scenarios, providers; ${report.accepted.toLocaleString("en")} accepted, ${report.refused.toLocaleString("en")} refused; **${crashes} crashes, ${hangs} hangs, ${undeclared} undeclared errors, ${changedByRefused} changes by refused input**; ${report.seconds} s`;
  recordCampaign("fuzz", {
    command: `npm run campaign:fuzz -- --cases ${cases} --seed ${seed}`,
    date,
    commit: head,
    seed,
    text,
  });
}
