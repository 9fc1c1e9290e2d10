/**
 * `npm run campaign:kill -- [--kills 500] [--seed N] [--clients 12] [--record]`: the kill suite's engine, for longer.
 *
 * Prints seed, date, commit and what was acknowledged, lost, doubled and half done, as a table and as JSON. Exit code 1
 * when anything was lost, doubled or left half done. `--record` keeps the result for docs/benchmarks.md.
 */
import { parseArgs } from "node:util";
import { type KillFigures, runKills } from "../test/crash/run-kills.ts";
import { commit, recordCampaign, reportTable, wholeNumber } from "./campaign/campaign-report.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "500" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    clients: { type: "string", default: "12" },
    record: { type: "boolean", default: false },
  },
});
const terms = {
  kills: wholeNumber("kills", values.kills),
  seed: wholeNumber("seed", values.seed),
  clients: wholeNumber("clients", values.clients),
};
const startedAt = new Date();
console.log(`kill campaign: ${terms.kills} kills, ${terms.clients} clients, seed ${terms.seed}`);

const { figures, problems } = await runKills({ ...terms, onKill: showProgress });
const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
const report = {
  campaign: "kill",
  date: startedAt.toISOString(),
  commit: commit(),
  seed: terms.seed,
  clients: terms.clients,
  seconds,
  ...figures,
};

console.log(reportTable(report));
console.log(JSON.stringify(report));
for (const { kind, what } of problems.slice(0, 20)) console.error(`${kind}: ${what}`);
if (values.record) record();
process.exitCode = problems.length === 0 ? 0 : 1;

function showProgress({ kills, acknowledged, lost, doubled, half }: KillFigures): void {
  if (process.stdout.isTTY)
    process.stdout.write(`\r${kills} kills, ${acknowledged} acknowledged, ${lost + doubled + half} problems `);
  else if (kills % 50 === 0) console.log(`${kills} kills, ${acknowledged} acknowledged`);
}

function record(): void {
  const { acknowledged, lost, doubled, half } = figures;
  const { date, commit: head, seed, clients } = report;
  const many = (count: number): string => count.toLocaleString("en");
  const text = `${many(figures.kills)} kills -9 of the daemon under ${clients} clients: ${many(acknowledged)} calls acknowledged; **${lost} lost, ${doubled} doubled, ${half} half done**; ${seconds} s`;
  recordCampaign("kill", {
    command: `npm run campaign:kill -- --kills ${terms.kills} --seed ${seed}`,
    date,
    commit: head,
    seed,
    text,
  });
}
