/** Joins requirements with test results; pure. */
import type { Requirement } from "./requirements.ts";
import type { TestResult } from "./test-run/test-result.ts";

/** In the order they are shown. `later` ids are counted apart only as long as no test carries them. */
export const statuses = ["passed", "failed", "skipped", "no test", "later", "unknown"] as const;
export type Status = (typeof statuses)[number];

/** `files`: the test files that carry the id, each once. */
export type RequirementStatus = { id: string; status: Status; files: readonly string[] };
export type AreaStatus = { area: string; requirements: RequirementStatus[] };

/** `tests` is undefined when there is no result that belongs to the tree. */
export function statusByArea(
  requirements: readonly Requirement[],
  tests: readonly TestResult[] | undefined,
): AreaStatus[] {
  const carriers = tests === undefined ? undefined : groupById(tests);
  const areas = new Map<string, AreaStatus>();
  for (const requirement of requirements) {
    const area = areas.get(requirement.area) ?? { area: requirement.area, requirements: [] };
    const files = new Set((carriers?.get(requirement.id) ?? []).flatMap(({ file }) => file ?? []));
    area.requirements.push({
      id: requirement.id,
      status: statusOf(requirement, carriers),
      files: [...files].toSorted(),
    });
    areas.set(requirement.area, area);
  }
  return [...areas.values()];
}

function statusOf({ id, later }: Requirement, carriers: Map<string, TestResult[]> | undefined): Status {
  if (carriers === undefined) return "unknown";
  const tests = carriers.get(id) ?? [];
  if (tests.length === 0) return later ? "later" : "no test";
  if (tests.some((test) => test.status === "failed")) return "failed";
  return tests.some((test) => test.status === "skipped") ? "skipped" : "passed";
}

function groupById(tests: readonly TestResult[]): Map<string, TestResult[]> {
  const carriers = new Map<string, TestResult[]>();
  for (const test of tests) for (const id of idsIn(test.title)) carriers.set(id, [...(carriers.get(id) ?? []), test]);
  return carriers;
}

/** Ids stand in brackets, `[RSV-1, RSV-4]`; the rule is checked by scripts/check/test-rules.ts. */
function idsIn(title: string): Set<string> {
  const groups = [...title.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? "");
  return new Set(groups.flatMap((group) => group.match(/\b[A-Z]+-\d+\b/g) ?? []));
}
