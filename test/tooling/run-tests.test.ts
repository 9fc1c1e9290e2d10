/** `npm test` counts what ran, says what did not and why, and never takes silence for success. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RunResult } from "../../scripts/test-run/test-result.ts";
import { readTreeHash } from "../../scripts/tree-hash.ts";
import { copyFromRepository, repository, scratchFolder, writeTree } from "./scratch-folder.ts";

const PASSING = `import { expect, it } from "vitest";\nit("adds [CORE-1]", () => expect(1 + 1).toBe(2));\n`;

it("counts check and suites, lists failures and reasons, and ends with the one line [CORE-2]", () => {
  const root = project({
    "src/a.test.ts": PASSING,
    "src/b.test.ts": `import { expect, it } from "vitest";
      it("is wrong", () => expect(1).toBe(2));
      it("waits", ({ skip }) => skip(true, "no network here"));\n`,
    "src/c.property.test.ts": PASSING,
  });
  const run = runTests(root);
  expect(run.lastLine).toBe("3 passed, 1 failed, 1 skipped");
  expect(run.status).toBe(1);
  expect(run.output).toContain("expected 1 to be 2");
  expect(run.output).toContain("failed: unit: is wrong");
  expect(run.output).toContain("skipped: unit: waits (no network here)");
  expect(run.output).toMatch(/^unit +failed +1 passed, 1 failed, 1 skipped +[\d.]+ s of \d+ s/m);
  const result = readResult(root, "last-run.json");
  expect(result.treeHash).toBe(readTreeHash(root));
  expect(result.tests).toContainEqual({
    suite: "unit",
    title: "adds [CORE-1]",
    status: "passed",
    file: "src/a.test.ts",
  });
});

it("ends green when everything passed, suites without a folder aside, and shows the trend since the last full run [CORE-2]", () => {
  const root = project({ "src/a.test.ts": PASSING, "src/b.property.test.ts": PASSING });
  const first = runTests(root);
  expect([first.lastLine, first.status]).toEqual(["3 passed, 0 failed, 0 skipped", 0]);
  expect(first.output).toMatch(/^flows +no folder/m);
  const budgets = [...first.output.matchAll(/ s of (\d+) s/g)].map(([, seconds]) => Number(seconds));
  expect(budgets.at(-1), "the total of the budgets").toBe(budgets.slice(0, -1).reduce((sum, one) => sum + one, 0));
  expect(first.output, "there is nothing to compare with").not.toContain(" %)");

  const second = runTests(root, "--suite", "unit").output;
  const time = String.raw`[\d.]+ s of \d+ s \([+-]?\d+ %\)`;
  expect(second).toMatch(new RegExp(`^unit +passed +1 passed, 0 failed, 0 skipped +${time}`, "m"));
  expect(second).toMatch(new RegExp(`^total +${time}`, "m"));
  if (process.platform !== "linux") return;
  expect(second).toMatch(/^unit .+, processor [\d.]+ s \([+-]?\d+ %\)$/m);
  expect(second).toMatch(/^costly: src\/a\.test\.ts [\d.]+ s of processor time \([+-]?\d+ %\)$/m);
});

it("fails a suite that lost its tests [CORE-2]", () => {
  const root = project({ "src/a.test.ts": PASSING, "src/b.property.test.ts": PASSING });
  mkdirSync(join(root, "test/flows"), { recursive: true });
  const run = runTests(root);
  expect(run.output).toMatch(/^flows +no tests/m);
  expect(run.lastLine).toBe("3 passed, 1 failed, 0 skipped");
  expect(run.status).toBe(1);
});

it("counts a file that does not load and an error outside of every test as failures [CORE-2]", () => {
  const root = project({
    "src/a.test.ts": `import "./missing.ts";\n${PASSING}`,
    "src/b.test.ts": `${PASSING}void Promise.reject(new Error("left alone"));\n`,
  });
  const run = runTests(root, "--suite", "unit");
  expect(run.output).toContain("failed: unit: src/a.test.ts loads and cleans up");
  expect(run.output).toContain("failed: unit: no error outside of a test (left alone)");
  expect(run.lastLine).toBe("1 passed, 2 failed, 0 skipped");
});

it("runs parts by suite, path or title, and keeps their result apart from a full run's [CORE-2]", () => {
  const root = project({ "src/a.test.ts": PASSING, "src/b.test.ts": PASSING.replace("adds", "sums") });
  expect(runTests(root, "--suite", "unit").lastLine).toBe("2 passed, 0 failed, 0 skipped");
  expect(runTests(root, "src/b").lastLine).toBe("1 passed, 0 failed, 0 skipped");
  expect(runTests(root, "-t", "sums", "src/").lastLine).toBe("1 passed, 0 failed, 0 skipped");
  expect(existsSync(join(root, ".cache/test-results/last-run.json"))).toBe(false);
  expect(readResult(root, "partial-run.json").tests).toHaveLength(1);
});

it("does not call a selection without tests a success [CORE-2]", () => {
  const root = project({ "src/a.test.ts": PASSING });
  expect(runTests(root, "src/nowhere").status).toBe(1);
  expect(runTests(root, "-t", "no such title", "src/a").status).toBe(1);
  expect(runTests(root, "--suite", "units").output).toContain("unknown suite units; there are: check, unit");
});

it("belongs to no tree when a file changed while the tests ran [CORE-2]", () => {
  const writes = `import { writeFileSync } from "node:fs";\nwriteFileSync("src/written.ts", "");\n`;
  const root = project({ "src/a.test.ts": writes + PASSING, "src/b.property.test.ts": PASSING });
  expect(runTests(root).output).toContain("warning: files changed during the run");
  expect(readResult(root, "last-run.json").treeHash).toBeNull();
});

/** A repository with our runner, a check that always passes, and the given tests. */
function project(files: Record<string, string>): string {
  const root = scratchFolder();
  copyFromRepository(root, ["scripts/run-tests.ts", "scripts/test-run", "scripts/tree-hash.ts", "vitest.config.ts"]);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  writeTree(root, {
    ".gitignore": "node_modules\n.cache/\n",
    "package.json": `{ "type": "module" }\n`,
    "scripts/check.ts": `import { mkdirSync, writeFileSync } from "node:fs";
      mkdirSync(".cache/test-results", { recursive: true });
      writeFileSync(process.argv[3]!, JSON.stringify({ tests: [{ title: "check: all", status: "passed" }] }));\n`,
    ...files,
  });
  execFileSync("git", ["init", "-q"], { cwd: root });
  return root;
}

function runTests(
  root: string,
  ...args: string[]
): { status: number | null; output: string; lastLine: string | undefined } {
  const run = spawnSync(process.execPath, [join(root, "scripts/run-tests.ts"), ...args], {
    encoding: "utf8",
    timeout: 50_000,
  });
  return { status: run.status, output: run.stdout + run.stderr, lastLine: run.stdout.trimEnd().split("\n").at(-1) };
}

function readResult(root: string, name: string): RunResult {
  return JSON.parse(readFileSync(join(root, ".cache/test-results", name), "utf8")) as RunResult;
}
