/** A part of the corpus that a seed chooses: every class has its share, so that a small sample leaves none out. */
import { seededRandom } from "../crash/random.ts";
import type { CorpusCommand } from "./corpus-command.ts";

export function sampleOf(rows: readonly CorpusCommand[], size: number, seed: number): readonly CorpusCommand[] {
  const random = seededRandom(seed);
  const classes = new Map<string, CorpusCommand[]>();
  for (const row of rows) classes.set(row.class, [...(classes.get(row.class) ?? []), row]);
  const chosen: CorpusCommand[] = [];
  while (chosen.length < Math.min(size, rows.length)) {
    for (const left of [...classes.values()].filter((list) => list.length > 0)) {
      if (chosen.length === size) break;
      chosen.push(...left.splice(random.between(0, left.length - 1), 1));
    }
  }
  return chosen;
}
