/**
 * Which keywords a text contains, by whole words: "dag" is not in "dagger", and "compare approaches" is two words in a row.
 *
 * Words are runs of letters and digits, split where small letters meet capitals as well, so `parseImports` holds "imports".
 * Keywords are indexed by their first word: a text costs by its own words, not by how many keywords there are.
 */
export type KeywordMatch = { readonly matched: readonly string[]; readonly score: number };

export type KeywordIndex = {
  /** By owner, only those with a match. Each keyword counts once, by how many words it has: a phrase says more than a word. */
  match(text: string): ReadonlyMap<string, KeywordMatch>;
};

type Owner = { readonly name: string; readonly keywords: readonly string[] };
type Phrase = {
  readonly owner: string;
  readonly keyword: string;
  readonly place: number;
  readonly words: readonly string[];
};

export function createKeywordIndex(owners: readonly Owner[]): KeywordIndex {
  const byFirstWord = Map.groupBy(owners.flatMap(phrasesOf), ({ words }) => words[0]!);
  return {
    match(text) {
      const words = wordsOf(text);
      // With single spaces, and one at each end: a phrase is found by its words and never inside one.
      const line = ` ${words.join(" ")} `;
      const found = [...new Set(words)]
        .flatMap((word) => byFirstWord.get(word) ?? [])
        .filter(({ words: phrase }) => phrase.length === 1 || line.includes(` ${phrase.join(" ")} `));
      return new Map(
        [...Map.groupBy(found, ({ owner }) => owner)].map(([owner, phrases]) => [owner, matchOf(phrases)]),
      );
    },
  };
}

function phrasesOf({ name, keywords }: Owner): readonly Phrase[] {
  return keywords
    .map((keyword, place) => ({ owner: name, keyword, place, words: wordsOf(keyword) }))
    .filter(({ words }) => words.length > 0);
}

function matchOf(phrases: readonly Phrase[]): KeywordMatch {
  const inOrder = phrases.toSorted((one, other) => one.place - other.place);
  return {
    matched: inOrder.map(({ keyword }) => keyword),
    score: phrases.reduce((sum, { words }) => sum + words.length, 0),
  };
}

function wordsOf(text: string): readonly string[] {
  const parts = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return parts ?? [];
}
