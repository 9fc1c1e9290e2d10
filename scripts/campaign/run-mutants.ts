/**
 * Breaks the product on purpose in a copy of the tree, one replacement at a time, and runs the tests that carry the id.
 *
 *   copy of the tree -> tests pass -> one replacement -> they must fail -> the file is as it was -> the next
 *
 * A break counts as noticed only when a test with the id in its title failed: a build that fails notices nothing.
 */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RunResult } from "../test-run/test-result.ts";
import type { Mutant } from "./mutants/index.ts";

export type Verdict = "noticed" | "survived" | "not run";
export type MutantResult = Mutant & { readonly verdict: Verdict; readonly why: string };

export function runMutants(
  root: string,
  mutants: readonly Mutant[],
  onResult: (result: MutantResult) => void,
): readonly MutantResult[] {
  const tree = copyTree(root);
  try {
    return Object.values(Object.groupBy(mutants, ({ test }) => test)).flatMap((group) => {
      const all = group ?? [];
      const before = failedIds(tree, all[0]!.test, [...new Set(all.map(({ id }) => id))]);
      return all.map((mutant) => {
        const result = { ...mutant, ...(before.broken ?? judge(tree, mutant)) };
        onResult(result);
        return result;
      });
    });
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

type Judged = Pick<MutantResult, "verdict" | "why">;

function judge(tree: string, { id, file, from, to, test }: Mutant): Judged {
  const path = join(tree, file);
  const text = readFileSync(path, "utf8");
  const places = text.split(from).length - 1;
  if (places !== 1) return { verdict: "not run", why: `${file} contains the text ${places} times, not once` };
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const { failed, ran } = failedIds(tree, test, [id]);
    if (failed.length > 0) return { verdict: "noticed", why: failed[0]! };
    return ran ? { verdict: "survived", why: "every test passed" } : { verdict: "not run", why: "no test ran" };
  } finally {
    writeFileSync(path, text);
  }
}

/** Titles of failed tests that carry one of the ids. `broken`: the unchanged tree does not pass. */
function failedIds(
  tree: string,
  test: string,
  ids: readonly string[],
): { readonly failed: readonly string[]; readonly ran: boolean; readonly broken?: Judged } {
  const results = join(tree, ".cache", "test-results", "partial-run.json");
  rmSync(results, { force: true });
  const carries = `\\b(${ids.join("|")})\\b`;
  const { stdout, stderr } = spawnSync(process.execPath, ["scripts/run-tests.ts", test, "-t", carries], {
    cwd: tree,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: 900_000,
  });
  const { tests } = readRun(results);
  const failed = tests.filter(({ status, title }) => status === "failed" && new RegExp(carries).test(title));
  const passed = tests.some(({ status }) => status === "passed");
  const isGood = passed && tests.every(({ status }) => status === "passed");
  const said = `${stdout}${stderr}`.trimEnd().split("\n").slice(-30).join("\n");
  return {
    failed: failed.map(({ title }) => title),
    ran: passed,
    ...(isGood ? {} : { broken: { verdict: "not run", why: `the tests fail without any break: ${said}` } }),
  };
}

function readRun(file: string): Pick<RunResult, "tests"> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RunResult;
  } catch {
    return { tests: [] }; // the run did not get as far as a result
  }
}

/** Every file git would see, with the installed packages beside them. */
function copyTree(root: string): string {
  const tree = mkdtempSync(join(tmpdir(), "sylk-mutants-"));
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  for (const path of stdout.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    cpSync(join(root, path), join(tree, path), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  spawnSync("git", ["init", "--quiet"], { cwd: tree });
  // A link is not a folder: the tree's own list of ignored folders does not name it.
  appendFileSync(join(tree, ".git", "info", "exclude"), "node_modules\n");
  return tree;
}
