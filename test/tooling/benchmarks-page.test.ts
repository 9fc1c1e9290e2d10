/** docs/benchmarks.md is made of kept results as a whole; no figure in it is written by hand. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { benches } from "../../bench/benches/index.ts";
import type { BenchResult, Result } from "../../bench/report/results.ts";
import { readResults, resultOf } from "../../bench/report/results.ts";
import { renderPage } from "../../bench/report/write-report.ts";
import { repository } from "./scratch-folder.ts";

const text = (path: string): string => readFileSync(join(repository, path), "utf8");
const words = text("bench/report/page.md");
const figure = { what: "a call", value: 3, unit: "ms", rounds: [] } as const;
const terms = {
  command: "npm run bench",
  at: "2026-11-18T01:02:03.000Z",
  commit: "abc1234",
  node: "v24",
  cores: "2 x A",
};
const outcome = { bench: "calls", method: "Calls.", seconds: 2, busyBefore: 0.1, figures: [figure] };
const pageOf = (result: Result): string => renderPage("# T\n\n{{calls}}\n", new Map([["calls", result]]));
const bench = (...figures: Parameters<typeof resultOf>[0]["figures"]): BenchResult =>
  resultOf({ ...outcome, figures }, terms);

describe("the page of figures", () => {
  it("is what the kept results and the words say, to the byte: npm run bench:page", () => {
    expect(text("docs/benchmarks.md")).toBe(renderPage(words, readResults(repository)));
  });

  it("has a place for every bench, and a date, a commit and a seed for every result", () => {
    for (const { name } of benches) expect(words).toContain(`\n{{${name}}}\n`);
    for (const [name, { at, commit, seed, command }] of readResults(repository)) {
      expect(at, name).toMatch(/^\d{4}-\d\d-\d\d/);
      expect(commit, name).toMatch(/^[0-9a-f]{7,40}\b/);
      expect(seed === null || Number.isInteger(seed), name).toBe(true);
      expect(command, name).toMatch(/^npm run (bench|campaign:)/);
    }
  });

  it("has no measured figure among its words", () => {
    expect(words.match(/\d[\d.,]*\s?(ms|µs|MB|KB|\/s|x|s)\b/g) ?? []).toEqual([]);
  });

  it("shows a missed target as missed, and says so above the table", () => {
    const page = pageOf(bench({ ...figure, target: { text: "< 2 ms", met: false } }));
    expect(page).toContain("| a call | 3.00 ms |  |  | < 2 ms | **no** |");
    expect(page).toContain("**Missed targets: 1.**");
    expect(pageOf(bench({ ...figure, target: { text: "< 5 ms", met: true } }))).not.toContain("Missed");
  });

  it("calls no two values a median: both are shown", () => {
    expect(pageOf(bench({ ...figure, rounds: [2, 4] }))).toContain("| 2 rounds: 2.00 ms and 4.00 ms |");
    expect(pageOf(bench({ ...figure, rounds: [2, 3, 4] }))).toContain("| 3 rounds: 2.00 ms to 4.00 ms |");
  });

  it("says what was not measured and what failed, and refuses a result without a place", () => {
    expect(pageOf(bench({ ...figure, value: NaN }))).toContain("| a call | not measured |");
    expect(pageOf({ ...bench(), failure: "no disk" })).toContain("**Failed, no figures:** no disk");
    expect(renderPage("{{calls}}\n", new Map())).toContain("Not measured yet");
    expect(() => renderPage("# T\n", new Map([["calls", bench(figure)]]))).toThrow("no place for calls");
  });
});
