/**
 * The test suites in the order `npm test` runs them, with what each may cost on two cores (8 minutes in all).
 */
import { availableParallelism } from "node:os";

export type Suite = {
  name: string;
  /** The suite is absent, not empty, when this folder does not exist. */
  folder: string;
  include: string[];
  exclude?: string[] | undefined;
  budgetSeconds: number;
  testTimeoutSeconds: number;
  /** Files side by side: only where none minds what runs beside it (ports, shared folders, timing). */
  workers: number;
  needsBuild: boolean;
  /** Done once, before the first of its files. */
  globalSetup?: string;
  /** Loaded before each of its files. */
  setupFiles?: readonly string[];
  /** Files share what they import, which is then loaded once: where no module remembers anything between tests. */
  sharesModules?: boolean;
  /** Where the disk is part of what is shown, or the files are too many for memory. */
  scratchOnDisk?: boolean;
  /** Suites with the same word run in one process of vitest, so that no core waits for the last file of each. */
  together: "in process" | "end to end" | "races" | "on disk" | "clients";
  /** Not part of `npm test`: it needs what only a command of its own installs. */
  byNameOnly?: boolean;
};

/** Never more than four: what many daemons do to each other is for the suites that mean to show it. */
const cores = Math.min(4, Math.max(2, availableParallelism()));

export const suites: readonly Suite[] = [
  inProcess({
    name: "unit",
    include: ["src/**/*.test.ts", "dashboard/src/**/*.test.{ts,tsx}"],
    exclude: ["src/**/*.property.test.ts"],
    budgetSeconds: 40,
    testTimeoutSeconds: 10,
  }),
  inProcess({ name: "property", include: ["src/**/*.property.test.ts"], budgetSeconds: 20, testTimeoutSeconds: 60 }),
  inProcess({
    name: "conformance",
    include: ["test/conformance/**/*.test.ts"],
    budgetSeconds: 5,
    testTimeoutSeconds: 30,
  }),
  endToEnd("tooling", { budgetSeconds: 25, testTimeoutSeconds: 60, needsBuild: false }),
  endToEnd("flows", { budgetSeconds: 200, testTimeoutSeconds: 120 }),
  {
    ...endToEnd("dashboard", { budgetSeconds: 40, testTimeoutSeconds: 120 }),
    setupFiles: ["test/dashboard/skip-without-browser.ts"],
  },
  endToEnd("mcp", { budgetSeconds: 5, testTimeoutSeconds: 60 }),
  endToEnd("docs", { budgetSeconds: 15, testTimeoutSeconds: 60 }),
  endToEnd("faults", { budgetSeconds: 30, testTimeoutSeconds: 120 }),
  endToEnd("security", { budgetSeconds: 30, testTimeoutSeconds: 60 }),
  endToEnd("fuzz", { budgetSeconds: 15, testTimeoutSeconds: 60 }),
  // Many clients against one daemon: nothing else runs meanwhile.
  { ...endToEnd("races", { budgetSeconds: 20, testTimeoutSeconds: 120 }), workers: cores, together: "races" },
  onDisk(endToEnd("crash", { budgetSeconds: 45, testTimeoutSeconds: 120 })),
  {
    ...onDisk(endToEnd("package", { budgetSeconds: 25, testTimeoutSeconds: 300, needsBuild: false })),
    globalSetup: "test/package/pack-once.ts",
  },
  {
    ...endToEnd("clients", { budgetSeconds: 900, testTimeoutSeconds: 400 }),
    workers: 1,
    together: "clients",
    byNameOnly: true,
  },
];

/** The static checks run before the suites, under the same clock. */
export const checkBudgetSeconds = 30;

type Costs = Pick<Suite, "budgetSeconds" | "testTimeoutSeconds">;

function inProcess(suite: Pick<Suite, "name" | "include" | "exclude"> & Costs): Suite {
  const folder = suite.include[0]!.split("/**")[0]!;
  return { ...suite, folder, workers: cores, needsBuild: false, sharesModules: true, together: "in process" };
}

/** Its files wait a lot, for processes and for time to pass: one more of them than there are cores. */
function endToEnd(name: string, costs: Costs & Partial<Pick<Suite, "needsBuild">>): Suite {
  const place = { folder: `test/${name}`, include: [`test/${name}/**/*.test.ts`] };
  return { name, ...place, workers: cores + 1, needsBuild: true, together: "end to end", ...costs };
}

function onDisk(suite: Suite): Suite {
  return { ...suite, scratchOnDisk: true, together: "on disk" };
}
