/**
 * A sample of the guarded-command corpus, really run: what the kernel keeps and what local history restores does not
 * depend on a command's text. `npm run campaign:guard` runs all of it.
 */
import { beforeAll, expect, it } from "vitest";
import { noNamespaces } from "../../src/adapters/confinement/testkit.ts";
import { halves } from "../corpus/halves.ts";
import { openCorpus, type Outcome } from "../corpus/run-corpus.ts";
import { sampleOf } from "../corpus/sample.ts";

const seed = 20261117;
const size = 14;
const outcomes: Outcome[] = [];

beforeAll(async () => {
  await using corpus = await openCorpus();
  const writers = Object.values(halves)
    .flat()
    .filter(({ apart, writes }) => apart === undefined && writes === "held");
  // npm takes half a second to start; the campaign has the time.
  const quick = writers.filter(({ command }) => !/\bnp[mx]\b/.test(command));
  for (const row of sampleOf(quick, size, seed)) outcomes.push(await corpus.run(row));
}, 180_000);

const run = (): readonly Outcome[] => outcomes.filter(({ notRun }) => notRun === undefined);

it("changes the held file by each command of the sample where nothing stops it", () => {
  expect(outcomes.filter(({ broken }) => broken !== undefined)).toEqual([]);
  expect(run().length).toBeGreaterThan(size / 2);
});

it("puts the holder's last lines back, whatever command overwrote, moved or removed the file [GIT-20]", () => {
  for (const { row, history, detail } of run()) expect(history, `${row.command}: ${detail}`).toBe("restored");
});

it("keeps the held file as it is under commands of every class", ({ skip }) => {
  skip(noNamespaces !== "", noNamespaces);
  for (const { row, enforced, detail } of run()) expect(enforced, `${row.command}: ${detail}`).toBe("kept");
});

it("lets no command of the sample pass without a trace [HLTH-12]", () => {
  for (const { row, text } of run()) expect(text, row.command).not.toBe("silent");
});
