/**
 * Runs suites in one child process with live output and reads back what they recorded.
 */
import { spawn } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openScratchSpace } from "./scratch-space.ts";
import type { Suite } from "./suites.ts";
import type { SuiteRecord } from "./test-result.ts";

type Env = Readonly<Record<string, string>>;
export type Selection = { fragments: string[]; title?: string | undefined };

/** Test files of a suite whose path contains one of the fragments (all files without fragments). */
export function findTestFiles(root: string, suite: Suite, { fragments }: Selection): string[] {
  const files = globSync(suite.include, { cwd: root, exclude: suite.exclude ?? [] }).toSorted();
  return fragments.length === 0 ? files : files.filter((file) => fragments.some((part) => file.includes(part)));
}

/** All of them have the same needs (`together` in suites.ts). */
export async function runSuites(root: string, suites: readonly Suite[], selection: Selection): Promise<SuiteRecord> {
  const [first] = suites as [Suite];
  if (suites.some((suite) => suite.needsBuild)) {
    const status = await runNode(root, ["scripts/build.ts", "--if-stale"]);
    if (status !== 0) return failure(first.name, "dist is built");
  }
  const title = selection.title === undefined ? [] : ["--testNamePattern", selection.title];
  const colour = process.stdout.isTTY ? [] : ["--no-color"]; // vitest may colour pipes and files
  const reporters = ["--reporter", "default", "--reporter", join(root, "scripts/test-run/record-results.ts")];
  const projects = suites.flatMap((suite) => ["--project", suite.name]);
  const args = ["node_modules/vitest/vitest.mjs", "run", ...projects, ...reporters, ...title, ...colour];
  return runRecorded(root, first.name, [...args, ...selection.fragments], {
    ...(first.scratchOnDisk === true ? {} : { TMPDIR: scratchSpace() }),
    NODE_COMPILE_CACHE: compiledFolder(root),
  });
}

/** The program is started some thousand times: all but the first find it compiled. */
export function compiledFolder(root: string): string {
  return join(root, ".cache", "compiled");
}

let opened: string | undefined;
function scratchSpace(): string {
  return (opened ??= openScratchSpace());
}

export function runCheck(root: string): Promise<SuiteRecord> {
  return runRecorded(root, "check", ["scripts/check.ts", "--json", resultsFile(root, "check")]);
}

async function runRecorded(root: string, name: string, args: string[], env: Env = {}): Promise<SuiteRecord> {
  const file = resultsFile(root, name);
  rmSync(file, { force: true });
  const status = await runNode(root, args, { ...env, SYLK_TEST_RESULTS: file });
  if (!existsSync(file)) return failure(name, `${name} runs to its end (it stopped with ${status})`);
  const record = JSON.parse(readFileSync(file, "utf8")) as SuiteRecord;
  // An error outside of every test belongs to no suite: it fails the first.
  const tests = record.tests.map((test) => ({ ...test, suite: test.suite || name }));
  const explained = status === 0 || tests.some((test) => test.status === "failed");
  const unexplained = explained ? [] : failure(name, `${name} ends with exit code 0 (it was ${status})`).tests;
  return { ...record, tests: [...tests, ...unexplained] };
}

function resultsFile(root: string, name: string): string {
  return join(root, ".cache", "test-results", `${name}.json`);
}

function failure(suite: string, title: string): SuiteRecord {
  return { tests: [{ suite, title, status: "failed" }] };
}

function runNode(root: string, args: string[], env: Env = {}): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    // A run that was stopped must neither leave its children behind nor report results.
    const stop = (signal: NodeJS.Signals): void => {
      child.kill(signal);
      child.on("exit", () => process.exit(130));
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      resolve(code ?? signal ?? "no exit code");
    });
  });
}
