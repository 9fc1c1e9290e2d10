import fc from "fast-check";
import { expect, it } from "vitest";
import { scratchPorts, type AgentCall, type ScratchPorts } from "../../testkit.ts";
import { input } from "../testkit.ts";
import { exportLines } from "./export-lines.ts";
import { importLines } from "./import-lines.ts";
import { fieldsOfBody, Issue, textOfIssue } from "./issue.ts";
import { issueFile } from "./testkit.ts";

async function importAll(lines: readonly string[], call: AgentCall, ports: ScratchPorts, size = 7) {
  const answers = [];
  for (let start = 0; start < lines.length; start += size) {
    const part = { lines: lines.slice(start, start + size), firstLine: start + 1 };
    answers.push(await importLines(input("work-item.import", part), call, ports));
  }
  return answers;
}
async function exportAll({ caller }: AgentCall, ports: ScratchPorts, limit = 5): Promise<readonly string[]> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await exportLines(
      input("work-item.export", { limit, ...(cursor === undefined ? {} : { cursor }) }),
      caller,
      ports,
    );
    lines.push(...page.lines);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return lines;
}

it(
  "gives every line back byte for byte, in the file's order, whatever stands in it [WRK-12]",
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(issueFile(20), async (lines) => {
        using ports = scratchPorts();
        const heron = await ports.caller("heron");
        const answers = await importAll(lines, heron, ports);
        expect(answers.flatMap(({ refusedLinks }) => refusedLinks)).toEqual([]);
        expect(answers.reduce((sum, { added }) => sum + added, 0)).toBe(lines.length);
        expect(await exportAll(heron, ports)).toEqual(lines);
        const again = await importAll(lines, heron, ports, 100);
        expect(again).toMatchObject([{ added: 0, changed: 0, unchanged: lines.length }]);
      }),
      { numRuns: 20 },
    );
  },
);

it("gives the same file from a store that imported the export [WRK-12]", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(issueFile(8), async (lines) => {
      using first = scratchPorts();
      const heron = await first.caller("heron");
      await importAll(lines, heron, first);
      using second = scratchPorts();
      const otter = await second.caller("otter");
      await importAll(await exportAll(heron, first), otter, second);
      expect(await exportAll(otter, second)).toEqual(lines);
    }),
    { numRuns: 5 },
  );
});

it("takes a body apart into the fields it was put together from", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => !text.includes("## "));
  const some = fc.record(
    { description: part, design: part, acceptance_criteria: part, notes: part },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(some, (said) => {
      const { body } = textOfIssue(Issue.parse({ id: "bd-1", title: "t", ...said }));
      expect(JSON.parse(JSON.stringify(fieldsOfBody(body)))).toEqual(said);
    }),
  );
});
