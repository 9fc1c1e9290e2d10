/**
 * Character classes: `[abc]`, `[a-z]`, `[!x]`, `[^x]`.
 *
 *   "[" -> optional ! or ^ -> letters and ranges -> "]" -> ranges of code points
 *
 * A hyphen at either end is a hyphen. A class never matches `/`, so it never crosses a directory.
 * Invariant: every written member is an ordinary code point, so a class means what it shows.
 */
import { isOrdinary, type Range, type Ranges, rangesOf, SLASH } from "./code-points.ts";
import { InvalidPattern } from "./invalid-pattern.ts";
import { type Letter, readEscape, readLetter } from "./read-escape.ts";

export type ParsedClass = { readonly ranges: Ranges; readonly end: number };

export function parseClass(source: string, open: number): ParsedClass {
  const inverted = source[open + 1] === "!" || source[open + 1] === "^";
  const pairs: Range[] = [];
  let at = open + (inverted ? 2 : 1);
  if (source[at] === "]")
    throw new InvalidPattern(source, open, "the class is empty; write \\] for a bracket inside a class");
  while (source[at] !== "]") {
    const low = readMember(source, at, open);
    const high = isHyphenOfRange(source, low.end) ? readMember(source, low.end + 1, open) : low;
    if (high.codePoint < low.codePoint)
      throw new InvalidPattern(source, at, "the range runs backwards; write the lower end first");
    if (high !== low && isHyphenOfRange(source, high.end))
      throw new InvalidPattern(source, high.end, "a hyphen after a range is unclear; write \\-");
    pairs.push([low.codePoint, high.codePoint]);
    at = high.end;
  }
  return { ranges: rangesOf(pairs, inverted), end: at + 1 };
}

function isHyphenOfRange(source: string, at: number): boolean {
  return source[at] === "-" && source[at + 1] !== "]";
}

function readMember(source: string, at: number, open: number): Letter {
  if (at >= source.length)
    throw new InvalidPattern(source, open, "[ has no ]; write \\[ for a bracket, or give the file as a literal path");
  if (source[at] === "[" && /[:.=]/.test(source[at + 1] ?? ""))
    throw new InvalidPattern(source, at, "named classes are not supported; write the range, such as a-z");
  const letter = source[at] === "\\" ? readEscape(source, at) : readLetter(source, at);
  if (letter.codePoint === SLASH)
    throw new InvalidPattern(source, at, "a class never matches /; write {a,/b} for alternatives with a slash");
  if (!isOrdinary(letter.codePoint))
    throw new InvalidPattern(
      source,
      at,
      "a combining mark cannot stand alone in a class; write {é,x} for whole letters",
    );
  return letter;
}
