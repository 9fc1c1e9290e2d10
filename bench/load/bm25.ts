/** The baseline of retrieval: BM25 over whole files, identifiers kept and split. No weights, no endings, no paths. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [saturation, lengthShare] = [1.2, 0.75];

type Counted = { readonly path: string; readonly counts: ReadonlyMap<string, number>; readonly length: number };

/** A function from a query to paths, the best first. */
export function bm25Over(tree: string, paths: readonly string[]): (query: string) => readonly string[] {
  const files = paths.map((path): Counted => {
    const words = wordsOf(readFileSync(join(tree, path), "utf8"));
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { path, counts, length: words.length };
  });
  const meanLength = files.reduce((sum, { length }) => sum + length, 0) / files.length;
  const rarity = (word: string): number => {
    const having = files.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (files.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const words = [...new Set(wordsOf(query))].map((word) => ({ word, rarity: rarity(word) }));
    const scoreOf = ({ counts, length }: Counted): number => {
      const norm = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
      return words.reduce((sum, { word, rarity: rare }) => {
        const count = counts.get(word) ?? 0;
        return sum + (rare * count * (saturation + 1)) / (count + norm);
      }, 0);
    };
    return files
      .map((file) => ({ path: file.path, score: scoreOf(file) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path }) => path);
  };
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((name) => {
    const parts = name.split(/(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
    return (parts.length === 1 ? parts : [name, ...parts]).map((word) => word.toLowerCase());
  });
}
