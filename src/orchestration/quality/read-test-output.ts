/** What a test run says of itself: how many passed and failed. Undefined means it did not say; zero tests is not a pass. */
import { stripVTControlCharacters } from "node:util";

export type TestCounts = { readonly passed: number; readonly failed: number };

/** Each reads one runner's closing lines; the last match counts, because runners repeat themselves. */
const readers: readonly ((text: string) => TestCounts | undefined)[] = [
  (text) => pair(text, /^(?:ℹ|#) pass (\d+)/gm, /^(?:ℹ|#) fail (\d+)/gm), // node:test
  (text) => summary(text, /^\s*Tests:?\s+(.*)$/gm), // vitest, jest
  (text) => pair(text, /(\d+) passing\b/g, /(\d+) failing\b/g), // mocha
  (text) => summary(text, /^(?:=+ )?((?:\d+ \w+, )*\d+ (?:passed|failed|errors?|skipped)\b.*) in [\d.]+s/gm), // pytest
  (text) => pair(text, /^test result: .*? (\d+) passed/gm, /^test result: .*? (\d+) failed/gm, "sum"), // cargo
  (text) => pair(text, /^(ok) {2,}\t?\S+(?!.*\[no tests to run\])/gm, /^(FAIL)\t\S+/gm, "count"), // go test: packages
  unittest,
  (text) => summary(text, /^(\d+ passed, \d+ failed.*)$/gm),
];

export function readTestOutput(output: string): TestCounts | undefined {
  const text = stripVTControlCharacters(output);
  for (const read of readers) {
    const counts = read(text);
    if (counts !== undefined) return counts;
  }
  return undefined;
}

function pair(
  text: string,
  passed: RegExp,
  failed: RegExp,
  how: "last" | "sum" | "count" = "last",
): TestCounts | undefined {
  const passes = [...text.matchAll(passed)].map(([, value]) => value!);
  const failures = [...text.matchAll(failed)].map(([, value]) => value!);
  if (passes.length + failures.length === 0) return undefined;
  if (how === "count") return { passed: passes.length, failed: failures.length };
  const total = (values: readonly string[]): number =>
    how === "sum" ? values.reduce((sum, value) => sum + Number(value), 0) : Number(values.at(-1) ?? 0);
  return { passed: total(passes), failed: total(failures) };
}

function summary(text: string, line: RegExp): TestCounts | undefined {
  const [, words] = [...text.matchAll(line)].at(-1) ?? [];
  if (words === undefined || !/\d+ (passed|failed|error)/.test(words)) return undefined;
  const count = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(words)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed") + count("errors?") };
}

/** Python's own runner counts all tests of a run, then names in brackets those that did not simply pass. */
function unittest(text: string): TestCounts | undefined {
  const closing = /^Ran (\d+) tests? in [\d.]+s\n+(?:OK|FAILED|NO TESTS RAN)(.*)$/gm;
  const [, ran, named = ""] = [...text.matchAll(closing)].at(-1) ?? [];
  if (ran === undefined) return undefined;
  const count = (word: string): number => Number(new RegExp(`[(,] ?${word}=(\\d+)`).exec(named)?.[1] ?? 0);
  const failed = count("failures") + count("errors") + count("unexpected successes");
  return { passed: Math.max(0, Number(ran) - failed - count("skipped")), failed };
}
