/**
 * One row of the guarded-command corpus: a command as an agent types it into its Bash tool, at the root of the fixture.
 *
 * `writes: "held"` claims that the command changes, moves or removes src/checkout.ts; each run checks that claim first.
 */
export type CorpusCommand = {
  readonly id: string;
  readonly class: string;
  readonly writes: "held" | "nothing";
  readonly command: string;
  /** Programs that the command needs beside bash, git, node, perl and the base utilities; without them it is not run. */
  readonly needs?: readonly string[];
  /** The state of the fixture; by default src/checkout.ts is committed and has uncommitted lines. */
  readonly tree?: TreeState;
  /** Counted apart: the kernel cannot cover a server outside the process tree, or another name of the same file. */
  readonly apart?: "server outside" | "hard link";
};

/**
 * `untracked`: git does not know the held file. `clean`: the holder's lines are committed.
 * `hard-linked`: shared/checkout.ts is a second name of the held file.
 */
export type TreeState = "modified" | "untracked" | "clean" | "hard-linked";

type Terms = Pick<CorpusCommand, "needs" | "tree" | "apart">;
type Row = string | readonly [command: string, terms: Terms];

/** Rows of one class; an id is the class and the place in it. */
export function rows(name: string, writes: CorpusCommand["writes"], list: readonly Row[]): readonly CorpusCommand[] {
  return list.map((row, index) => {
    const [command, terms] = typeof row === "string" ? [row, {}] : row;
    const id = `${name.replaceAll(/[^a-z]+/g, "-")}-${String(index + 1).padStart(2, "0")}`;
    return { id, class: name, writes, command, ...terms };
  });
}

export const needs = (...programs: readonly string[]): Terms => ({ needs: programs });
export const inTree = (tree: TreeState): Terms => ({ tree });
