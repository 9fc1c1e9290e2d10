/** A command line as a POSIX shell splits it: words, 'single' and "double" quotes, a backslash. */
export function wordsOf(line: string): readonly string[] {
  const pieces = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsu;
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, escaped, plain, space] of line.matchAll(pieces)) {
    if (space === undefined) word = (word ?? "") + (single ?? double?.replaceAll(/\\(.)/gs, "$1") ?? escaped ?? plain);
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
