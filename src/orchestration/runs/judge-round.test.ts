import { describe, expect, it } from "vitest";
import type { Check, Finding } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { AdjustingSuccess } from "../dag/testkit.ts";
import { type Attempt, type RunNodeSpec, specOf } from "../graphs/index.ts";
import { fingerprint } from "../planning/index.ts";
import { type CheckResult, type Judgement, judgeRound } from "./judge-round.ts";
import { checkOf } from "./testkit.ts";

const ids = randomIds(manualClock());
const finding = (summary: string): Finding => ({
  id: ids.next("fnd"),
  severity: "blocking",
  category: "lint",
  summary,
  files: [{ path: "src/a.ts", line: 3 }],
  by: "inspector",
});
const red = (...findings: readonly Finding[]): CheckResult => ({
  ...checkOf("inspection", 0, { outcome: "fail", summary: "1 problem" }),
  findings,
});

async function judge(parents: readonly (CheckResult | Judgement)[], round = 0): Promise<unknown> {
  let begun = 0;
  const attempt = {
    node: "nod_judge",
    spec: { round },
    context: { parents: new Map(parents.map((result, index) => [`nod_${index}`, result])) },
    begin: async () => void begun++,
  } as unknown as Attempt<RunNodeSpec>;
  const result = await judgeRound(attempt, { ids });
  expect(begun).toBe(1);
  return result;
}

describe("a judgement", () => {
  it("accepts a round in which no check is red: the evidence gate knows the ones that were not run", async () => {
    const tests = checkOf("tests", 0);
    expect(await judge([checkOf("inspection", 0), tests])).toEqual({ verdict: "accepted" });
    const absent: Partial<Check> = { outcome: "not-run", summary: "there is no linter" };
    expect(await judge([checkOf("inspection", 0, absent), tests])).toEqual({ verdict: "accepted" });
  });

  it.each(["fail", "timed-out"] as const)("rejects a round with a check that is %s", async (outcome) => {
    expect(await judge([checkOf("inspection", 0), checkOf("tests", 0, { outcome })])).toMatchObject({
      verdict: "rejected",
    });
  });

  it("brings corrections, checks and the next judgement in the one adjustment of its success", async () => {
    const findings = [finding("unused"), finding("any")];
    const judged = await judge([red(...findings), checkOf("tests", 0)]);
    if (!(judged instanceof AdjustingSuccess)) throw new Error("it has no adjustment");
    expect(judged.result).toEqual({ verdict: "rejected", fingerprint: fingerprint(findings) });
    const { add = [], remove, replace } = judged.adjustment;
    expect([remove, replace]).toEqual([undefined, undefined]);
    const [fix, inspection, tests, next] = add.map((node) => ({ id: node.id, ...(specOf(node) as RunNodeSpec) }));
    expect(fix).toMatchObject({ kind: "engineer", round: 1, dependsOn: ["nod_judge"] });
    for (const { summary } of findings) expect(fix!.prompt).toContain(summary);
    expect(inspection).toMatchObject({ kind: "check", check: "inspection", round: 1, dependsOn: [fix!.id] });
    expect(tests).toMatchObject({ kind: "check", check: "tests", round: 1, dependsOn: [inspection!.id] });
    expect(next).toMatchObject({ kind: "judge", round: 1 });
    expect(new Set(next!.dependsOn), "the next judgement knows this one").toEqual(
      new Set([inspection!.id, tests!.id, "nod_judge"]),
    );
    expect(add).toHaveLength(4);
  });

  it("gives up when the same findings come again, wherever their lines moved to", async () => {
    const before: Judgement = { verdict: "rejected", fingerprint: fingerprint([finding("unused")]) };
    const again = { ...finding("unused"), files: [{ path: "src/a.ts", line: 9 }] };
    expect(await judge([red(again), checkOf("tests", 1), before], 1)).toEqual(before);
    const other = await judge([red(finding("any")), checkOf("tests", 1), before], 1);
    expect(other).toBeInstanceOf(AdjustingSuccess);
  });

  it("gives up after the third round, whatever was found", async () => {
    const results = [red(finding("any")), checkOf("tests", 2)];
    expect(await judge(results, 1)).toBeInstanceOf(AdjustingSuccess);
    expect(await judge(results, 2)).toEqual({ verdict: "rejected", fingerprint: expect.any(String) });
  });

  it("plans no correction of nothing: a red check without findings is rejected for good", async () => {
    expect(await judge([red(), checkOf("tests", 0)])).toEqual({ verdict: "rejected", fingerprint: fingerprint([]) });
  });
});
