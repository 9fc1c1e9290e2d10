/** The corpus of guarded commands as data, and how its outcomes are counted; test/security runs a sample of it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CorpusCommand } from "../corpus/corpus-command.ts";
import { halves } from "../corpus/halves.ts";
import type { Outcome } from "../corpus/run-corpus.ts";
import { sampleOf } from "../corpus/sample.ts";
import { missedLimits, renderTable } from "../corpus/tally.ts";

const all = Object.values(halves).flat();

it.each(Object.entries(halves))("has enough commands in the %s half, each with an id of its own", (name, half) => {
  const writers = half.filter(({ writes }) => writes === "held");
  const [mostly, others] = name === "fourth" ? [80, 40] : [180, 100];
  expect(writers.length).toBeGreaterThanOrEqual(mostly);
  expect(half.length - writers.length).toBeGreaterThanOrEqual(others);
  expect(new Set(half.map(({ id }) => id)).size).toBe(half.length);
});

it("has no command twice", () => {
  const commands = all.map(({ command }) => command);
  expect(commands.filter((command, at) => commands.indexOf(command) !== at)).toEqual([]);
});

it("chooses the same sample for the same seed, without repeating a row, and from each class while there is room", () => {
  const terms = fc.record({ size: fc.integer({ min: 0, max: all.length + 5 }), seed: fc.integer({ min: 1 }) });
  const classes = new Set(all.map((row) => row.class)).size;
  fc.assert(
    fc.property(terms, ({ size, seed }) => {
      const chosen = sampleOf(all, size, seed);
      expect(chosen).toEqual(sampleOf(all, size, seed));
      expect(new Set(chosen).size).toBe(Math.min(size, all.length));
      expect(new Set(chosen.map((row) => row.class)).size).toBe(Math.min(size, classes));
    }),
    { numRuns: 50 },
  );
});

describe("counting outcomes", () => {
  const row = (terms: Partial<CorpusCommand> = {}): CorpusCommand => ({
    id: "a-01",
    class: "a",
    writes: "held",
    command: "rm src/checkout.ts",
    ...terms,
  });
  const good: Outcome = { row: row(), text: "denied", enforced: "kept", history: "restored" };
  const reads: Outcome = { row: row({ writes: "nothing" }), text: "silent", enforced: "kept" };
  const times = (count: number, outcome: Outcome): Outcome[] => Array.from({ length: count }, () => outcome);

  it("meets all limits with 85 % denied and 1 % of the read-only commands refused", () => {
    const outcomes = [
      ...times(85, good),
      ...times(15, { ...good, text: "remembered" }),
      ...times(99, reads),
      { ...reads, text: "denied" } as const,
    ];
    expect(missedLimits(outcomes)).toEqual([]);
  });

  it.each<readonly [string, Outcome, RegExp]>([
    ["a silent command", { ...good, text: "silent" }, /passed silently/],
    ["a changed file", { ...good, enforced: "changed" }, /1 of 100 commands changed the file/],
    ["a machine that enforces nothing", { ...good, enforced: "not enforced here" }, /without enforcement/],
    ["a lost file", { ...good, history: "lost" }, /1 of 100 files were not restored/],
    ["a reader that fails", { ...reads, ends: "otherwise" }, /1 of 1 read-only commands ended with another exit code/],
    ["a row that claims too much", { row: row(), broken: "the held file did not change" }, /do not do what they claim/],
  ])("misses a limit by %s", (_, outcome, sentence) => {
    expect(missedLimits([...times(99, good), outcome])).toEqual([expect.stringMatching(sentence)]);
  });

  it("misses a limit by 84 % denied, and by 2 % of the read-only commands refused", () => {
    const outcomes = [
      ...times(84, good),
      ...times(16, { ...good, text: "remembered" }),
      ...times(98, reads),
      ...times(2, { ...reads, text: "denied" }),
    ];
    expect(missedLimits(outcomes)).toEqual([
      "text: 84 of 100 commands were denied; the limit is 85 %",
      "text: 2 of 100 read-only commands were refused; the limit is 1 %",
    ]);
  });

  it("misses a limit when no command was run", () => {
    expect(missedLimits([{ row: row(), notRun: "rsync is not installed" }])).toEqual(["no command was run"]);
  });

  it("counts a server outside apart, and a command that was not run as not run", () => {
    const outside: Outcome = { ...good, row: row({ apart: "server outside" }), text: "silent", enforced: "changed" };
    const outcomes: Outcome[] = [good, outside, { row: row(), notRun: "rsync is not installed" }];
    expect(missedLimits(outcomes)).toEqual([]);
    expect(renderTable(outcomes).split("\n").slice(2, 5)).toEqual([
      "| a | 1 | 1 | 0 | 0 | 1 | 0 | 1 | 1 |",
      "| server outside (apart) | 1 | 0 | 0 | 1 | 0 | 1 | 1 | 0 |",
      "| **all** | 2 | 1 | 0 | 1 | 1 | 1 | 2 | 1 |",
    ]);
  });
});
