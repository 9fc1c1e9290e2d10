/**
 * The sets of the corpus, each run and published by itself. The second one was committed after the parser's last change;
 * the author of the third one has not read the parser; the fourth one was written after its mending, before it was asked.
 */
import type { CorpusCommand } from "./corpus-command.ts";
import { firstHalf } from "./first-half.ts";
import { secondHalf } from "./second-half.ts";
import { fourthSet } from "./fourth-set.ts";
import { thirdSet } from "./third-set.ts";

/** Its author could not know which commands the others have already. */
const seen = new Set([...firstHalf, ...secondHalf].map(({ command }) => command));

export const halves: Readonly<Record<string, readonly CorpusCommand[]>> = {
  first: firstHalf,
  second: secondHalf,
  third: thirdSet.filter(({ command }) => !seen.has(command)),
  fourth: fourthSet,
};
