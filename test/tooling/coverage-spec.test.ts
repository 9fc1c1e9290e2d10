/** `npm run coverage:spec` believes only the last full run, and only about the tree it ran on. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { TestResult } from "../../scripts/test-run/test-result.ts";
import { readTreeHash } from "../../scripts/tree-hash.ts";
import { asJson } from "./clean-tree.ts";
import { repository, scratchFolder, writeTree } from "./scratch-folder.ts";

const passed = (title: string): TestResult => ({ title, suite: "unit", status: "passed" });
const failed = (title: string): TestResult => ({ title, suite: "unit", status: "failed" });
const skipped = (title: string): TestResult => ({ title, suite: "unit", status: "skipped", reason: "no network" });

it("counts an id that a test carries and every carrier passed [CORE-27]", () => {
  const root = project([passed("a [CORE-1]"), passed("group [CORE-1] > b [CORE-1, RSV-1]")]);
  const { output, page } = coverage(root);
  expect(idsUnder(page, "passed")).toEqual(["CORE-1", "RSV-1"]);
  expect(output.trimEnd().split("\n").at(-2)).toBe(
    "5 requirements: 2 passed, 0 failed, 0 skipped, 2 no test, 1 later, 0 unknown",
  );
});

it("names the test file and the surface of each id that has a test, in one line [CORE-27]", () => {
  const root = project(
    [
      { ...passed("a [CORE-1]"), file: "test/flows/a.test.ts" },
      { ...passed("b [CORE-1]"), file: "src/b.test.ts" },
      { ...passed("c [RSV-1]"), file: "src/b.test.ts" },
    ],
    { files: { "test/flows/a.test.ts": `daemon.sylk(["who"]);`, "src/b.test.ts": "call();" } },
  );
  const { output, page } = coverage(root);
  expect(page.split("## surfaces\n")[1]!.trim().split("\n").slice(2)).toEqual([
    "- CORE-1: cli, code: src/b.test.ts, test/flows/a.test.ts",
    "- RSV-1: code: src/b.test.ts",
  ]);
  expect(output).toContain("1 of 2 ids with a test are reached from a surface, 1 by code alone");
});

it("does not count an id of which one test failed, whatever else passed [CORE-27]", () => {
  const { page } = coverage(project([passed("a [CORE-1]"), failed("b [CORE-1]"), skipped("c [CORE-1]")]));
  expect(idsUnder(page, "failed")).toEqual(["CORE-1"]);
  expect(idsUnder(page, "passed")).toEqual([]);
});

it("does not count an id of which one test was skipped [CORE-27]", () => {
  const { page } = coverage(project([passed("a [CORE-1]"), skipped("b [CORE-1]")]));
  expect(idsUnder(page, "skipped")).toEqual(["CORE-1"]);
});

it("shows ids without a test, those of a later part apart, and ignores ids outside brackets [CORE-27]", () => {
  const { page } = coverage(project([passed("mentions CORE-1 in prose")]));
  expect(idsUnder(page, "no test")).toEqual(["CORE-1", "CORE-2", "RSV-1", "RSV-2"]);
  expect(idsUnder(page, "later")).toEqual(["CORE-3"]);
});

it("knows nothing once a file has changed, is new or is gone since the run [CORE-27]", () => {
  const changes: ((root: string) => void)[] = [
    (root) => writeTree(root, { "src/main.ts": "changed" }),
    (root) => writeTree(root, { "src/new.ts": "" }),
    (root) => rmSync(join(root, "src/main.ts")),
  ];
  for (const change of changes) {
    const root = project([passed("a [CORE-1]")]);
    change(root);
    expectUnknown(coverage(root), "files changed since the last full run");
  }
});

it("knows nothing when the tree changed during the run, or when only partial runs exist [CORE-27]", () => {
  const changing = project([passed("a [CORE-1]")], { treeHash: null });
  expectUnknown(coverage(changing), "files changed during the last full run");
  const partial = project([passed("a [CORE-1]")], { file: "partial-run.json" });
  expectUnknown(coverage(partial), "there is no result of a full run");
});

it("writes the same page again and is not made stale by it or by the benchmarks page [CORE-27]", () => {
  const root = project([passed("a [CORE-1]")]);
  const first = coverage(root).page;
  writeTree(root, { "docs/benchmarks.md": "# New numbers\n" });
  expect(coverage(root).page).toBe(first);
  expect(idsUnder(first, "passed")).toEqual(["CORE-1"]);
});

/** A repository with five requirements and the result of a run on exactly this tree. */
function project(
  tests: TestResult[],
  options: { treeHash?: null; file?: string; files?: Record<string, string> } = {},
): string {
  const root = scratchFolder();
  execFileSync("git", ["init", "-q"], { cwd: root });
  writeTree(root, {
    ".gitignore": ".cache/\n",
    "docs/requirements/product.md":
      "| Id | Requirement |\n|---|---|\n| CORE-1 | One. |\n| CORE-2 | Two. |\n| CORE-3 | **later** Three. |\n",
    "docs/requirements/rest.md":
      "| ID | Requirement | How |\n|---|---|---|\n| RSV-1 | One. | U |\n| RSV-2 | Two. | U |\n",
    "src/main.ts": "",
    ...options.files,
  });
  const treeHash = options.treeHash === null ? null : readTreeHash(root);
  writeTree(root, { [`.cache/test-results/${options.file ?? "last-run.json"}`]: asJson({ treeHash, tests }) });
  return root;
}

function coverage(root: string): { output: string; page: string } {
  const run = spawnSync(process.execPath, [join(repository, "scripts/coverage-spec.ts"), "--root", root], {
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  return { output: run.stdout, page: readFileSync(join(root, "docs/requirements/status.md"), "utf8") };
}

function idsUnder(page: string, status: string): string[] {
  const section = page.split(`## ${status}\n`)[1]?.split("\n## ")[0] ?? "";
  return section.match(/[A-Z]+-\d+/g) ?? [];
}

function expectUnknown({ output, page }: { output: string; page: string }, why: string): void {
  expect(idsUnder(page, "unknown")).toHaveLength(5);
  expect(idsUnder(page, "passed")).toEqual([]);
  expect(output).toContain(`unknown (stale): ${why}`);
}
