/**
 * Whether a claim is a sentence of the source, or the beginning of one of its parts, word by word.
 *
 *   claim   A lease ends after 300 s                       sentence   The lease ends after 300 seconds and is logged.
 *   equal: articles and possessives aside, numbers with their units, synonyms of the same form
 *
 * A part begins with the sentence or behind a semicolon. Behind the claim the part may end, be joined ("and …", "but …"), or
 * say how often or how long; anything else there may narrow the statement. Where a comma shows it, the two halves of a
 * sentence may change places. This holds for every word: no list of words that turn a statement is needed. Pure.
 */
import { keyOf, type Token, tokensOf, unitOf, valueOf } from "./claim-words.ts";

const determiners: ReadonlySet<string> = new Set("a an the its their his her our your my this these those".split(" "));
const joined: ReadonlySet<string> = new Set(["and", "but"]);
/** What belongs to one of these may reach over an "and": "between 5 and 10", "while it is open and requests fail". */
const spanning: ReadonlySet<string> = new Set(
  "between both either neither if unless until when whenever while once before after because although that which who".split(
    " ",
  ),
);
const measuring: ReadonlySet<string> = new Set(["every", "for"]);
const form = /(?:s|ed|ing|ly|er|est)$/;

/** Undefined where it is; else what differs, for a person. */
export function differenceInWording(claim: string, sentence: string): string | undefined {
  const said = wordsOf(claim);
  const parts = sentence.split(";");
  if (parts.some((part) => isBeginning(said, wordsOf(part)))) return undefined;
  if (isTurnedAbout(claim, sentence)) return undefined;
  const given = wordsOf(sentence);
  for (let at = 1; at + said.length <= given.length; at++)
    if (isSame(said, given.slice(at, at + said.length)))
      return `the source says it only behind "${textOf(given.slice(0, at))}"`;
  const part = parts.map(wordsOf).find((words) => isSame(said, words.slice(0, said.length)));
  if (part !== undefined) return `the source adds "${textOf(part.slice(said.length))}"`;
  return "the source says it in other words";
}

function wordsOf(text: string): readonly Token[] {
  return tokensOf(text).filter(({ lower }) => !determiners.has(lower));
}

function isSame(one: readonly Token[], other: readonly Token[]): boolean {
  return one.length === other.length && one.every((word, index) => isSameWord(word, other[index]!));
}

/** "ends" is "ends"; "ended" is another statement, "end" may be one. */
function isSameWord(one: Token, other: Token): boolean {
  if (one.lower === other.lower) return true;
  const [value, theirs] = [valueOf(one), valueOf(other)];
  if (value !== undefined || theirs !== undefined) return value === theirs;
  if (keyOf(one) !== keyOf(other)) return false;
  return unitOf(one) !== undefined || form.exec(one.lower)?.[0] === form.exec(other.lower)?.[0];
}

function isBeginning(said: readonly Token[], given: readonly Token[]): boolean {
  if (said.length === 0 || !isSame(said, given.slice(0, said.length))) return false;
  const [next, ...rest] = given.slice(said.length);
  if (next === undefined) return true;
  if (joined.has(next.lower))
    return valueOf(said.at(-1)!) === undefined && !said.some(({ lower }) => spanning.has(lower));
  return measuring.has(next.lower) && isMeasure(rest);
}

/** "every 200 ms", "for up to five seconds": up to its end, or until something is joined. */
function isMeasure(words: readonly Token[]): boolean {
  const end = words.findIndex(({ lower }) => joined.has(lower));
  const measure = end === -1 ? words : words.slice(0, end);
  const [unit, value, ...before] = measure.toReversed();
  return (
    unit !== undefined &&
    value !== undefined &&
    valueOf(value) !== undefined &&
    before.every(({ lower }) => lower === "up" || lower === "to")
  );
}

/** "In this mode, readers wait" and "Readers wait in this mode": nothing is left out, and one of them has the comma there. */
function isTurnedAbout(claim: string, sentence: string): boolean {
  return isTurned(claim, sentence) || isTurned(sentence, claim);
}

function isTurned(withComma: string, other: string): boolean {
  const comma = withComma.search(/,\s/);
  if (comma === -1) return false;
  const turned = [...wordsOf(withComma.slice(comma)), ...wordsOf(withComma.slice(0, comma))];
  return isSame(turned, wordsOf(other));
}

function textOf(words: readonly Token[]): string {
  const shown = words.slice(0, 8).map(({ text }) => text);
  return `${shown.join(" ")}${words.length > shown.length ? " …" : ""}`;
}
