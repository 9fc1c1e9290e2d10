/**
 * The evidence gate: whether a change may be called verified. Pure; everything it looks at was made by Sylk's own process.
 *
 *   tests passed on exactly this content, by a command of the base commit or the user, and nothing they rely on was changed
 */
import type { Check } from "../../contract/index.ts";
import { isTestFile } from "../../platform/is-test-file.ts";
import type { FileChange } from "../sessions/index.ts";

type Terms = {
  readonly checks: readonly Check[];
  readonly contentHash: string;
  readonly changes: readonly FileChange[];
  readonly approvedEvidence: boolean;
};

export type Verdict =
  | { readonly status: "verified" }
  | {
      readonly status: "unverified";
      readonly reason: string;
      /** A person may accept it nevertheless. */ readonly approvable: boolean;
      readonly details: readonly string[];
    };

export function judgeEvidence({ checks, contentHash, changes, approvedEvidence }: Terms): Verdict {
  if (changes.length === 0) return unverified("nothing was changed");
  const tests = lastOf(checks, "tests");
  const inspection = lastOf(checks, "inspection");
  if (tests === undefined || tests.outcome === "not-run")
    return unverified(`the tests were not run${tests === undefined ? "" : `: ${tests.summary}`}`);
  if (tests.outcome !== "pass") return unverified(`tests: ${tests.summary}`);
  // A project may have no linter. One that it names and that could not be run says nothing good about the change.
  const isUnnamed = inspection?.outcome === "not-run" && inspection.command === undefined;
  if (inspection !== undefined && inspection.outcome !== "pass" && !isUnnamed)
    return unverified(`inspection: ${inspection.summary}`);
  const old = [tests, inspection].find(
    (check) => check !== undefined && check.outcome === "pass" && check.contentHash !== contentHash,
  );
  if (old !== undefined) return unverified(`the change was edited after its ${old.kind}`);
  const relied = changes.filter(isReliedOn).map(({ kind, path }) => `${kind} ${path}`);
  if (relied.length > 0 && !approvedEvidence)
    return {
      status: "unverified",
      reason: "the change touches what its checks rely on",
      approvable: true,
      details: relied,
    };
  return { status: "verified" };
}

function unverified(reason: string): Verdict {
  return { status: "unverified", reason, approvable: false, details: [] };
}

function lastOf(checks: readonly Check[], kind: Check["kind"]): Check | undefined {
  return checks.filter((check) => check.kind === kind).at(-1);
}

const configFile = new RegExp(
  [
    "(^|/)(package(-lock)?\\.json|deno\\.jsonc?|[jt]sconfig[^/]*\\.json|tslint\\.json|(nx|turbo|lerna)\\.json|go\\.(mod|sum|work)|build\\.rs|conftest\\.py|noxfile\\.py|setup\\.py|[^/]*\\.(toml|ini|cfg|lock|lockb)|pnpm-[^/]*\\.yaml|requirements[^/]*\\.txt|(Make|Rake|Just|Gem|Docker)file|CMakeLists\\.txt|pom\\.xml|build\\.gradle(\\.kts)?)$",
    "(^|/)\\.[^/]*rc(\\.\\w+)?$", // .npmrc, .eslintrc.json, .mocharc.yml, …
    "(^|/)[^/]+\\.(config|conf|setup|workspace)\\.\\w+$", // vite.config.ts, karma.conf.js, jest.setup.ts, …
    "(^|/)\\.?[\\w-]*(eslint|oxlint|prettier|biome|vitest|jest|mocha|babel|ruff|golangci|flake8)[\\w.-]*$",
    "(^|/)\\.(gitignore|gitattributes|gitmodules|env[^/]*|node-version|nvmrc|tool-versions)$", // what is in the tree, and what runs it
    "(^|/)(\\.github|\\.husky|\\.cargo|\\.sylk|scripts)/",
  ].join("|"),
  "i",
);

/**
 * By name, whatever the language: one too many asks a person, one too few lets a change weaken what judges it. A new test
 * file only adds checks; a changed or removed one, and any script or configuration, may weaken them.
 */
function isReliedOn({ path, kind }: FileChange): boolean {
  return configFile.test(path) || (kind !== "added" && isTestFile(path));
}
