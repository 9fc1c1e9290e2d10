/**
 * `npm run check`: every static rule of this repository, all at once, all failures reported.
 *
 *   node scripts/check.ts [--root folder] [--only format,lint] [--json file]
 *
 * `--json` records each check like a test, for scripts/run-tests.ts.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Check } from "./check/check.ts";
import { clockUse } from "./check/clock-use.ts";
import { compositionRoot } from "./check/composition-root.ts";
import { coreClients } from "./check/core-clients.ts";
import { fileNames } from "./check/file-names.ts";
import { folderReadmes } from "./check/folder-readmes.ts";
import { lockfile } from "./check/lockfile.ts";
import { migrations } from "./check/migrations.ts";
import { plainEnglish } from "./check/plain-english.ts";
import { shellScripts } from "./check/shell-scripts.ts";
import { structure } from "./check/structure.ts";
import { testRules } from "./check/test-rules.ts";
import { format, lint, dashboardTypes, programTypes, types, unused } from "./check/tools.ts";
import type { SuiteRecord, TestResult } from "./test-run/test-result.ts";

/** Slow ones first: they are started first. */
const checks: readonly Check[] = [
  lint,
  types,
  dashboardTypes,
  programTypes,
  unused,
  structure,
  format,
  lockfile,
  migrations,
  shellScripts,
  clockUse,
  compositionRoot,
  coreClients,
  plainEnglish,
  testRules,
  fileNames,
  folderReadmes,
];

const { values } = parseArgs({
  options: { root: { type: "string" }, only: { type: "string" }, json: { type: "string" } },
});
const root = resolve(values.root ?? join(import.meta.dirname, ".."));
const only = values.only?.split(",");
const unknown = only?.filter((name) => !checks.some((check) => check.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(
    `sylk: unknown check ${unknown.join(", ")}; there are: ${checks.map((check) => check.name).join(", ")}`,
  );
  process.exit(1);
}

const selected = checks.filter((check) => only?.includes(check.name) ?? true);
const results = await Promise.all(selected.map(runCheck));
for (const { name, problems } of results.filter((result) => result.problems.length > 0)) {
  console.log(`\n--- ${name}\n${problems.join("\n")}`);
}
if (values.json !== undefined) record(values.json, results);
const failed = results.filter((result) => result.problems.length > 0);
console.log(
  failed.length === 0 ? "\ncheck: ok" : `\ncheck: failed (${failed.map((result) => result.name).join(", ")})`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

type Outcome = { name: string; problems: string[] };

async function runCheck({ name, run }: Check): Promise<Outcome> {
  const startedAt = performance.now();
  // A check that breaks has not passed.
  const problems = await run(root).catch((error: unknown) => [`the check itself failed: ${String(error)}`]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"}  ${name.padEnd(16)} ${seconds} s`);
  return { name, problems };
}

function record(file: string, outcomes: Outcome[]): void {
  const tests = outcomes.map(({ name, problems }): TestResult => {
    return { suite: "check", title: `check: ${name}`, status: problems.length === 0 ? "passed" : "failed" };
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ tests } satisfies SuiteRecord, undefined, 2));
}
