import { describe, expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { readFindings } from "./read-findings.ts";

const found = (output: string) =>
  readFindings({ output, category: "lint", by: "inspector", ids: randomIds(manualClock()) });

describe("readFindings", () => {
  it.each([
    ["src/a.ts:6: a value is typed any (no-any)", "src/a.ts", 6, "a value is typed any (no-any)"],
    ["src/a.ts:6:12: error  Unexpected any", "src/a.ts", 6, "error  Unexpected any"],
    ["src/a.ts(6,12): error TS2304: Cannot find name 'x'.", "src/a.ts", 6, "error TS2304: Cannot find name 'x'."],
    ["  ./cmd/main.go:3:2: declared and not used: x", "./cmd/main.go", 3, "declared and not used: x"],
    ["app/views.py:10:1: F401 'os' imported but unused", "app/views.py", 10, "F401 'os' imported but unused"],
  ])("reads the place in %j [RUN-5]", (line, path, number, summary) => {
    expect(found(`2 problems\n${line}\n`)).toMatchObject([
      { severity: "blocking", category: "lint", by: "inspector", summary, files: [{ path, line: number }] },
    ]);
  });

  it("keeps output without a place as evidence of one finding, its end when it is long [RUN-5]", () => {
    expect(found("it broke")).toMatchObject([{ summary: "The lint check failed", files: [], evidence: "it broke" }]);
    const [finding] = found(`${"x".repeat(10_000)}the last words`);
    expect(finding?.evidence).toHaveLength(4_001);
    expect(finding?.evidence?.endsWith("the last words")).toBe(true);
  });

  it("tells at most fifty", () => {
    expect(found("src/a.ts:1: no\n".repeat(200))).toHaveLength(50);
  });
});
