/** A word as a shell takes it, whatever is in it. */
export function quoteWord(word: string): string {
  return /^[\w./@:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
