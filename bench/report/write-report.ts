/**
 * Keeps what was measured.
 *
 *   outcomes -> .cache/bench/<date>.json (all of it) and docs/benchmarks.md (each bench's section, replaced as a whole)
 *
 * A run of some benches leaves the others' sections as they are: every section says when and on what it was measured.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "../bench.ts";
import type { RunTerms } from "./describe-run.ts";
import { renderSection } from "./render-section.ts";

export function writeResults(root: string, terms: RunTerms, outcomes: readonly Outcome[]): string {
  const folder = join(root, ".cache", "bench");
  const file = join(folder, `${terms.at.slice(0, 19).replaceAll(":", "-")}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...terms, outcomes }, undefined, 2)}\n`);
  return file;
}

export function rewriteSections(root: string, terms: RunTerms, outcomes: readonly Outcome[]): void {
  const file = join(root, "docs", "benchmarks.md");
  let text = readFileSync(file, "utf8");
  for (const outcome of outcomes) text = withSection(text, outcome.bench, renderSection(outcome, terms));
  writeFileSync(file, text);
}

function withSection(text: string, bench: string, section: string): string {
  const [begin, end] = [`<!-- bench:${bench} -->`, `<!-- /bench:${bench} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/benchmarks.md has no markers ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${section}\n${text.slice(to)}`;
}
