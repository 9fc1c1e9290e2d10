/** What a fuzz run counts. */
export type Problem = {
  /** What went wrong: the process or promise broke, no answer, a 5xx, an error without a code, one that is not declared, a change. */
  readonly kind: "crash" | "hang" | "defect" | "untyped" | "undeclared" | "changed" | "unnamed";
  readonly where: string;
  readonly input: string | undefined;
};
type Pairs = { accepted: number; refused: number };
export type Figures = {
  cases: number;
  overHttp: number;
  /** By operation, command or kind of file. */
  readonly by: Map<string, Pairs>;
  readonly problems: Problem[];
};

export function newFigures(): Figures {
  return { cases: 0, overHttp: 0, by: new Map(), problems: [] };
}

export function pairsOf({ by }: Figures, name: string): Pairs {
  const known = by.get(name) ?? { accepted: 0, refused: 0 };
  by.set(name, known);
  return known;
}

export function sumOf({ by }: Figures, which: keyof Pairs): number {
  return [...by.values()].reduce((sum, pairs) => sum + pairs[which], 0);
}
