/**
 * Glob text as a tree, and the list of what is refused.
 *
 *   text -> readText (NFC, length, control characters) -> nodes -> checkSegments, alternatives counted -> tree
 *
 *   *        any characters within a segment, also none; dot files too, because protecting more is the safe side
 *   ?        one character within a segment
 *   [a-z] [!x] [^x]   one printable character, of these or not of these; never `/`, never a combining mark alone
 *   **       as a whole segment: any number of segments, also none; at the end at least one (`a/**` is not `a`)
 *   {a,b/c}  alternatives, may nest and hold slashes
 *   \*       the character itself
 *
 * Refused: negation, extended globs, named classes, numeric ranges, and all that has two readings. A combining mark must
 * follow the letter it belongs to; behind a wildcard or a brace it would meet letters with which it changes its code point.
 * Invariant: what is accepted has one meaning, and the tree states it completely.
 */
import { checkSegments } from "./check-segments.ts";
import { joinsPrevious } from "./code-points.ts";
import { InvalidPattern } from "./invalid-pattern.ts";
import { parseClass } from "./parse-class.ts";
import type { PatternNode, PatternSequence } from "./pattern-tree.ts";
import { readEscape, readLetter } from "./read-escape.ts";
import { readText } from "./read-text.ts";

/** Where the parser is. Every parse function leaves it behind what it has read. */
type Cursor = { readonly source: string; at: number };
export type ParsedPattern = { readonly source: string; readonly nodes: PatternSequence };

const MOST_ALTERNATIVES = 256;

export function parsePattern(text: string): ParsedPattern {
  const source = readText(text);
  const nodes = parseSequence({ source, at: 0 }, false);
  countAlternatives(source, nodes);
  checkSegments(source, nodes);
  return { source, nodes };
}

function parseSequence(cursor: Cursor, inBraces: boolean): PatternSequence {
  const nodes: PatternNode[] = [];
  while (cursor.at < cursor.source.length && !(inBraces && ",}".includes(next(cursor)))) {
    nodes.push(parseNode(cursor, nodes.at(-1), inBraces));
  }
  return nodes;
}

function parseNode(cursor: Cursor, previous: PatternNode | undefined, inBraces: boolean): PatternNode {
  const { source, at } = cursor;
  const letter = next(cursor);
  if ("?*+@!".includes(letter) && source[at + 1] === "(") {
    throw refusal(cursor, "extended globs are not supported; write {a,b} for alternatives or \\( for a parenthesis");
  }
  if (letter === "!" && !previous && (at === 0 || inBraces)) {
    throw refusal(cursor, "negation is not supported; name what to reserve, or write \\! for a file name");
  }
  if (letter === "]" || letter === "}") {
    throw refusal(
      cursor,
      `${letter} has no partner; write \\${letter} for the character, or give the file as a literal path`,
    );
  }
  if (letter === "*") return parseStars(cursor);
  if (letter === "[") return parseBrackets(cursor);
  if (letter === "{") return parseChoice(cursor);
  if (letter === "?") return { kind: "any", position: cursor.at++ };
  if (letter === "/") return { kind: "slash", position: cursor.at++ };
  return parseChar(cursor, previous);
}

function parseChar(cursor: Cursor, previous: PatternNode | undefined): PatternNode {
  const { source, at: position } = cursor;
  const isEscape = next(cursor) === "\\";
  const { codePoint, end } = isEscape ? readEscape(source, position) : readLetter(source, position);
  if (joinsPrevious(codePoint) && previous?.kind !== "char") {
    throw refusal(cursor, "a combining mark must follow its letter; put the letter beside it");
  }
  cursor.at = end;
  return { kind: "char", codePoint, position };
}

function parseStars(cursor: Cursor): PatternNode {
  const { source, at: position } = cursor;
  if (source.startsWith("***", position))
    throw refusal(cursor, "at most two stars; write ** as a whole segment, or * within one");
  const kind = source[position + 1] === "*" ? "globstar" : "star";
  cursor.at += kind === "globstar" ? 2 : 1;
  return { kind, position };
}

function parseBrackets(cursor: Cursor): PatternNode {
  const { source, at: position } = cursor;
  const { ranges, end } = parseClass(source, position);
  cursor.at = end;
  return { kind: "class", ranges, position };
}

function parseChoice(cursor: Cursor): PatternNode {
  const { source, at: position } = cursor;
  const options: PatternSequence[] = [];
  do {
    cursor.at++;
    options.push(parseSequence(cursor, true));
  } while (source[cursor.at] === ",");
  if (source[cursor.at] !== "}") {
    throw new InvalidPattern(
      source,
      position,
      "{ has no }; write \\{ for the character, or give the file as a literal path",
    );
  }
  if (options.length < 2) {
    throw new InvalidPattern(source, position, "braces need a comma, as in {a,b}; write \\{ for the character");
  }
  cursor.at++;
  return { kind: "choice", options, position };
}

function next({ source, at }: Cursor): string {
  return source[at] as string;
}

function refusal({ source, at }: Cursor, reason: string): InvalidPattern {
  return new InvalidPattern(source, at, reason);
}

/** Counted as if written out, because that is how many globs the author has asked for. */
function countAlternatives(source: string, nodes: PatternSequence): number {
  let count = 1;
  for (const node of nodes) {
    if (node.kind !== "choice") continue;
    count *= node.options.reduce((sum, option) => sum + countAlternatives(source, option), 0);
    if (count > MOST_ALTERNATIVES) {
      throw new InvalidPattern(
        source,
        node.position,
        `braces make more than ${MOST_ALTERNATIVES} alternatives; use * or several patterns`,
      );
    }
  }
  return count;
}
