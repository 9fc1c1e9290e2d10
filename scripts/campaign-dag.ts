/**
 * `npm run campaign:dag -- [--dags 1000] [--seed N] [--record]`: random DAG runs, SIGKILL at every change of each of them.
 *
 * Prints seed, date, commit and figures as a table and as JSON. Exit code 1 when anything was lost, doubled or ended wrong.
 * `--record` keeps the result for docs/benchmarks.md.
 */
import { parseArgs } from "node:util";
import { type DagKillFigures, killDags } from "../test/crash/dag-kills.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

/** Their runs share two lives of a process: few enough that all of them stand in its memory. */
const dagsAtOnce = 50;

const { values } = parseArgs({
  options: {
    dags: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    record: { type: "boolean", default: false },
  },
});
const [dags, seed] = [wholeNumber("dags", values.dags), wholeNumber("seed", values.seed)];
const startedAt = new Date();
console.log(`DAG campaign: ${dags} graphs, seed ${seed}`);

const sum: Record<keyof DagKillFigures, number> = {
  runs: 0,
  lives: 0,
  killedRuns: 0,
  effects: 0,
  lost: 0,
  doubled: 0,
  wrong: 0,
};
const problems: string[] = [];
for (let done = 0; done < dags; done += dagsAtOnce) {
  const batch = await killDags({ dags: Math.min(dagsAtOnce, dags - done), seed: seed + done, kills: "every" });
  for (const name of Object.keys(sum) as (keyof DagKillFigures)[]) sum[name] += batch.figures[name];
  problems.push(...batch.problems);
  console.log(
    `${Math.min(dags, done + dagsAtOnce)} graphs, ${sum.killedRuns} runs killed, ${problems.length} problems`,
  );
}
const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
const report = {
  campaign: "dag",
  date: startedAt.toISOString(),
  commit: commit(),
  seed,
  graphs: dags,
  seconds,
  ...sum,
};
console.log(reportTable(report));
console.log(JSON.stringify(report));
for (const problem of problems.slice(0, 20)) console.error(problem);
if (values.record) record();
process.exitCode = problems.length === 0 ? 0 : 1;

function record(): void {
  const many = (count: number): string => count.toLocaleString("en");
  const text = `${many(dags)} random graphs (parallel, nested, retries, approvals, adjustments), one run for each change of each: ${many(sum.runs)} runs, ${many(sum.killedRuns)} of them killed in their middle by SIGKILL, ${many(sum.effects)} effects: **${sum.lost} lost, ${sum.doubled} doubled, ${sum.wrong} wrong**; ${seconds} s`;
  const { date, commit: head } = report;
  recordCampaign("dag", {
    command: `npm run campaign:dag -- --dags ${dags} --seed ${seed}`,
    date,
    commit: head,
    seed,
    text,
  });
}
