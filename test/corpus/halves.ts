/**
 * The sets of the corpus, each run and published by itself. The second one was committed after the parser's last change;
 * the author of the third one has not read the parser.
 */
import type { CorpusCommand } from "./corpus-command.ts";
import { firstHalf } from "./first-half.ts";
import { secondHalf } from "./second-half.ts";
import { thirdSet } from "./third-set.ts";

export const halves: Readonly<Record<string, readonly CorpusCommand[]>> = {
  first: firstHalf,
  second: secondHalf,
  third: thirdSet,
};
