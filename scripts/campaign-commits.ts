/**
 * `npm run campaign:commits -- [--seconds 60] [--writers 20] [--mode paths|project] [--record]`: the commit suite's engine,
 * for longer.
 *
 * Prints date, commit and figures as a table and as JSON. Exit code 1 when an edit or a commit was lost, or an agent was
 * refused. `--record` keeps the result for docs/benchmarks.md.
 */
import { parseArgs } from "node:util";
import { runWriters } from "../test/flows/commit-writers.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    writers: { type: "string", default: "20" },
    mode: { type: "string", default: "paths" },
    record: { type: "boolean", default: false },
  },
});
if (values.mode !== "paths" && values.mode !== "project") {
  console.error(`sylk: --mode must be paths or project, not "${values.mode}"`);
  process.exit(2);
}
const seconds = wholeNumber("seconds", values.seconds);
const writers = wholeNumber("writers", values.writers);
const { mode } = values;
const startedAt = new Date();
console.log(`commits campaign: ${writers} writers for ${seconds} s, mode ${mode}`);

let told = 0;
const { figures, problems } = await runWriters({ writers, seconds, mode, onCommit: showProgress });
const report = { campaign: "commits", date: startedAt.toISOString(), commit: commit(), writers, mode, seconds };
const whole = { ...report, ...figures, problems: problems.length };
console.log(reportTable(whole));
console.log(JSON.stringify(whole));
for (const problem of problems.slice(0, 20)) console.error(problem);
if (values.record) record();
process.exitCode = problems.length === 0 ? 0 : 1;

function showProgress(commits: number): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${commits} commits `);
  else if (commits - told >= 100) console.log(`${(told = commits)} commits`);
}

function record(): void {
  const { commits, byGit, takenAlong, perSecond, medianMs, p99Ms } = figures;
  const text = `${writers} agents and a person with git in one tree for ${seconds} s, ${mode === "paths" ? "disjoint commits in parallel" : "one commit at a time"}: ${commits} commits by agents (${perSecond} a second; median ${medianMs} ms, p99 ${p99Ms} ms), ${byGit} by git itself, ${takenAlong} changes of a shared file taken along by another's commit; **${problems.length} lost edits, lost commits, refusals or locks that reached an agent**`;
  const command = `npm run campaign:commits -- --seconds ${seconds}${mode === "paths" ? "" : " --mode project"}`;
  const { date, commit: head } = report;
  const name = `commits-${seconds}${mode === "paths" ? "" : "-project"}`;
  recordCampaign(name, { command, date, commit: head, seed: null, text });
}
