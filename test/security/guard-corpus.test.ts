/**
 * A sample of the guarded-command corpus, really run: what the kernel keeps and what local history restores does not
 * depend on a command's text. `npm run campaign:guard` runs all of it.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { noNamespaces } from "../../src/adapters/confinement/testkit.ts";
import { halves } from "../corpus/halves.ts";
import { type Corpus, openCorpus } from "../corpus/run-corpus.ts";
import { sampleOf } from "../corpus/sample.ts";

const seed = 20261117;
const size = 28;
let corpus: Corpus;

beforeAll(async () => (corpus = await openCorpus()));
afterAll(() => corpus[Symbol.asyncDispose]());

it("keeps a held file from commands of every class, and puts back what they overwrite where nothing is enforced [GIT-20, GIT-21]", async ({
  skip,
}) => {
  skip(noNamespaces !== "", noNamespaces);
  const rows = Object.values(halves).flat();
  const fit = rows.filter(
    ({ apart, writes, command }) => apart === undefined && writes === "held" && !/np[mx]/.test(command),
  );
  for (const row of sampleOf(fit, size, seed)) {
    const outcome = await corpus.run(row);
    if (outcome.notRun !== undefined) continue;
    expect(outcome, row.command).toMatchObject({ enforced: "kept", history: "restored" });
  }
});
