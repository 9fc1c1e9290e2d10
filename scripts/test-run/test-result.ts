/** What is kept of a test: the shape of `.cache/test-results/*.json`. */
export type TestResult = {
  title: string;
  suite: string;
  status: "passed" | "failed" | "skipped";
  file?: string;
  /** Why it was skipped. */
  reason?: string;
};

export type SuiteResult = {
  name: string;
  status: "passed" | "failed" | "no tests" | "no folder";
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  budgetSeconds: number;
};

export type RunResult = {
  startedAt: string;
  finishedAt: string;
  commit: string | null;
  /** Null when the tree changed while the tests ran: the results then belong to no tree. */
  treeHash: string | null;
  suites: SuiteResult[];
  tests: TestResult[];
};
