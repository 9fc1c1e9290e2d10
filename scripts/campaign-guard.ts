/**
 * `npm run campaign:guard -- [--half first|second|both] [--sample N --seed S] [--only fragment] [--text] [--record]`: really
 * runs the corpus of commands against a file that another agent holds. `--text`: the text guard alone, without running them.
 *
 * Prints a table of the three columns (text guard, enforced, restored from history) and each row that missed one, and keeps
 * all outcomes in .cache/campaign. Exit code 1 when a limit is missed. `--record` keeps the result for docs/benchmarks.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { CorpusCommand } from "../test/corpus/corpus-command.ts";
import { halves } from "../test/corpus/halves.ts";
import { openTextJudge } from "../test/corpus/judge-text.ts";
import { openCorpus, type Outcome } from "../test/corpus/run-corpus.ts";
import { sampleOf } from "../test/corpus/sample.ts";
import { missedLimits, renderTable } from "../test/corpus/tally.ts";
import { commit, recordCampaign, wholeNumber } from "./campaign/campaign-report.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    half: { type: "string", default: "both" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    text: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
  },
});
const names = values.half === "both" ? Object.keys(halves) : [values.half];
const unknown = names.find((name) => !Object.hasOwn(halves, name));
if (unknown !== undefined) {
  console.error(`sylk: there is no half "${unknown}"; there are: ${Object.keys(halves).join(", ")}, both`);
  process.exit(2);
}

const head = commit();
await using corpus = values.text ? openTextJudge() : await openCorpus();
for (const name of names) {
  const startedAt = new Date();
  const outcomes: Outcome[] = [];
  for (const row of chosenFrom(halves[name]!)) {
    // One row that cannot be judged must not cost the others their result; it counts as broken.
    const outcome = await corpus.run(row).catch((error: unknown): Outcome => ({ row, broken: String(error) }));
    outcomes.push(outcome);
    const line = describeMiss(outcome);
    if (line !== "") console.log(line);
  }
  const missed = missedLimits(outcomes).filter((sentence) => !values.text || sentence.startsWith("text"));
  const table = renderTable(outcomes, values.text);
  console.log(`\n${table}\n`);
  for (const sentence of missed) console.error(sentence);
  keepOutcomes(name, startedAt, outcomes);
  if (values.record) record(name, startedAt, `${table}\n\n${resultOf(missed)}`);
  if (missed.length > 0) process.exitCode = 1;
}

function chosenFrom(half: readonly CorpusCommand[]): readonly CorpusCommand[] {
  const named = half.filter(({ id }) => id.includes(values.only));
  if (values.sample === undefined) return named;
  return sampleOf(named, wholeNumber("sample", values.sample), wholeNumber("seed", values.seed));
}

/** Empty when every column is as it must be. */
function describeMiss({ row, notRun, broken, text, enforced, history, ends, detail }: Outcome): string {
  const isWriter = row.writes === "held";
  const misses = [
    ...(notRun === undefined ? [] : [`not run, ${notRun}`]),
    ...(broken === undefined ? [] : [`BROKEN, ${broken}`]),
    ...(isWriter && text !== undefined && text !== "denied" ? [text] : []),
    ...(!isWriter && text === "denied" ? ["REFUSED"] : []),
    ...(enforced === "changed" ? ["CHANGED"] : []),
    ...(history === "lost" ? ["LOST"] : []),
    ...(ends === "otherwise" ? ["ENDS OTHERWISE"] : []),
  ];
  return misses.length === 0
    ? ""
    : `${row.id}: ${misses.join(", ")}: ${row.command}${detail === undefined ? "" : `\n  ${detail}`}`;
}

function keepOutcomes(name: string, startedAt: Date, outcomes: readonly Outcome[]): void {
  const folder = join(root, ".cache", "campaign");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `guard-${name}.json`);
  const report = { campaign: "guard", half: name, date: startedAt.toISOString(), commit: head, outcomes };
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`all outcomes: ${file}`);
}

function resultOf(missed: readonly string[]): string {
  return missed.length === 0 ? "All limits are met." : missed.map((sentence) => `- ${sentence}`).join("\n");
}

function record(name: string, startedAt: Date, text: string): void {
  const chosen = values.sample === undefined ? "" : ` --sample ${values.sample} --seed ${values.seed}`;
  recordCampaign(`guard-${name}${values.text ? "-text" : ""}`, {
    command: `npm run campaign:guard -- --half ${name}${chosen}${values.text ? " --text" : ""}`,
    date: startedAt.toISOString(),
    commit: head,
    seed: values.sample === undefined ? null : Number(values.seed),
    text,
    asBlock: true,
  });
}
