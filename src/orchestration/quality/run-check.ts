/** Runs one check with the project's own command, in Sylk's own process, and says what came of it. */
import type { Check, Finding } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { CommandRequest, CommandResult } from "../executors/index.ts";
import type { CheckCommand } from "./discover-checks.ts";
import { findingsOf } from "./findings-of.ts";
import { missingBehind, missingProgram } from "./missing-program.ts";
import { readFailures } from "./read-failures.ts";
import { readTestOutput } from "./read-test-output.ts";

type Terms = {
  readonly kind: Check["kind"];
  readonly by: string;
  readonly round: number;
  readonly command: CheckCommand | undefined;
  /** Why no command could be chosen. */
  readonly problem?: string | undefined;
  readonly tree: string;
  readonly signal: AbortSignal;
};
type Ports = {
  readonly command: (request: Pick<CommandRequest, "argv" | "cwd" | "timeoutMs" | "signal">) => Promise<CommandResult>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly contentHash: (tree: string) => Promise<string>;
};
export type CheckReport = { readonly check: Check; readonly findings: readonly Finding[] };

const timeoutMs = 10 * 60_000;

export async function runCheck(
  { kind, by, round, command, problem, tree, signal }: Terms,
  { command: run, clock, ids, contentHash }: Ports,
): Promise<CheckReport> {
  const base = { kind, round, at: clock.now() };
  if (command === undefined) {
    return { check: { ...base, outcome: "not-run", summary: problem ?? noCommand[kind] }, findings: [] };
  }
  // The content is identified before the command runs: what it writes itself must not pass for what was checked.
  const checked = await contentHash(tree);
  const result = await run({ argv: command.argv, cwd: tree, timeoutMs, signal });
  const judged = judge(kind, command, result);
  const failures = isRejection(judged) ? readFailures(result.output, tree) : [];
  const check: Check = {
    ...base,
    ...judged,
    command: [...command.argv],
    source: command.source,
    contentHash: checked,
    ...defined({ exitCode: result.exitCode }),
    ...(failures.length === 0 ? {} : { failures: [...failures] }),
  };
  const category = kind === "tests" ? "tests" : "lint";
  return { check, findings: isRejection(check) ? findingsOf({ failures, category, by, ids }) : [] };
}

/** Names the lines to add: the user should not have to look for them. */
const noCommand: Readonly<Record<Check["kind"], string>> = {
  tests:
    'no tests were found; name the command in .sylk/config.yaml and commit it: checks.test: "<command>" (or --test-command)',
  inspection:
    'no linter was found; name the command in .sylk/config.yaml and commit it: checks.lint: "<command>" (or --lint-command)',
};

/** Only what failed or took too long sends the work back; a check that was not run says nothing about the change. */
export function isRejection({ outcome }: Pick<Check, "outcome">): boolean {
  return outcome === "fail" || outcome === "timed-out";
}

function judge(
  kind: Check["kind"],
  { argv }: CheckCommand,
  { end, exitCode, output }: CommandResult,
): Pick<Check, "outcome" | "summary" | "passed" | "failed"> {
  if (end === "timed-out") return { outcome: "timed-out", summary: "it did not end in time" };
  if (end === "refused") return { outcome: "not-run", summary: output };
  // The shell of a script ends with 127 when it does not find a program: that is not a red test.
  if (end === "not-found" || (end === "exited" && exitCode === 127))
    return { outcome: "not-run", summary: `command not found: ${missingProgram(output) ?? argv[0]}` };
  const missing = exitCode === 0 ? undefined : missingBehind(argv, output);
  if (missing !== undefined) return { outcome: "not-run", summary: `command not found: ${missing}` };
  if (end !== "exited") return { outcome: "fail", summary: `it was ${end}` };
  if (kind === "inspection")
    return exitCode === 0
      ? { outcome: "pass", summary: "no problems" }
      : { outcome: "fail", summary: `exit code ${exitCode}` };
  const counts = readTestOutput(output);
  // A script such as "vitest run || true" ends well whatever its tests say.
  if (exitCode !== 0 || (counts?.failed ?? 0) > 0)
    return {
      outcome: "fail",
      summary:
        counts === undefined || counts.failed === 0
          ? `exit code ${exitCode}`
          : `${counts.failed} of ${counts.passed + counts.failed} ${testWord(counts.passed + counts.failed)} failed`,
      ...counts,
    };
  if (counts === undefined)
    return { outcome: "no-tests", summary: "the command ended well, but its output names no tests" };
  if (counts.passed === 0) return { outcome: "no-tests", summary: "no tests were run", ...counts };
  return { outcome: "pass", summary: `${counts.passed} ${testWord(counts.passed)} passed`, ...counts };
}

function testWord(count: number): string {
  return count === 1 ? "test" : "tests";
}
