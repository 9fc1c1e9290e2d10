import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import type { AgentCall } from "../testkit.ts";
import { listFindings } from "./index.ts";
import { aFinding, scratchFindings } from "./testkit.ts";

const names = ["heron", "otter", "lynx"] as const;
const report = fc.record({
  by: fc.constantFrom(...names),
  line: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  path: fc.constantFrom("a.ts", "b.ts"),
  category: fc.constantFrom("types", "tests"),
  severity: fc.constantFrom("blocking", "important", "informational"),
  model: fc.constantFrom("opus", "gpt", undefined),
});
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never;

it("makes the same findings of the same reports in whatever order they come [FIND-4]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(report, { minLength: 2, maxLength: 10 })
        .chain((reports) =>
          fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
        ),
      async ([reports, shuffled]) => {
        const [one, other] = [await findingsOf(reports), await findingsOf(shuffled)];
        expect(other).toEqual(one);
        expect(one.length).toBe(clusters(reports));
      },
    ),
    { numRuns: 20 },
  );
});

/** What all reports together say of each finding; which report came first gives only id and wording. */
async function findingsOf(reports: readonly Report[]): Promise<readonly string[]> {
  using world = scratchFindings();
  const calls = new Map<string, AgentCall>();
  for (const name of names) calls.set(name, await world.ports.caller(name));
  for (const { by, line, path, category, severity, model } of reports) {
    const files = [{ path, ...(line === undefined ? {} : { line }) }];
    const wanted = aFinding(1, { files, category, severity, ...(model === undefined ? {} : { model }) });
    await world.add(calls.get(by)!, wanted);
  }
  const { items } = await listFindings(
    parseInput(operations["finding.list"], { limit: 200 }),
    calls.get("heron")!.caller,
    world.findings,
  );
  return items
    .map(({ category, severity, files, agreement }) =>
      JSON.stringify([
        category,
        severity,
        files.map(({ path, line }) => `${path}:${line ?? ""}`).toSorted(),
        agreement,
      ]),
    )
    .toSorted();
}

/** By brute force: reports of one file and category, sorted by line, break where two are more than three lines apart. */
function clusters(reports: readonly Report[]): number {
  const groups = new Map<string, number[]>();
  for (const { path, category, line } of reports) {
    const key = `${path} ${category} ${line === undefined}`;
    groups.set(key, [...(groups.get(key) ?? []), line ?? 0]);
  }
  return [...groups.values()]
    .map(
      (lines) =>
        lines.toSorted((a, b) => a - b).filter((line, index, all) => index === 0 || line - all[index - 1]! > 3).length,
    )
    .reduce((sum, count) => sum + count, 0);
}
