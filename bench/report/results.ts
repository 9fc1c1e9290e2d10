/**
 * What was measured, as it is kept: `bench/results/<name>.json`, one for each bench and campaign, the newest run of each.
 * The page of figures is made of these alone.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Figure, Outcome, Unit } from "../bench.ts";
import type { RunTerms } from "./describe-run.ts";

/** Without its rounds, of which the least, the greatest and their number are shown. */
export type KeptFigure = Omit<Figure, "rounds" | "value"> & {
  /** Null when it was not measured. */
  readonly value: number | null;
  readonly unit: Unit;
  readonly rounds?: { readonly low: number; readonly high: number; readonly count: number };
};
type Origin = {
  readonly command: string;
  /** ISO date, with the time where it is known. */
  readonly at: string;
  readonly commit: string;
  /** Null where nothing was drawn by lot. */
  readonly seed: number | null;
};
export type BenchResult = Origin & {
  readonly kind: "bench";
  readonly node: string;
  readonly cores: string;
  readonly method: string;
  readonly seconds: number;
  readonly busyBefore: number;
  readonly figures: readonly KeptFigure[];
  readonly failure?: string;
};
/** `text`: a sentence, a row of the table of campaigns; or, with `asBlock`, tables of its own. */
export type CampaignResult = Origin & {
  readonly kind: "campaign";
  readonly text: string;
  readonly asBlock?: true;
};
export type Result = BenchResult | CampaignResult;

export function resultOf(outcome: Outcome, { command, at, commit, node, cores }: RunTerms): BenchResult {
  const { method, seconds, busyBefore, failure } = outcome;
  const measured = { method, seconds, busyBefore, ...(failure === undefined ? {} : { failure }) };
  const origin = { command, at, commit, seed: null, node, cores };
  return { kind: "bench", ...origin, ...measured, figures: outcome.figures.map(kept) };
}

function kept({ value, rounds, ...rest }: Figure): KeptFigure {
  const spread = { low: Math.min(...rounds), high: Math.max(...rounds), count: rounds.length };
  return { ...rest, value: Number.isNaN(value) ? null : value, ...(rounds.length < 2 ? {} : { rounds: spread }) };
}

export function keepResult(root: string, name: string, result: Result): void {
  const folder = join(root, "bench", "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
}

export function readResults(root: string): ReadonlyMap<string, Result> {
  const files = globSync("bench/results/*.json", { cwd: root }).toSorted();
  return new Map(
    files.map((file) => [basename(file, ".json"), JSON.parse(readFileSync(join(root, file), "utf8")) as Result]),
  );
}
