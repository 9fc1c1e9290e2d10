/**
 * The test suites in the order `npm test` runs them, with what each may cost on two cores (12 minutes in all).
 */
import { availableParallelism } from "node:os";

export type Suite = {
  name: string;
  /** The suite is absent, not empty, when this folder does not exist. */
  folder: string;
  include: string[];
  exclude?: string[];
  budgetSeconds: number;
  testTimeoutSeconds: number;
  /** Files side by side: only where none minds what runs beside it (ports, shared folders, timing). */
  workers: number;
  needsBuild: boolean;
  /** Files share what they import, which is then loaded once: where no module remembers anything between tests. */
  sharesModules?: boolean;
  /** Where the disk is part of what is shown, or the files are too many for memory. */
  scratchOnDisk?: boolean;
  /** Not part of `npm test`: it needs what only a command of its own installs. */
  byNameOnly?: boolean;
};

/** Never more than four: what many daemons do to each other is for the suites that mean to show it. */
const cores = Math.min(4, Math.max(2, availableParallelism()));

export const suites: readonly Suite[] = [
  {
    name: "unit",
    folder: "src",
    include: ["src/**/*.test.ts"],
    exclude: ["src/**/*.property.test.ts"],
    budgetSeconds: 90,
    testTimeoutSeconds: 10,
    workers: cores,
    needsBuild: false,
    sharesModules: true,
  },
  {
    name: "property",
    folder: "src",
    include: ["src/**/*.property.test.ts"],
    budgetSeconds: 60,
    testTimeoutSeconds: 60,
    workers: cores,
    needsBuild: false,
    sharesModules: true,
  },
  { ...endToEnd("conformance", { budgetSeconds: 30, testTimeoutSeconds: 30, needsBuild: false }), sharesModules: true },
  endToEnd("tooling", { budgetSeconds: 60, testTimeoutSeconds: 60, needsBuild: false }),
  waiting(endToEnd("flows", { budgetSeconds: 240, testTimeoutSeconds: 120, needsBuild: true })),
  endToEnd("mcp", { budgetSeconds: 40, testTimeoutSeconds: 60, needsBuild: true }),
  endToEnd("docs", { budgetSeconds: 60, testTimeoutSeconds: 60, needsBuild: true }),
  endToEnd("faults", { budgetSeconds: 60, testTimeoutSeconds: 120, needsBuild: true }),
  waiting(onDisk(endToEnd("crash", { budgetSeconds: 90, testTimeoutSeconds: 120, needsBuild: true }))),
  endToEnd("races", { budgetSeconds: 60, testTimeoutSeconds: 120, needsBuild: true }),
  endToEnd("security", { budgetSeconds: 40, testTimeoutSeconds: 60, needsBuild: true }),
  endToEnd("fuzz", { budgetSeconds: 60, testTimeoutSeconds: 60, needsBuild: true }),
  {
    ...endToEnd("clients", { budgetSeconds: 900, testTimeoutSeconds: 400, needsBuild: true }),
    workers: 1,
    byNameOnly: true,
  },
  onDisk(endToEnd("package", { budgetSeconds: 90, testTimeoutSeconds: 300, needsBuild: false })),
];

/** The static checks run before the suites, under the same clock. */
export const checkBudgetSeconds = 30;

/** Its files wait a lot, for processes and for time to pass: one more of them than there are cores. */
function waiting(suite: Suite): Suite {
  return { ...suite, workers: cores + 1 };
}

function onDisk(suite: Suite): Suite {
  return { ...suite, scratchOnDisk: true };
}

function endToEnd(name: string, costs: Pick<Suite, "budgetSeconds" | "testTimeoutSeconds" | "needsBuild">): Suite {
  return { name, folder: `test/${name}`, include: [`test/${name}/**/*.test.ts`], workers: cores, ...costs };
}
