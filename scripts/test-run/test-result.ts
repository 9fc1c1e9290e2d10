/** What is kept of tests, suites and runs. */
export type TestResult = {
  title: string;
  suite: string;
  status: "passed" | "failed" | "skipped";
  file?: string;
  /** Why it was skipped. */
  reason?: string;
};

/** `seconds` overlap those of files that ran at the same time. */
export type FileCost = { suite: string; file: string; seconds: number; processorSeconds?: number };

/** What suites that run together record: the shape of `.cache/test-results/<suite>.json`. */
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
