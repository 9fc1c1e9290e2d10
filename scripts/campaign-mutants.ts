/**
 * `npm run campaign:mutants -- [--only SM-5,DAG] [--record]`: every named break of scripts/campaign/mutants/ must fail a
 * test that carries its id.
 *
 * Prints a table and JSON. Exit code 1 when a break survived or could not be tried. `--record` publishes the result; that of a
 * part stands beside the whole.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commit, recordCampaign, reportTable } from "./campaign/campaign-report.ts";
import { mutants } from "./campaign/mutants/index.ts";
import { type MutantResult, runMutants, type Verdict } from "./campaign/run-mutants.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { only: { type: "string" }, record: { type: "boolean", default: false } } });
const only = values.only?.split(",");
const selected = mutants.filter(({ id }) => only?.some((start) => id === start || id.startsWith(`${start}-`)) ?? true);
const startedAt = new Date();
const results = runMutants(root, selected, show);
const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
const report = {
  campaign: "mutants",
  date: startedAt.toISOString(),
  commit: commit(),
  breaks: results.length,
  ids: new Set(results.map(({ id }) => id)).size,
  noticed: count("noticed"),
  survived: count("survived"),
  notRun: count("not run"),
  seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
};
console.log(reportTable(report));
console.log(JSON.stringify(report));
if (values.record) record();
process.exitCode = results.length > 0 && report.noticed === results.length ? 0 : 1;

function show({ id, breaks, verdict, why }: MutantResult): void {
  console.log(`${verdict.padEnd(8)}  ${id.padEnd(9)} ${breaks}${verdict === "noticed" ? "" : `\n  ${why}`}`);
}

function record(): void {
  const { date, ids, noticed, survived, notRun, seconds } = report;
  const missed = results.filter(({ verdict }) => verdict !== "noticed").map(({ id, breaks }) => `${id}: ${breaks}`);
  const text = `${results.length} named breaks of ${ids} requirements, each tried alone against the tests that carry its id: ${noticed} noticed, **${survived} survived, ${notRun} not run**${missed.length === 0 ? "" : ` (${missed.join("; ")})`}; ${seconds} s`;
  const command = `npm run campaign:mutants${values.only === undefined ? "" : ` -- --only ${values.only}`}`;
  const name = ["mutants", ...(only ?? []).map((start) => start.toLowerCase())].join("-");
  recordCampaign(name, { command, date, commit: report.commit, seed: null, text });
}
