/** The halves of the corpus, each run and published by itself. The second one follows after the parser's last change. */
import type { CorpusCommand } from "./corpus-command.ts";
import { firstHalf } from "./first-half.ts";

export const halves: Readonly<Record<string, readonly CorpusCommand[]>> = { first: firstHalf };
