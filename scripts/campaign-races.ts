/**
 * `npm run campaign:races -- [--races 1000000] [--seed N] [--processes 8] [--record]`: the races suite's engine, for longer.
 *
 * Prints seed, date, commit and figures as a table and as JSON. Exit code 1 when a history has no order in which it is true.
 * `--record` keeps the result for docs/benchmarks.md.
 */
import { parseArgs } from "node:util";
import type { RaceFigures } from "../test/races/judge-wave.ts";
import { runRaces } from "../test/races/run-races.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

const { values } = parseArgs({
  options: {
    races: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    processes: { type: "string", default: "8" },
    record: { type: "boolean", default: false },
  },
});
const terms = {
  races: wholeNumber("races", values.races),
  seed: wholeNumber("seed", values.seed),
  processes: wholeNumber("processes", values.processes),
};
const startedAt = new Date();
console.log(`races campaign: ${terms.races} races, ${terms.processes} processes, seed ${terms.seed}`);

let told = 0;
const { figures, problems } = await runRaces({ ...terms, onWave: showProgress });
const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
const { seed, processes } = terms;
const report = {
  campaign: "races",
  date: startedAt.toISOString(),
  commit: commit(),
  seed,
  processes,
  seconds,
  ...figures,
};
console.log(reportTable(report));
console.log(JSON.stringify(report));
for (const problem of problems.slice(0, 20)) console.error(problem);
if (values.record) record();
process.exitCode = problems.length === 0 ? 0 : 1;

function showProgress({ races, problems: found }: RaceFigures): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${races} races, ${found} problems `);
  else if (races - told >= 10_000) console.log(`${(told = races)} races, ${found} problems`);
}

function record(): void {
  const many = (count: number): string => count.toLocaleString("en");
  const text = `${many(figures.races)} attempts to claim or reserve (${many(figures.calls)} calls) by ${processes} processes on ${many(figures.keys)} items and paths, at least ${figures.fewestRacers} agents on each, up to ${figures.mostAtOnce} calls on one at the same instant; ${many(figures.grants)} granted; each key's history searched for an order in which it is true: **${figures.problems} without one**; ${seconds} s`;
  const { date, commit: head } = report;
  recordCampaign("races", {
    command: `npm run campaign:races -- --races ${terms.races} --seed ${seed}`,
    date,
    commit: head,
    seed,
    text,
  });
}
