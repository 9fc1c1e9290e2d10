import { describe, expect, it } from "vitest";
import { readTestOutput } from "./read-test-output.ts";

/** As the runners print it, shortened in the middle. */
const outputs: readonly (readonly [string, string, { passed: number; failed: number } | undefined])[] = [
  [
    "node:test, spec",
    "✔ adds up (1.2ms)\n✖ rounds (0.8ms)\nℹ tests 5\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 61.9\n",
    { passed: 4, failed: 1 },
  ],
  [
    "node:test, tap",
    "TAP version 13\n# Subtest: adds up\nok 1 - adds up\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n",
    { passed: 1, failed: 0 },
  ],
  [
    "node:test without tests",
    "TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n",
    { passed: 0, failed: 0 },
  ],
  [
    "vitest",
    "\n RUN  v5.1.0 /work\n\n ✓ src/a.test.ts (11 tests) 12ms\n\n Test Files  1 passed (1)\n      Tests  11 passed (11)\n   Start at  20:40:48\n",
    { passed: 11, failed: 0 },
  ],
  [
    "vitest with failures, in colours",
    " Test Files  1 failed | 1 passed (2)\n\u001b[2m      Tests \u001b[22m \u001b[31m1 failed\u001b[39m | \u001b[32m4 passed\u001b[39m | 2 skipped (7)\n",
    { passed: 4, failed: 1 },
  ],
  [
    "jest",
    "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 2 skipped, 7 passed, 10 total\nSnapshots:   0 total\nTime:        1.2 s\n",
    { passed: 7, failed: 1 },
  ],
  [
    "jest, all well",
    "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\nTime:        0.5 s\n",
    { passed: 3, failed: 0 },
  ],
  ["mocha", "\n  cart\n    ✔ adds up\n\n\n  1 passing (4ms)\n\n", { passed: 1, failed: 0 }],
  ["mocha with failures", "\n\n  2 passing (6ms)\n  1 failing\n\n  1) cart\n", { passed: 2, failed: 1 }],
  [
    "pytest",
    "test_ok.py .          [100%]\n\n============================== 1 passed in 1.77s ===============================\n",
    { passed: 1, failed: 0 },
  ],
  [
    "pytest with failures",
    "FAILED test_x.py::test_b - assert 0\n========================= 1 failed, 1 passed in 1.42s ==========================\n",
    { passed: 1, failed: 1 },
  ],
  ["pytest -q", ".                                      [100%]\n1 passed in 0.81s\n", { passed: 1, failed: 0 }],
  [
    "pytest -q with failures and errors",
    "FAILED test_x.py::test_b - assert 0\n1 failed, 3 passed, 2 errors in 1.40s\n",
    { passed: 3, failed: 3 },
  ],
  ["pytest without tests", "\nno tests ran in 0.93s\n", undefined],
  ["unittest", "..\n----------\nRan 2 tests in 0.001s\n\nOK\n", { passed: 2, failed: 0 }],
  [
    "unittest with skipped tests",
    ".s\n----------\nRan 2 tests in 0.000s\n\nOK (skipped=1)\n",
    { passed: 1, failed: 0 },
  ],
  [
    "unittest with failures",
    ".FEsxu\n----------\nRan 6 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1, unexpected successes=1)\n",
    { passed: 2, failed: 3 },
  ],
  ["unittest without tests", "\n----------\nRan 0 tests in 0.000s\n\nOK\n", { passed: 0, failed: 0 }],
  [
    "unittest without tests, Python 3.12",
    "\n----------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n",
    { passed: 0, failed: 0 },
  ],
  [
    "go",
    "?   \texample.com/shop/cmd\t[no test files]\nok  \texample.com/shop/cart\t0.003s\nok  \texample.com/shop/price\t(cached)\n",
    { passed: 2, failed: 0 },
  ],
  [
    "go with failures",
    "--- FAIL: TestTotal (0.00s)\n    cart_test.go:9: got 3\nFAIL\nFAIL\texample.com/shop/cart\t0.002s\nok  \texample.com/shop/price\t0.001s\nFAIL\n",
    { passed: 1, failed: 1 },
  ],
  ["go without tests to run", "ok  \texample.com/shop/cart\t0.003s [no tests to run]\n", undefined],
  ["go without test files", "?   \texample.com/shop\t[no test files]\n", undefined],
  [
    "cargo",
    "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests x\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    { passed: 1, failed: 0 },
  ],
  [
    "cargo with failures",
    "failures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.15s\n\nerror: test failed, to rerun pass `--lib`\n",
    { passed: 1, failed: 1 },
  ],
  ["a summary of our own kind", "unit passed\n12 passed, 0 failed, 3 skipped\n", { passed: 12, failed: 0 }],
  ["a script that says nothing", "done\n", undefined],
  ["nothing", "", undefined],
];

describe("readTestOutput", () => {
  it.each(outputs)("reads %s [RUN-6]", (_, output, counts) => {
    expect(readTestOutput(output)).toEqual(counts);
  });

  it("believes the closing lines, not what tests print on their way", () => {
    expect(readTestOutput("# pass 100\nsome test printed that\n# pass 1\n# fail 2\n")).toEqual({
      passed: 1,
      failed: 2,
    });
  });
});
