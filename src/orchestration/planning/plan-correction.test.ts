import { describe, expect, it } from "vitest";
import type { Finding } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { fingerprint, planCorrection } from "./plan-correction.ts";

const ids = randomIds(manualClock());
const finding = (changes: Partial<Finding> = {}): Finding => ({
  id: ids.next("fnd"),
  severity: "blocking",
  category: "lint",
  summary: "a value is typed any",
  files: [{ path: "src/a.ts", line: 3 }],
  by: "inspector",
  ...changes,
});

describe("planCorrection", () => {
  it("gives one engineer every finding with its place and evidence [RUN-5]", () => {
    const tests = finding({
      category: "tests",
      by: "tester",
      summary: "The tests check failed",
      files: [],
      evidence: "3 !== 4",
    });
    const [node, ...others] = planCorrection([finding(), tests], ids);
    expect(others).toEqual([]);
    expect(node).toMatchObject({
      role: "engineer",
      title: "Correct 2 findings of inspector and tester",
      dependsOn: [],
    });
    expect(node!.prompt).toContain("- [lint] a value is typed any (src/a.ts:3)");
    expect(node!.prompt).toContain("- [tests] The tests check failed\n    3 !== 4");
  });
});

describe("fingerprint", () => {
  const failing = (evidence: string) => [finding({ category: "tests", files: [], evidence })];

  it("is the same for the same finding on another line, in another order, after another time [RUN-5]", () => {
    const other = finding({ summary: "prints", files: [{ path: "src/b.ts" }] });
    expect(fingerprint([finding(), other])).toBe(
      fingerprint([other, finding({ files: [{ path: "src/a.ts", line: 9 }] })]),
    );
    expect(fingerprint(failing("✖ doubles (1.25ms)\nduration_ms 61.9"))).toBe(
      fingerprint(failing("✖ doubles (0.9ms)\nduration_ms 7")),
    );
  });

  it("is another one when another test fails, another file is meant, or something is left over [RUN-5]", () => {
    expect(fingerprint(failing("✖ doubles (1ms)"))).not.toBe(fingerprint(failing("✖ halves (1ms)")));
    expect(fingerprint([finding()])).not.toBe(fingerprint([finding({ files: [{ path: "src/b.ts", line: 3 }] })]));
    expect(fingerprint([finding()])).not.toBe(fingerprint([finding(), finding({ summary: "prints" })]));
  });
});
