/** The words of a query, as the index parts texts into words. */
const mostWords = 12;

export function queryWords(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, mostWords);
}
