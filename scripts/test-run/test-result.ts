/** What is kept of tests, suites and runs. */
export type TestResult = {
  title: string;
  suite: string;
  status: "passed" | "failed" | "skipped";
  file?: string;
  /** Why it was skipped. */
  reason?: string;
};

export type FileCost = { file: string; processorSeconds: number };

/** What one suite records: the shape of `.cache/test-results/<suite>.json`. */
export type SuiteRecord = { tests: TestResult[]; files?: FileCost[] };

export type SuiteResult = {
  name: string;
  status: "passed" | "failed" | "no tests" | "no folder";
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  budgetSeconds: number;
  /** Of the suite and all its processes; absent where the system does not say it. */
  processorSeconds?: number;
};

export type RunResult = {
  startedAt: string;
  finishedAt: string;
  commit: string | null;
  /** Null when the tree changed while the tests ran: the results then belong to no tree. */
  treeHash: string | null;
  suites: SuiteResult[];
  files: FileCost[];
  tests: TestResult[];
};
