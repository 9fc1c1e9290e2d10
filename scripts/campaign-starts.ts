/**
 * `npm run campaign:starts -- [--starts 1000] [--at-once 64]`: many commands at once in one home, again and again.
 *
 * Prints date, commit and figures as a table and as JSON, and keeps its result for docs/benchmarks.md. Exit code 1 when
 * there was ever more or less than one daemon, or anybody failed or was connected to another one.
 */
import { parseArgs } from "node:util";
import { runStarts } from "../test/crash/run-starts.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

const { values } = parseArgs({
  options: { starts: { type: "string", default: "1000" }, "at-once": { type: "string", default: "64" } },
});
const terms = { starts: wholeNumber("starts", values.starts), atOnce: wholeNumber("at-once", values["at-once"]) };
const startedAt = new Date();
console.log(`start campaign: ${terms.starts} starts, ${terms.atOnce} at once`);

const { figures, problems } = await runStarts({
  ...terms,
  onRound: (started) => console.log(`${started} starts`),
});
const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
const report = {
  campaign: "starts",
  date: startedAt.toISOString(),
  commit: commit(),
  atOnce: terms.atOnce,
  seconds,
  ...figures,
  problems: problems.length,
};
console.log(reportTable(report));
console.log(JSON.stringify(report));
for (const problem of problems.slice(0, 20)) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

const { rounds, daemons, medianMs, slowestMs } = figures;
recordCampaign("starts", {
  command: `npm run campaign:starts -- --starts ${terms.starts} --at-once ${terms.atOnce}`,
  date: report.date,
  commit: report.commit,
  seed: null,
  text: `${figures.starts} starts in ${rounds} rounds of up to ${terms.atOnce} at once (\`up\`, \`ready\`, \`serve\`; every second round after a kill -9): ${daemons} daemons in ${rounds} rounds, **${problems.length} problems** (a second daemon, a failure, a loser not connected to the winner); median ${medianMs} ms, slowest ${slowestMs} ms on two cores; ${seconds} s`,
});
