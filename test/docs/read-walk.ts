/**
 * The steps of a page that a reader takes in a repository of their own, in the order of the page.
 *
 *   ```console walk              typed on a terminal; `$ command`, then what it prints
 *   ```sh walk                   typed likewise; what it prints is not said
 *   ... walk answers=y           a line that ends with this word is a question, and the word is what the reader types
 *   ... walk only=python         a step for some repositories
 *   ```text walk                 what a client's session is told
 *   <!-- walk: what happens -->  before a block: what the reader does outside of the shell
 */
import { examplesOf, readBlocks, valueOf, type Block, type Example } from "./read-examples.ts";
import type { Answer } from "./terminal-shell.ts";

export type WalkStep =
  | { readonly kind: "happens"; readonly what: string }
  | { readonly kind: "told"; readonly line: number; readonly text: readonly string[] }
  | ({ readonly kind: "typed"; readonly answers: readonly Answer[]; readonly only: string | undefined } & Example);

export function readWalk(page: string): readonly WalkStep[] {
  const blocks = readBlocks(page);
  return blocks.flatMap((block, index) => (block.words.includes("walk") ? stepsOf(block, blocks[index + 1]) : []));
}

function stepsOf(block: Block, next: Block | undefined): readonly WalkStep[] {
  const [, what] = /^<!-- walk: (.+) -->$/.exec(block.before) ?? [];
  const happens: readonly WalkStep[] = what === undefined ? [] : [{ kind: "happens", what }];
  if (block.language === "text") return [...happens, { kind: "told", line: block.line + 1, text: block.lines }];
  const answers = valueOf(block.words, "answers")?.split(",") ?? [];
  const only = valueOf(block.words, "only");
  const typed = examplesOf(block, next).map((example) => ({
    kind: "typed" as const,
    only,
    answers: answersIn(example.output ?? [], answers),
    ...example,
  }));
  return [...happens, ...typed];
}

/** The lines of a transcript that end with an answer: before it is the question, as the program prints it. */
function answersIn(output: readonly string[], answers: readonly string[]): readonly Answer[] {
  const asked = output.map((line) => /^(.*\S) (\S+)$/.exec(line));
  return asked.flatMap((match) =>
    match !== null && answers.includes(match[2]!) ? [{ question: match[1]!, answer: match[2]! }] : [],
  );
}
