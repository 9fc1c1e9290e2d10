/**
 * `npm run campaign:fuzz -- [--cases 100000] [--seed N] [--record]`: the fuzz suite's engine, for longer.
 *
 *   operations by dispatch and over HTTP, command lines, files -> figures as a table and as JSON -> docs/benchmarks.md
 *
 * Exit code 1 when anything crashed, hung, failed as a defect, or was changed by a refused input. `--record` adds the row to
 * the campaigns of docs/benchmarks.md.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Figures, sumOf } from "../test/fuzz/figures.ts";
import { fuzzFiles } from "../test/fuzz/fuzz-files.ts";
import { fuzzOperations } from "../test/fuzz/fuzz-operations.ts";
import { openFuzzWorld } from "../test/fuzz/fuzz-world.ts";
import { fuzzWords } from "../test/fuzz/fuzz-words.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    record: { type: "boolean", default: false },
  },
});
const [cases, seed] = [wholeNumber("cases"), wholeNumber("seed")];
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
console.log(table(report));
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

function wholeNumber(name: "cases" | "seed"): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`sylk: --${name} must be a whole number above 0, not "${values[name]}"`);
  process.exit(2);
}

function showProgress(figures: Figures): void {
  const said = `${figures.cases} calls, ${figures.problems.length} problems`;
  if (process.stdout.isTTY) process.stdout.write(`\r${said} `);
  else if (figures.cases % 10_000 === 0) console.log(said);
}

function table(rows: Readonly<Record<string, string | number>>): string {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return `\n${Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join("\n")}\n`;
}

/** With a mark when the tree holds more than the commit. */
function commit(): string {
  const git = (...args: string[]): string => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
  const head = git("rev-parse", "--verify", "-q", "HEAD");
  return head === "" ? "none" : `${head}${git("status", "--porcelain") === "" ? "" : " with changes"}`;
}

/** After the last row of the campaigns' table. */
function record(): void {
  const file = join(root, "docs", "benchmarks.md");
  const [before, after = ""] = readFileSync(file, "utf8").split("## Campaigns\n");
  const lines = after.split("\n");
  const last = lines.findLastIndex((line) => line.startsWith("| `npm run campaign:"));
  const { crashes, hangs, undeclared, changedByRefused } = report;
  const result = `${report.cases.toLocaleString("en")} cases: ${report.operations} operations from the OpenAPI document (${report.overHttp.toLocaleString("en")} over HTTP), command lines, settings, scenarios, providers; ${report.accepted.toLocaleString("en")} accepted, ${report.refused.toLocaleString("en")} refused; **${crashes} crashes, ${hangs} hangs, ${undeclared} undeclared errors, ${changedByRefused} changes by refused input**; ${report.seconds} s`;
  const place = `${report.date.slice(0, 10)}, ${report.commit.slice(0, 7)}, ${seed}`;
  const row = `| \`npm run campaign:fuzz -- --cases ${cases} --seed ${seed}\` | ${place} | ${result} |`;
  writeFileSync(file, `${before}## Campaigns\n${lines.toSpliced(last + 1, 0, row).join("\n")}`);
}
