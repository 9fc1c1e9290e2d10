/**
 * Keeps what was measured, and makes the page of figures of all that is kept.
 *
 *   outcomes -> .cache/bench/<date>.json (every round) and bench/results/<name>.json (the newest run of each)
 *   bench/report/page.md (the words) + bench/results (the figures) -> docs/benchmarks.md, as a whole
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../bench.ts";
import type { RunTerms } from "./describe-run.ts";
import { renderBench, renderBlock, renderCampaigns } from "./render-section.ts";
import { type CampaignResult, keepResult, readResults, type Result, resultOf } from "./results.ts";

export function writeResults(root: string, terms: RunTerms, outcomes: readonly Outcome[]): string {
  const folder = join(root, ".cache", "bench");
  const file = join(folder, `${terms.at.slice(0, 19).replaceAll(":", "-")}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...terms, outcomes }, undefined, 2)}\n`);
  return file;
}

export function publishOutcomes(root: string, terms: RunTerms, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) keepResult(root, outcome.bench, resultOf(outcome, terms));
  writePage(root);
}

export function publishCampaign(root: string, name: string, result: Omit<CampaignResult, "kind">): void {
  keepResult(root, `campaign-${name}`, { kind: "campaign", ...result });
  writePage(root);
}

export function writePage(root: string): void {
  const words = readFileSync(join(root, "bench", "report", "page.md"), "utf8");
  writeFileSync(join(root, "docs", "benchmarks.md"), renderPage(words, readResults(root)));
}

/** `{{name}}` is a result's place, `{{campaigns}}` that of all campaigns without a place of their own. */
export function renderPage(words: string, results: ReadonlyMap<string, Result>): string {
  const placed = new Set([...words.matchAll(/^\{\{([\w-]+)\}\}$/gm)].map((match) => match[1]!));
  const rest = [...results].filter(([name]) => !placed.has(name)).map(([name, result]) => ({ name, result }));
  const homeless = rest.filter(({ result }) => result.kind === "bench" || result.asBlock === true);
  if (homeless.length > 0)
    throw new Error(`bench/report/page.md has no place for ${homeless.map(({ name }) => name).join(", ")}`);
  return words.replace(/^\{\{([\w-]+)\}\}$/gm, (_, name: string) => {
    if (name === "campaigns")
      return renderCampaigns(rest.flatMap(({ result }) => (result.kind === "campaign" ? [result] : [])));
    const result = results.get(name);
    if (result === undefined) return `Not measured yet: \`npm run bench -- --only ${name}\`.`;
    return result.kind === "bench" ? renderBench(result) : renderBlock(result);
  });
}
