import fc from "fast-check";
import { expect, it } from "vitest";
import type { Check } from "../../contract/index.ts";
import type { FileChange } from "../sessions/index.ts";
import { judgeEvidence } from "./evidence-gate.ts";

const hash = fc.constantFrom("tree-1", "tree-2", "tree-3");
const check: fc.Arbitrary<Check> = fc.record({
  kind: fc.constantFrom("inspection", "tests"),
  round: fc.nat(2),
  outcome: fc.constantFrom("pass", "fail", "not-run", "no-tests", "timed-out"),
  summary: fc.string({ maxLength: 5 }),
  contentHash: fc.option(hash, { nil: undefined }),
  at: fc.nat(),
});
const change: fc.Arbitrary<FileChange> = fc.record({
  kind: fc.constantFrom("added", "modified", "deleted"),
  path: fc.constantFrom("src/a.ts", "lib/b.py", "test/a.test.ts", "package.json", "scripts/lint.mjs", "README.md"),
});
const terms = fc.record({
  checks: fc.array(check, { maxLength: 6 }),
  contentHash: hash,
  changes: fc.array(change, { maxLength: 4 }),
  approvedEvidence: fc.boolean(),
});

it("calls nothing verified without passed tests of exactly this content, whatever else is there [RUN-6]", () => {
  fc.assert(
    fc.property(terms, (given) => {
      if (judgeEvidence(given).status !== "verified") return;
      const last = (kind: Check["kind"]) => given.checks.filter((one) => one.kind === kind).at(-1);
      expect(last("tests")).toMatchObject({ outcome: "pass", contentHash: given.contentHash });
      const inspection = last("inspection");
      if (inspection?.outcome !== "not-run" || inspection.command !== undefined)
        expect(inspection ?? { outcome: "pass", contentHash: given.contentHash }).toMatchObject({
          outcome: "pass",
          contentHash: given.contentHash,
        });
      expect(given.changes.length).toBeGreaterThan(0);
      const relied = given.changes.filter(
        ({ path, kind }) => /package|scripts/.test(path) || (/test/.test(path) && kind !== "added"),
      );
      expect(given.approvedEvidence || relied.length === 0).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

it("is moved by an approval from unverified to verified only, and only where it asked for one [RUN-6]", () => {
  fc.assert(
    fc.property(terms, (given) => {
      const without = judgeEvidence({ ...given, approvedEvidence: false });
      const approved = judgeEvidence({ ...given, approvedEvidence: true });
      if (without.status === "verified" || !without.approvable) expect(approved).toEqual(without);
      else expect(approved).toEqual({ status: "verified" });
    }),
    { numRuns: 3_000 },
  );
});
