/**
 * Which keywords a text contains, by whole words: "dag" is not in "dagger", and "compare approaches" is two words in a row.
 *
 * Words are runs of letters and digits, split where small letters meet capitals as well, so `parseImports` holds "imports".
 */
export type KeywordMatch = { readonly matched: readonly string[]; readonly score: number };

/** Joined by single spaces with one at each end, so that a phrase is found by its words and never inside one. */
export type WordText = string & { readonly __brand: "WordText" };

export function wordsOf(text: string): WordText {
  const parts = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return ` ${(parts ?? []).join(" ")} ` as WordText;
}

/** Each keyword counts once, by how many words it has: a phrase says more than a word. */
export function matchKeywords(words: WordText, keywords: readonly string[]): KeywordMatch {
  const matched: string[] = [];
  let score = 0;
  for (const keyword of keywords) {
    const phrase = wordsOf(keyword);
    if (phrase.trim() === "" || !words.includes(phrase)) continue;
    matched.push(keyword);
    score += phrase.trim().split(" ").length;
  }
  return { matched, score };
}
