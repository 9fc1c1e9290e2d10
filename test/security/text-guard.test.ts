/** The text column of the corpus, without running a command; the campaign runs them. */
import { afterAll, expect, it } from "vitest";
import type { CorpusCommand } from "../corpus/corpus-command.ts";
import { halves } from "../corpus/halves.ts";
import { openTextJudge } from "../corpus/judge-text.ts";
import type { Outcome } from "../corpus/run-corpus.ts";
import { sampleOf } from "../corpus/sample.ts";
import { missedLimits } from "../corpus/tally.ts";

const judge = openTextJudge();
afterAll(() => judge[Symbol.asyncDispose]());

async function sampled(half: readonly CorpusCommand[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of sampleOf(half, 150, 7)) outcomes.push(await judge.run(row));
  return outcomes;
}

it.each(["first", "second", "third", "fourth"])(
  "denies at least 85 % of the writes of the %s set, lets none pass silently, refuses at most 1 % of what only reads",
  async (name) => {
    const missed = missedLimits(await sampled(halves[name]!));
    expect(missed.filter((sentence) => sentence.startsWith("text"))).toEqual([]);
  },
);

const row = (command: string): CorpusCommand => ({ id: "tree-01", class: "tree", writes: "held", command });

it.each([
  "cd .. && mv shop shop.old",
  "mv ../shop ../shop.old",
  "mv {root} {root}.old",
  "rm -rf ..",
  "mv .. ../../elsewhere",
  "cd / && chmod -R 700 {root}/..",
  "node -e \"fs.rmSync('..', { recursive: true })\"",
])("denies %j, which takes the whole tree or a folder above it", async (command) => {
  expect(await judge.run(row(command))).toMatchObject({ text: "denied" });
});

it.each(["cp -r . ../copy", "mv ../other ../another", "mkdir ../new", "rm -rf ../new"])(
  "lets %j pass, which lies beside the tree",
  async (command) => {
    expect(await judge.run(row(command))).toMatchObject({ text: "silent" });
  },
);
