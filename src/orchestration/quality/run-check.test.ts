import { describe, expect, it } from "vitest";
import type { CommandResult } from "../executors/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { runCheck } from "./run-check.ts";

const clock = manualClock();
const command = { argv: ["npm", "test"], source: "the base commit" } as const;

async function check(kind: "tests" | "inspection", result: Partial<CommandResult>, { named = true } = {}) {
  const order: string[] = [];
  const ports = {
    clock,
    ids: randomIds(clock),
    contentHash: async () => (order.push("hash"), "tree-1"),
    command: async () => (
      order.push("run"),
      { end: "exited", exitCode: 0, output: "", truncated: false, durationMs: 1, ...result } as const
    ),
  };
  const { signal } = new AbortController();
  return {
    order,
    ...(await runCheck(
      { kind, by: "tester", round: 1, command: named ? command : undefined, tree: "/tree", signal },
      ports,
    )),
  };
}

describe("runCheck", () => {
  it("identifies the content before the command runs, and says what ran [RUN-6]", async () => {
    const { order, check: made } = await check("tests", { output: "# pass 2\n# fail 0\n" });
    expect(order).toEqual(["hash", "run"]);
    expect(made).toEqual({
      kind: "tests",
      round: 1,
      at: clock.now(),
      outcome: "pass",
      summary: "2 tests passed",
      passed: 2,
      failed: 0,
      command: ["npm", "test"],
      source: "the base commit",
      contentHash: "tree-1",
      exitCode: 0,
    });
  });

  it.each([
    ["failing tests", { exitCode: 1, output: "# pass 2\n# fail 1\n" }, "fail", "1 of 3 tests failed", 1],
    [
      "failing tests behind exit code 0",
      { exitCode: 0, output: "# pass 2\n# fail 1\n" },
      "fail",
      "1 of 3 tests failed",
      1,
    ],
    ["an exit code without a failed test", { exitCode: 2, output: "# pass 2\n# fail 0\n" }, "fail", "exit code 2", 1],
    ["an exit code without counts", { exitCode: 1, output: "boom" }, "fail", "exit code 1", 1],
    [
      "no counts",
      { exitCode: 0, output: "fine" },
      "no-tests",
      "the command ended well, but its output names no tests",
      0,
    ],
    ["no tests", { exitCode: 0, output: "# pass 0\n# fail 0\n" }, "no-tests", "no tests were run", 0],
    ["a timeout", { end: "timed-out", exitCode: undefined }, "timed-out", "it did not end in time", 1],
    ["a missing program", { end: "not-found", exitCode: 127 }, "not-run", "command not found: npm", 0],
    [
      "a program that a script does not find",
      { exitCode: 127, output: "sh: 1: vitest: not found\n" },
      "not-run",
      "command not found: vitest",
      0,
    ],
    ["a killed command", { end: "killed", exitCode: undefined }, "fail", "it was killed", 1],
    ["an aborted command", { end: "aborted", exitCode: undefined }, "fail", "it was aborted", 1],
  ] as const)("is not green after %s [RUN-6, RUN-11]", async (_, result, outcome, summary, findings) => {
    const { check: made, findings: found } = await check("tests", result);
    expect([made.outcome, made.summary, found.length]).toEqual([outcome, summary, findings]);
  });

  it("judges an inspection by its exit code alone [RUN-5]", async () => {
    expect((await check("inspection", { exitCode: 0 })).check).toMatchObject({
      outcome: "pass",
      summary: "no problems",
    });
    const rejected = await check("inspection", { exitCode: 1, output: "src/a.ts:1: no\n" });
    expect([rejected.check.outcome, rejected.findings[0]?.category]).toEqual(["fail", "lint"]);
  });

  it("is not run where the project names no command [RUN-11]", async () => {
    for (const kind of ["tests", "inspection"] as const) {
      const { order, check: made, findings } = await check(kind, {}, { named: false });
      expect([order, made.outcome, made.summary, findings]).toEqual([
        [],
        "not-run",
        expect.stringMatching(
          kind === "tests"
            ? /^no tests were found; .*\.sylk\/config\.yaml.* checks\.test: /
            : /^no linter .* checks\.lint: /,
        ),
        [],
      ]);
    }
  });
});
