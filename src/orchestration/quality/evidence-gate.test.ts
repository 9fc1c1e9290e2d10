import { describe, expect, it } from "vitest";
import type { Check } from "../../contract/index.ts";
import type { FileChange } from "../sessions/index.ts";
import { judgeEvidence } from "./evidence-gate.ts";

const content = "tree-1";
const check = (kind: Check["kind"], changes: Partial<Check> = {}): Check => ({
  kind,
  round: 0,
  outcome: "pass",
  summary: "fine",
  contentHash: content,
  command: ["npm", "test"],
  source: "the base commit",
  exitCode: 0,
  at: 1,
  ...changes,
});
const changed = (path: string, kind: FileChange["kind"] = "modified"): FileChange => ({ path, kind });
const judge = (terms: Partial<Parameters<typeof judgeEvidence>[0]> = {}) =>
  judgeEvidence({
    checks: [check("inspection"), check("tests")],
    contentHash: content,
    changes: [changed("src/a.ts")],
    approvedEvidence: false,
    ...terms,
  });

describe("judgeEvidence", () => {
  it("verifies a change whose tests passed on exactly this content [RUN-6]", () => {
    expect(judge()).toEqual({ status: "verified" });
    expect(
      judge({
        checks: [
          check("inspection", { outcome: "not-run", contentHash: undefined, command: undefined }),
          check("tests"),
        ],
      }),
    ).toEqual({ status: "verified" });
    expect(judge({ checks: [check("tests")] })).toEqual({ status: "verified" });
  });

  it.each<[string, Partial<Parameters<typeof judgeEvidence>[0]>, string]>([
    ["nothing was changed", { changes: [] }, "nothing was changed"],
    ["no check was made", { checks: [] }, "the tests were not run"],
    ["only the inspection was made", { checks: [check("inspection")] }, "the tests were not run"],
    [
      "the project's linter is not installed",
      {
        checks: [
          check("inspection", { outcome: "not-run", summary: "command not found: eslint", command: ["eslint"] }),
          check("tests"),
        ],
      },
      "inspection: command not found: eslint",
    ],
    [
      "the tests were not run",
      { checks: [check("tests", { outcome: "not-run", summary: "no command" })] },
      "the tests were not run: no command",
    ],
    ["the tests failed", { checks: [check("tests", { outcome: "fail", summary: "1 of 2" })] }, "tests: 1 of 2"],
    ["there were no tests", { checks: [check("tests", { outcome: "no-tests", summary: "none" })] }, "tests: none"],
    ["the tests took too long", { checks: [check("tests", { outcome: "timed-out", summary: "late" })] }, "tests: late"],
    [
      "the inspection failed",
      { checks: [check("inspection", { outcome: "fail", summary: "any" }), check("tests")] },
      "inspection: any",
    ],
    [
      "the inspection took too long",
      { checks: [check("inspection", { outcome: "timed-out", summary: "late" }), check("tests")] },
      "inspection: late",
    ],
    [
      "the tests saw another content",
      { contentHash: "tree-2", checks: [check("tests")] },
      "the change was edited after its tests",
    ],
    [
      "the inspection saw another content",
      { checks: [check("inspection", { contentHash: "tree-0" }), check("tests")] },
      "the change was edited after its inspection",
    ],
    [
      "it is unknown what the tests saw",
      { checks: [check("tests", { contentHash: undefined })] },
      "the change was edited after its tests",
    ],
    [
      "the last tests failed after earlier ones passed",
      { checks: [check("tests"), check("tests", { outcome: "fail", summary: "now" })] },
      "tests: now",
    ],
  ])("does not when %s, and no approval helps [RUN-6]", (_, terms, reason) => {
    for (const approvedEvidence of [false, true]) {
      expect(judge({ ...terms, approvedEvidence })).toEqual({
        status: "unverified",
        reason,
        approvable: false,
        details: [],
      });
    }
  });

  it.each([
    "package.json",
    "packages/a/package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    ".npmrc",
    "tsconfig.json",
    "tsconfig.build.json",
    "vite.config.ts",
    "vitest.config.mts",
    "jest.config.js",
    "jest.setup.ts",
    ".mocharc.yml",
    "karma.conf.js",
    ".eslintrc.json",
    "eslint.config.js",
    "biome.json",
    "pytest.ini",
    "conftest.py",
    "tests/conftest.py",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "go.mod",
    "go.sum",
    "Cargo.toml",
    "Cargo.lock",
    "Makefile",
    "build.rs",
    ".gitignore",
    ".gitattributes",
    ".env",
    ".env.test",
    ".nvmrc",
    ".github/workflows/ci.yml",
    ".husky/pre-commit",
    "scripts/lint.mjs",
    ".cargo/config.toml",
  ])("asks a person about %s, however it was changed [RUN-6]", (path) => {
    for (const kind of ["added", "modified", "deleted"] as const) {
      const verdict = judge({ changes: [changed("src/a.ts"), changed(path, kind)] });
      expect(verdict).toEqual({
        status: "unverified",
        reason: "the change touches what its checks rely on",
        approvable: true,
        details: [`${kind} ${path}`],
      });
      expect(judge({ changes: [changed(path, kind)], approvedEvidence: true })).toEqual({ status: "verified" });
    }
  });

  it.each([
    "test/a.test.ts",
    "tests/helper.ts",
    "src/__tests__/a.ts",
    "src/a.spec.ts",
    "a_test.go",
    "test_a.py",
    "app/tests.py",
    "spec/a_spec.rb",
    "src/__snapshots__/a.snap",
    "src/__mocks__/fs.ts",
    "test/fixtures/big.json",
  ])("asks a person about %s when it was changed or removed, and lets it be added [RUN-6]", (path) => {
    expect(judge({ changes: [changed(path, "modified")] })).toMatchObject({ approvable: true });
    expect(judge({ changes: [changed(path, "deleted")] })).toMatchObject({ approvable: true });
    expect(judge({ changes: [changed(path, "added")] })).toEqual({ status: "verified" });
  });

  it.each([
    "src/a.ts",
    "src/contest.ts",
    "src/latest.ts",
    "docs/testing.md",
    "src/config.ts",
    "src/scripts.ts",
    "README.md",
  ])("asks no one about %s", (path) => {
    expect(judge({ changes: [changed(path)] })).toEqual({ status: "verified" });
  });
});
