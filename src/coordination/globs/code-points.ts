/**
 * Code points and sets of them, the letters over which paths and patterns are compared.
 *
 *   text -> NFC -> code points;  [a-z] -> ranges -> meet with another class -> one letter both allow
 *
 * Paths are compared in NFC, where a combining mark belongs to the letter before it. A letter put together from two
 * patterns must still be NFC, or a witness would change when it is read back. So a class allows only *ordinary* code
 * points, which are printable and stand alone under normalisation, and a mark in a glob must follow its letter (see `parse-pattern.ts`).
 * Invariant: ranges are ascending and disjoint, without `/`, and begin and end with an ordinary code point. So where two
 * overlap, their overlap begins with one: whether classes meet is plain arithmetic, without tables and without a search.
 */
export type Range = readonly [low: number, high: number];
export type Ranges = readonly Range[];

export const SLASH = 0x2f;
export const DOT = 0x2e;
const LAST = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;
/** a-z, then 0-9. */
const READABLE: Ranges = [
  [0x61, 0x7a],
  [0x30, 0x39],
];

/** Code points that may join the one before: marks, Hangul vowels and tails, one Kirat Rai vowel. A test holds this against Unicode. */
const JOINING = /[\p{M}\u1161-\u1175\u11a8-\u11c2\u{16d67}]/u;
/** Below this every code point but the control characters is ordinary; spares the common case a regular expression. */
const FIRST_MARK = 0x300;

export function joinsPrevious(codePoint: number): boolean {
  return codePoint >= FIRST_MARK && JOINING.test(String.fromCodePoint(codePoint));
}

export function isOrdinary(codePoint: number): boolean {
  if (codePoint < FIRST_MARK) return !isControl(codePoint);
  if (isSurrogate(codePoint)) return false;
  const text = String.fromCodePoint(codePoint);
  return !JOINING.test(text) && text.normalize("NFC") === text;
}

function isControl(codePoint: number): boolean {
  return codePoint < 0x20 || (codePoint >= 0x7f && codePoint <= 0x9f);
}

/** Sorts, merges and, for `[!x]`, inverts. */
export function rangesOf(pairs: Ranges, inverted: boolean): Ranges {
  const merged = merge(inverted ? [...pairs, [SLASH, SLASH]] : pairs);
  const allowed = inverted ? invert(merged) : intersectRanges(merged, NOT_SLASH);
  return allowed.map(trim).filter(([low, high]) => low <= high);
}

export function contains(ranges: Ranges, codePoint: number): boolean {
  return ranges.some(([low, high]) => low <= codePoint && codePoint <= high) && isOrdinary(codePoint);
}

/**
 * One code point of the ranges, if there is any; a letter or digit where possible, since people read it. Anything is better
 * than `.`: a segment of dots alone is not a path, and nothing can follow a dot that could not follow another letter in its place.
 */
export function pickFrom(ranges: Ranges): number | undefined {
  const [range] = [...intersectRanges(READABLE, ranges), ...ranges.filter(([low]) => low !== DOT), ...ranges];
  return range?.[0];
}

export function intersectRanges(a: Ranges, b: Ranges): Ranges {
  const shared: Range[] = [];
  for (const [lowA, highA] of a) {
    for (const [lowB, highB] of b) {
      const low = Math.max(lowA, lowB);
      const high = Math.min(highA, highB);
      if (low <= high) shared.push([low, high]);
    }
  }
  return shared;
}

function trim([low, high]: Range): Range {
  let first = low;
  let last = high;
  while (first <= last && !isOrdinary(first)) first = isSurrogate(first) ? LAST_SURROGATE + 1 : first + 1;
  while (first <= last && !isOrdinary(last)) last = isSurrogate(last) ? FIRST_SURROGATE - 1 : last - 1;
  return [first, last];
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= FIRST_SURROGATE && codePoint <= LAST_SURROGATE;
}

function merge(pairs: Ranges): Ranges {
  const merged: [number, number][] = [];
  for (const [low, high] of [...pairs].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

function invert(ranges: Ranges): Ranges {
  const gaps: Range[] = [];
  let next = 0;
  for (const [low, high] of ranges) {
    if (low > next) gaps.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

const NOT_SLASH = invert([[SLASH, SLASH]]);
