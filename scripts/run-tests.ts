/**
 * `npm test`: the static checks, then every suite; those with the same needs run together.
 *
 *   npm test                          everything; writes .cache/test-results/last-run.json
 *   npm test -- --suite unit,flows    some suites            \
 *   npm test -- src/contract          files by path           > write partial-run.json instead
 *   npm test -- -t "exactly one"      tests by title         /
 *
 * The last line is always `N passed, N failed, N skipped`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readTreeHash } from "./tree-hash.ts";
import { printSummary } from "./test-run/print-summary.ts";
import { processorSeconds } from "./test-run/processor-time.ts";
import { compiledFolder, findTestFiles, runCheck, runSuites, type Selection } from "./test-run/run-suite.ts";
import { checkBudgetSeconds, type Suite, suites } from "./test-run/suites.ts";
import type { FileCost, RunResult, SuiteRecord, SuiteResult, TestResult } from "./test-run/test-result.ts";

const root = join(import.meta.dirname, "..");
const names = ["check", ...suites.map((suite) => suite.name)];
const { values, positionals: fragments } = parseArgs({
  allowPositionals: true,
  options: { suite: { type: "string", multiple: true }, testNamePattern: { type: "string", short: "t" } },
});
const wanted = (values.suite ?? []).flatMap((list) => list.split(","));
const selection: Selection = { fragments, title: values.testNamePattern };
const partial = wanted.length > 0 || fragments.length > 0 || selection.title !== undefined;

const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) stop(`unknown suite ${unknown.join(", ")}; there are: ${names.join(", ")}`);
await runAll();

type Outcome = { suite: SuiteResult; tests: TestResult[]; files?: FileCost[] };

async function runAll(): Promise<void> {
  const startedAt = new Date().toISOString();
  const treeHash = readTreeHash(root);
  // Otherwise what was compiled of every earlier build would stay.
  if (!partial) rmSync(compiledFolder(root), { recursive: true, force: true });
  const last = readLastRun();
  const outcomes: Outcome[] = [];

  const check = { name: "check", budgetSeconds: checkBudgetSeconds };
  if (includesCheck()) outcomes.push(...(await timed([check], () => runCheck(root))));
  for (const group of groupsOf(suites.filter(isWanted))) outcomes.push(...(await runGroup(group)));
  if (outcomes.length === 0) stop(`no test file contains ${fragments.join(" or ")} in its path`);

  const result: RunResult = {
    startedAt,
    finishedAt: new Date().toISOString(),
    commit: readCommit(),
    treeHash: treeHash !== undefined && readTreeHash(root) === treeHash ? treeHash : null,
    suites: outcomes.map((outcome) => outcome.suite),
    files: outcomes.flatMap((outcome) => outcome.files ?? []),
    tests: outcomes.flatMap((outcome) => outcome.tests),
  };
  writeResult(result);
  printSummary({ result, last, partial });
  process.exitCode = isGreen(result) ? 0 : 1;
}

/** A run without a single test proves nothing, whatever was selected. */
function isGreen({ suites: results, tests }: RunResult): boolean {
  return tests.length > 0 && results.every((suite) => suite.status === "passed" || suite.status === "no folder");
}

function includesCheck(): boolean {
  return wanted.length > 0 ? wanted.includes("check") : !partial;
}

function isWanted(suite: Suite): boolean {
  if (wanted.length > 0) return wanted.includes(suite.name);
  if (suite.byNameOnly) return false;
  return fragments.length === 0 || findTestFiles(root, suite, selection).length > 0;
}

function groupsOf(selected: readonly Suite[]): readonly Suite[][] {
  return Object.values(Object.groupBy(selected, ({ together }) => together));
}

async function runGroup(group: readonly Suite[]): Promise<Outcome[]> {
  const empty = (suite: Suite): "no folder" | "no tests" | undefined => {
    if (!existsSync(join(root, suite.folder))) return "no folder";
    return findTestFiles(root, suite, selection).length === 0 ? "no tests" : undefined;
  };
  const full = group.filter((suite) => empty(suite) === undefined);
  const ran = full.length === 0 ? [] : await timed(full, () => runSuites(root, full, selection));
  return group.map((suite) => {
    const status = empty(suite);
    return status === undefined ? ran.shift()! : { suite: emptySuite(suite, status), tests: [] };
  });
}

/** Nothing is green by default: a suite that lost its tests fails the run. */
function emptySuite({ name, budgetSeconds }: Suite, status: "no folder" | "no tests"): SuiteResult {
  const failed = status === "no tests" ? 1 : 0;
  return { name, status, passed: 0, failed, skipped: 0, seconds: 0, budgetSeconds };
}

type Timed = Pick<Suite, "name" | "budgetSeconds">;

/** The time that suites took together is divided by the times of their files. */
async function timed(together: readonly Timed[], run: () => Promise<SuiteRecord>): Promise<Outcome[]> {
  const title = together.map(({ name, budgetSeconds }) => `${name} (budget ${budgetSeconds} s)`).join(", ");
  console.log(`\n=== ${title} ${"=".repeat(Math.max(0, 76 - title.length))}`);
  const startedAt = performance.now();
  const usedBefore = processorSeconds();
  const { tests, files = [] } = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  const used = usedBefore === undefined ? undefined : processorSeconds()! - usedBefore;
  const sum = (costs: readonly FileCost[], key: "seconds" | "processorSeconds"): number =>
    costs.reduce((all, cost) => all + (cost[key] ?? 0), 0);
  return together.map(({ name, budgetSeconds }) => {
    const own = files.filter(({ suite }) => suite === name);
    const share = (all: number, key: "seconds" | "processorSeconds"): number =>
      Math.round(all * (together.length === 1 ? 1 : sum(own, key) / (sum(files, key) || 1)) * 10) / 10;
    return {
      suite: {
        ...countTests(tests.filter(({ suite }) => suite === name)),
        name,
        seconds: share(seconds, "seconds"),
        budgetSeconds,
        ...(used === undefined ? {} : { processorSeconds: share(used, "processorSeconds") }),
      },
      tests: selectedTests(tests.filter(({ suite }) => suite === name)),
      files: own,
    };
  });
}

/** With a title pattern vitest reports the tests it left out as skipped. No one decided to skip those. */
function selectedTests(all: readonly TestResult[]): TestResult[] {
  return selection.title === undefined ? [...all] : all.filter((test) => test.status !== "skipped");
}

function countTests(all: readonly TestResult[]): Pick<SuiteResult, "status" | "passed" | "failed" | "skipped"> {
  const tests = selectedTests(all);
  const count = (status: TestResult["status"]): number => tests.filter((test) => test.status === status).length;
  const [passed, failed, skipped] = [count("passed"), count("failed"), count("skipped")];
  const status =
    failed > 0 ? "failed" : passed + skipped === 0 && selection.title === undefined ? "no tests" : "passed";
  return { status, passed, failed, skipped };
}

function readCommit(): string | null {
  const run = spawnSync("git", ["rev-parse", "--verify", "-q", "HEAD"], { cwd: root, encoding: "utf8" });
  return run.status === 0 ? run.stdout.trim() : null;
}

/** The trend is the difference to it; a run of selected files or titles is comparable to none. */
function readLastRun(): RunResult | undefined {
  if (fragments.length > 0 || selection.title !== undefined || !existsSync(resultFile("last-run"))) return undefined;
  return JSON.parse(readFileSync(resultFile("last-run"), "utf8")) as RunResult;
}

function writeResult(result: RunResult): void {
  const file = resultFile(partial ? "partial-run" : "last-run");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
}

function resultFile(name: "partial-run" | "last-run"): string {
  return join(root, ".cache", "test-results", `${name}.json`);
}

function stop(message: string): never {
  console.error(`sylk: ${message}`);
  process.exit(1);
}
