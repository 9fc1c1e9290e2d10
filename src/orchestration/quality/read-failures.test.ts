import { describe, expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { findingsOf } from "./findings-of.ts";
import { readFailures } from "./read-failures.ts";

const read = (output: string) => readFailures(output, "/tree");
const findings = (output: string) =>
  findingsOf({ failures: read(output), category: "lint", by: "inspector", ids: randomIds(manualClock()) });

/** As each program wrote it, for a test that adds prices. */
const reports: Readonly<Record<string, string>> = {
  "node:test": `▶ cart
  ✖ adds prices (1.01ms)
  ✔ ok (0.19ms)
✖ cart (2.24ms)
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at test/cart.test.ts:2:22
✖ adds prices (1.013324ms)
  AssertionError [ERR_ASSERTION]: 2 == 3
      at TestContext.<anonymous> (file:///tree/test/cart.test.ts:2:53)
      at Test.run (node:internal/test_runner/test:1402:25) {
    actual: 2,
  }
`,
  tap: `TAP version 13
# Subtest: cart
    not ok 1 - adds prices
      ---
      location: '/tree/test/cart.test.ts:2:22'
      failureType: 'testCodeFailure'
      error: '2 == 3'
      ...
    ok 2 - ok
    1..2
not ok 1 - cart
  ---
  location: '/tree/test/cart.test.ts:2:1'
  failureType: 'subtestsFailed'
  ...
`,
  vitest: ` RUN  v3.2.4 /tree
 ❯ test/cart.test.ts (2 tests | 1 failed) 5ms
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/cart.test.ts > cart > adds prices
AssertionError: 2 == 3
 ❯ test/cart.test.ts:2:60
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed (1)
`,
  jest: `FAIL ./test/cart.test.ts
  cart
    ✕ adds prices (2 ms)

  ● cart › adds prices

    2 == 3
      at Object.<anonymous> (test/cart.test.ts:2:20)

Test Suites: 1 failed, 1 total
`,
  pytest: `FF                                                     [100%]
=================================== FAILURES ===================================
______________________________ adds prices ______________________________

    def test_adds(self):
>       assert 2 == 3
E       assert 2 == 3

test/cart.test.ts:2: AssertionError
=========================== short test summary info ============================
FAILED test/cart.test.ts::test_adds - 2 == 3
1 failed in 2.16s
`,
  go: `--- FAIL: prices (0.00s)
    test/cart.test.ts:2: 2 == 3
FAIL
FAIL	shop	0.002s
`,
  cargo: `running 1 test
test tests::adds ... FAILED

failures:

---- tests::prices stdout ----
thread 'tests::prices' panicked at test/cart.test.ts:2:5:
2 == 3

failures:
    tests::prices

test result: FAILED. 0 passed; 1 failed; 0 ignored
`,
  mocha: `  1 passing (3ms)
  1 failing

  1) cart
       adds prices:
     AssertionError: 2 == 3
      at Context.<anonymous> (test/cart.test.ts:2:14)
`,
};

describe("readFailures", () => {
  it.each(Object.keys(reports))("names the failed test of %s once, with its place and its own lines", (program) => {
    const failures = read(reports[program]!);
    expect(failures).toHaveLength(1);
    const [failure] = failures;
    expect([failure!.file, failure!.line]).toEqual(["test/cart.test.ts", 2]);
    expect(`${failure!.name}\n${failure!.output}`).toMatch(/prices/);
    expect(failure!.output).toContain("2 == 3");
    expect(failure!.output).not.toMatch(/node:internal|tests? passed|short test summary/);
  });

  it("names the test of unittest, whose traceback writes places in its own way", () => {
    const output = `FAIL: test_adds (cart.Cart.test_adds)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/tree/cart_test.py", line 4, in test_adds
AssertionError: 2 != 3

----------------------------------------------------------------------
Ran 1 test in 0.000s
`;
    expect(read(output)).toMatchObject([
      {
        name: "test_adds (cart.Cart.test_adds)",
        file: "cart_test.py",
        line: 4,
        output: expect.stringContaining("2 != 3"),
      },
    ]);
  });

  it.each([
    ["src/a.ts:6: a value is typed any (no-any)", "src/a.ts", 6, "a value is typed any (no-any)"],
    ["src/a.ts:6:12: error  Unexpected any", "src/a.ts", 6, "error  Unexpected any"],
    ["src/a.ts(6,12): error TS2304: Cannot find name 'x'.", "src/a.ts", 6, "error TS2304: Cannot find name 'x'."],
    ["  ./cmd/main.go:3:2: declared and not used: x", "./cmd/main.go", 3, "declared and not used: x"],
    ["app/views.py:10:1: F401 'os' imported but unused", "app/views.py", 10, "F401 'os' imported but unused"],
    ["/tree/src/a.ts\n  6:12  error  Unexpected any  no-any", "src/a.ts", 6, "error Unexpected any no-any"],
  ])("reads the place in %j [RUN-5]", (line, path, number, summary) => {
    expect(findings(`2 problems\n${line}\n`)).toMatchObject([
      { severity: "blocking", category: "lint", by: "inspector", summary, files: [{ path, line: number }] },
    ]);
  });

  it("keeps the last lines of other output as evidence of one finding [RUN-5]", () => {
    expect(findings("it broke")).toMatchObject([{ summary: "The lint check failed", files: [], evidence: "it broke" }]);
    const [finding] = findings(`${"x\n".repeat(10_000)}the last words`);
    expect(finding?.evidence?.split("\n")).toHaveLength(25);
    expect(finding?.evidence?.endsWith("the last words")).toBe(true);
    expect(findings("")).toMatchObject([{ summary: "The lint check failed" }]);
  });

  it("is bounded, whatever a program prints: fifty failures, thirty lines each, 16,000 characters in all", () => {
    expect(read("src/a.ts:1: no\n".repeat(200))).toHaveLength(50);
    const long = read(`--- FAIL: TestA\n${`    ${"x".repeat(1_000)}\n`.repeat(100)}`);
    expect(long[0]!.output.split("\n")).toHaveLength(31);
    expect(Math.max(...long[0]!.output.split("\n").map((line) => line.length))).toBeLessThanOrEqual(301);
    const many = read(`--- FAIL: TestA\n${`    ${"x".repeat(290)}\n`.repeat(29)}`.repeat(40));
    expect([many.length, many.at(-1)]).toEqual([40, { name: "TestA", output: "" }]);
    expect(many.reduce((sum, { output }) => sum + output.length, 0)).toBeLessThanOrEqual(16_000);
  });
});
