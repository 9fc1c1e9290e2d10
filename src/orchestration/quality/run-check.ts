/** Runs one check with the project's own command, in Sylk's own process, and says what came of it. */
import type { Check, Finding } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { CommandRequest, CommandResult } from "../executors/index.ts";
import type { CheckCommand } from "./discover-checks.ts";
import { readFindings } from "./read-findings.ts";
import { readTestOutput } from "./read-test-output.ts";

type Terms = {
  readonly kind: Check["kind"];
  readonly by: string;
  readonly round: number;
  readonly command: CheckCommand | undefined;
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
  { kind, by, round, command, tree, signal }: Terms,
  { command: run, clock, ids, contentHash }: Ports,
): Promise<CheckReport> {
  const base = { kind, round, at: clock.now() };
  if (command === undefined) {
    const what = kind === "tests" ? "no test command" : "no linter or type checker";
    return { check: { ...base, outcome: "not-run", summary: `the project names ${what}` }, findings: [] };
  }
  // The content is identified before the command runs: what it writes itself must not pass for what was checked.
  const checked = await contentHash(tree);
  const result = await run({ argv: command.argv, cwd: tree, timeoutMs, signal });
  const judged = judge(kind, result);
  const check: Check = {
    ...base,
    ...judged,
    command: [...command.argv],
    source: command.source,
    contentHash: checked,
    ...defined({ exitCode: result.exitCode }),
  };
  const category = kind === "tests" ? "tests" : "lint";
  return { check, findings: isRejection(check) ? readFindings({ output: result.output, category, by, ids }) : [] };
}

/** Only what failed or took too long sends the work back; a check that was not run says nothing about the change. */
export function isRejection({ outcome }: Pick<Check, "outcome">): boolean {
  return outcome === "fail" || outcome === "timed-out";
}

function judge(
  kind: Check["kind"],
  { end, exitCode, output }: CommandResult,
): Pick<Check, "outcome" | "summary" | "passed" | "failed"> {
  if (end === "timed-out") return { outcome: "timed-out", summary: "it did not end in time" };
  if (end === "refused") return { outcome: "not-run", summary: output };
  if (end === "not-found") return { outcome: "not-run", summary: "its command is not installed" };
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
          : `${counts.failed} of ${counts.passed + counts.failed} tests failed`,
      ...counts,
    };
  if (counts === undefined)
    return { outcome: "no-tests", summary: "the command ended well, but its output names no tests" };
  if (counts.passed === 0) return { outcome: "no-tests", summary: "no tests were run", ...counts };
  return { outcome: "pass", summary: `${counts.passed} tests passed`, ...counts };
}
