/**
 * `npm run campaign:soak -- [--agents 300] [--minutes 10] [--seed N] [--record]`: agents at the rhythm of real ones.
 *
 * Prints seed, date, commit and figures as a table and as JSON. Exit code 1 when a call failed, the slowest hundredth took
 * 50 ms or more, or the daemon's memory passed 250 MB or kept growing. `--record` keeps the result for docs/benchmarks.md.
 */
import { parseArgs } from "node:util";
import { runSoak } from "../bench/processes/run-soak.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

const limits = { p99Ms: 50, rssMb: 250, rssMbPerMinute: 2 };
const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "300" },
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    record: { type: "boolean", default: false },
  },
});
const [agents, minutes, seed] = [
  wholeNumber("agents", values.agents),
  wholeNumber("minutes", values.minutes),
  wholeNumber("seed", values.seed),
];
const startedAt = new Date();
console.log(`soak campaign: ${agents} agents for ${minutes} min, seed ${seed}`);

const { p50, p99, max, calls, conflicts, crashes, failed, errors, highestRssMb, rssMbPerMinute } = await runSoak({
  agents,
  seconds: minutes * 60,
  seed,
  onSample: (seconds, rssMb) => {
    if (seconds % 60 === 0) console.log(`${seconds / 60} min, ${rssMb.toFixed(0)} MB`);
  },
});
const figures = {
  calls,
  failed,
  conflicts,
  crashes,
  p50Ms: round(p50),
  p99Ms: round(p99),
  slowestMs: round(max),
  highestRssMb: round(highestRssMb),
  rssMbPerMinute: round(rssMbPerMinute),
};
const report = { campaign: "soak", date: startedAt.toISOString(), commit: commit(), seed, agents, minutes, ...figures };
console.log(reportTable(report));
console.log(JSON.stringify(report));
for (const [kind, count] of Object.entries(errors)) console.error(`${count} x ${kind}`);
if (values.record) record();
const isGood =
  failed === 0 && p99 < limits.p99Ms && highestRssMb < limits.rssMb && rssMbPerMinute < limits.rssMbPerMinute;
process.exitCode = isGood ? 0 : 1;

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function record(): void {
  const text = `${agents} agents for ${minutes} min: ${calls.toLocaleString("en")} calls, **${failed} errors**, ${conflicts} refused because another agent held the file, ${crashes} agents lost and back; p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms (target < ${limits.p99Ms}), slowest ${figures.slowestMs} ms; highest resident memory ${figures.highestRssMb} MB (target < ${limits.rssMb}), ${figures.rssMbPerMinute} MB a minute over the second half (flat: < ${limits.rssMbPerMinute})`;
  const { date, commit: head } = report;
  recordCampaign("soak", {
    command: `npm run campaign:soak -- --minutes ${minutes} --seed ${seed}`,
    date,
    commit: head,
    seed,
    text,
  });
}
