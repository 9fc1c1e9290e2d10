/**
 * The end of `npm test`: a row per suite with its time, its budget and the trend since the last full run, then every
 * warning, skipped test and failure, and always as the last line `N passed, N failed, N skipped`.
 */
import type { FileCost, RunResult, SuiteResult } from "./test-result.ts";

/** Files named as the costliest: where to look first when the suite gets slow. */
const NAMED_FILES = 8;

type Compared = { readonly result: RunResult; readonly last: RunResult | undefined; readonly partial: boolean };

export function printSummary({ result, last, partial }: Compared): void {
  const { suites, files, tests, treeHash } = result;
  console.log(`\n=== summary ${"=".repeat(70)}`);
  for (const suite of suites) console.log(suiteRow(suite, last));
  console.log(totalRow(suites, last));
  for (const { file, processorSeconds = 0 } of costliest(files)) {
    const before = last?.files?.find((one) => one.file === file)?.processorSeconds;
    console.log(`costly: ${file} ${processorSeconds.toFixed(1)} s of processor time${trend(processorSeconds, before)}`);
  }
  for (const suite of suites.filter((one) => one.seconds > one.budgetSeconds))
    console.log(`warning: ${suite.name} took longer than its budget`);
  for (const test of tests.filter((one) => one.status === "skipped"))
    console.log(`skipped: ${test.suite}: ${test.title} (${test.reason ?? "no reason given"})`);
  for (const test of tests.filter((one) => one.status === "failed"))
    console.log(`failed: ${test.suite}: ${test.title}`);
  for (const suite of suites.filter((one) => one.status === "no tests")) console.log(`failed: ${suite.name}: no tests`);
  if (tests.length === 0) console.log("failed: no test was selected");
  if (treeHash === null && !partial)
    console.log("warning: files changed during the run, so it proves nothing about the tree as it is now");
  console.log(`${sum(suites, "passed")} passed, ${sum(suites, "failed")} failed, ${sum(suites, "skipped")} skipped`);
}

function suiteRow(suite: SuiteResult, last: RunResult | undefined): string {
  const before = last?.suites.find((one) => one.name === suite.name);
  const counts = `${suite.passed} passed, ${suite.failed} failed, ${suite.skipped} skipped`;
  return `${suite.name.padEnd(12)} ${suite.status.padEnd(10)} ${counts.padEnd(36)} ${costs(suite, before)}`;
}

/** Of the suites that ran now: a run of some suites is compared with the same ones. */
function totalRow(suites: readonly SuiteResult[], last: RunResult | undefined): string {
  const before = last?.suites.filter((one) => suites.some((suite) => suite.name === one.name));
  const isComparable = before?.length === suites.length;
  return `${"total".padEnd(60)} ${costs(total(suites), isComparable ? total(before) : undefined)}`;
}

type Costs = Pick<SuiteResult, "seconds" | "budgetSeconds" | "processorSeconds">;

function costs({ seconds, budgetSeconds, processorSeconds }: Costs, before: Costs | undefined): string {
  const wall = `${seconds.toFixed(1)} s of ${budgetSeconds} s${trend(seconds, before?.seconds)}`;
  if (processorSeconds === undefined) return wall;
  return `${wall}, processor ${processorSeconds.toFixed(1)} s${trend(processorSeconds, before?.processorSeconds)}`;
}

function trend(now: number, before: number | undefined): string {
  if (before === undefined || before === 0) return "";
  const percent = Math.round((now / before - 1) * 100);
  return ` (${percent > 0 ? "+" : ""}${percent} %)`;
}

function total(suites: readonly SuiteResult[]): Costs {
  const measured = suites.every((suite) => suite.processorSeconds !== undefined);
  return {
    seconds: sum(suites, "seconds"),
    budgetSeconds: sum(suites, "budgetSeconds"),
    ...(measured ? { processorSeconds: sum(suites, "processorSeconds") } : {}),
  };
}

function sum(suites: readonly SuiteResult[], key: "passed" | "failed" | "skipped" | keyof Costs): number {
  return suites.reduce((all, suite) => all + (suite[key] ?? 0), 0);
}

function costliest(files: readonly FileCost[]): readonly FileCost[] {
  const measured = files.filter(({ processorSeconds }) => processorSeconds !== undefined);
  return measured.toSorted((a, b) => b.processorSeconds! - a.processorSeconds!).slice(0, NAMED_FILES);
}
