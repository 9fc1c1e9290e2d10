/**
 * Vitest reporter that writes the results of its suites to the file in SYLK_TEST_RESULTS.
 *
 * Vitest's own JSON reporter drops the reason of a skipped test and errors outside of tests; both are needed here.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import type { FileCost, SuiteRecord, TestResult } from "./test-result.ts";

export default class RecordResults implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env["SYLK_TEST_RESULTS"];
    if (file === undefined) return;
    const record: SuiteRecord = {
      tests: [...modules.flatMap(moduleResults), ...unhandled.map(unhandledResult)],
      files: modules.map(fileCost),
    };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(record, undefined, 2));
  }
}

function moduleResults(module: TestModule): TestResult[] {
  const tests = [...module.children.allTests()].map(testResult);
  // A failed hook or import fails the module although no test of it failed.
  if (module.ok() || tests.some((test) => test.status === "failed")) return tests;
  return [...tests, { ...place(module), title: `${module.relativeModuleId} loads and cleans up`, status: "failed" }];
}

function fileCost(module: TestModule): FileCost {
  const { processorSeconds } = module.meta();
  const seconds = module.diagnostic().duration / 1000;
  return { ...place(module), seconds, ...(processorSeconds === undefined ? {} : { processorSeconds }) };
}

function testResult(test: TestCase): TestResult {
  const result = test.result();
  const base = { ...place(test.module), title: test.fullName };
  if (result.state === "skipped") return { ...base, status: "skipped", reason: result.note ?? "no reason given" };
  return { ...base, status: result.state === "passed" ? "passed" : "failed" };
}

function place(module: TestModule): { suite: string; file: string } {
  return { suite: module.project.name, file: module.relativeModuleId };
}

function unhandledResult(error: SerializedError): TestResult {
  return { suite: "", title: `no error outside of a test (${error.message})`, status: "failed" };
}
