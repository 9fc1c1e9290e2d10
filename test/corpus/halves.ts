/** The halves of the corpus, each run and published by itself. The second one was committed after the parser's last change. */
import type { CorpusCommand } from "./corpus-command.ts";
import { firstHalf } from "./first-half.ts";
import { secondHalf } from "./second-half.ts";

export const halves: Readonly<Record<string, readonly CorpusCommand[]>> = { first: firstHalf, second: secondHalf };
