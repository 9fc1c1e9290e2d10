/**
 * The kind of a claim, computed from the text it cites.
 *
 *   characters that are not seen -> unsupported
 *   quotation marks -> each quotation stands in the cited text, white space aside? -> quoted
 *   else, one sentence of it has every word, number, name and negation of the claim, and is worded so -> supported
 *   else -> unsupported, with the reason
 *
 * Strict on purpose: a paraphrase with a word of its own is unsupported, even a true one. What this calls supported can be
 * read beside the sentence that says it. Pure.
 */
import type { ClaimKind } from "../../contract/index.ts";
import {
  deniedIn,
  isCondition,
  isFraming,
  isNegation,
  isQualifier,
  keyOf,
  namesIn,
  numbersOf,
  oppositeIn,
  type Token,
  tokensOf,
} from "./claim-words.ts";
import { differenceInWording } from "./compare-wording.ts";
import { contentWords } from "./content-words.ts";
import { splitSentences } from "./split-sentences.ts";

export type Judged = { readonly kind: ClaimKind; readonly evidence?: string; readonly reason?: string };

const quotation = /“([^“”]{1,2000})”|"([^"]{1,2000})"|«([^«»]{1,2000})»/g;
/** Words around a quotation that say only where it is from. */
const attribution: ReadonlySet<string> = new Set(
  "according say says said state states stated note notes noted write writes wrote source document text paper article page section quote quoted read reads put puts rfc specification documentation handbook manual guide standard book chapter readme docs site author authors to in on as the".split(
    " ",
  ),
);

/** Marks of direction, joiners, soft hyphens: what is read would not be what was compared. */
const unseen = /\p{Cf}|\p{Cc}|\u034f|[\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}/u;

export function judgeClaim(claim: string, cited: string): Judged {
  if (unseen.test(claim.replaceAll(/[\t\r\n]/g, " ")))
    return { kind: "unsupported", reason: "it has characters that are not seen" };
  const quotations = [...claim.matchAll(quotation)].map(
    ([, round, straight, angled]) => round ?? straight ?? angled ?? "",
  );
  for (const quoted of quotations) {
    const judged = judgeQuotation(quoted, cited);
    if (judged.kind === "unsupported") return judged;
  }
  const [first] = quotations;
  if (first !== undefined && isOnlyAttributed(claim)) return judgeQuotation(first, cited);
  return judgeStatement(claim, cited);
}

/** Shows the sentence around it: a quotation may leave out the word that turns it. */
export function judgeQuotation(quoted: string, cited: string): Judged {
  const wanted = oneSpaced(quoted);
  if (!standsIn(oneSpaced(cited), wanted))
    return { kind: "unsupported", reason: `"${shortened(quoted)}" does not stand in the cited text` };
  const around = splitSentences(cited).find(({ text }) => oneSpaced(text).includes(wanted));
  return { kind: "quoted", evidence: oneSpaced(around?.text ?? quoted) };
}

/** Whole words: "end after 30" does not stand in "end after 300". */
function standsIn(cited: string, wanted: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(wanted)) return false;
  for (let at = cited.indexOf(wanted); at !== -1; at = cited.indexOf(wanted, at + 1))
    if (!isInsideWord(cited, at) && !isInsideWord(cited, at + wanted.length)) return true;
  return false;
}

function isInsideWord(text: string, at: number): boolean {
  return at > 0 && /^(?:[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]|\d[.,:]\d|[.,−-]\d)/u.test(text.slice(at - 1, at + 2));
}

function isOnlyAttributed(claim: string): boolean {
  const rest = tokensOf(claim.replaceAll(quotation, " "));
  return rest.every(({ lower }) => attribution.has(lower) || (contentWords(lower).length === 0 && !isNegation(lower)));
}

function judgeStatement(claim: string, cited: string): Judged {
  const said = tokensOf(claim);
  const words = said.filter(({ lower }) => contentWords(lower).length > 0);
  if (words.length < 2) return { kind: "unsupported", reason: "it is too short to be checked" };
  let closest = { shared: -1, reason: "the cited text has no sentence" };
  for (const { text } of splitSentences(cited)) {
    const given = tokensOf(text);
    const reason = differenceOf(claim, said, words, text, given) ?? differenceInWording(claim, text);
    if (reason === undefined) return { kind: "supported", evidence: oneSpaced(text) };
    const shared = words.filter((word) => given.some((other) => keyOf(other) === keyOf(word))).length;
    if (shared > closest.shared) closest = { shared, reason };
  }
  return { kind: "unsupported", reason: closest.reason };
}

/** Why the sentence does not say what the claim says; undefined where it does. */
function differenceOf(
  claim: string,
  said: readonly Token[],
  words: readonly Token[],
  sentence: string,
  given: readonly Token[],
): string | undefined {
  if (sentence.trimEnd().endsWith("?")) return "the source only asks it";
  const numbers = new Set(numbersOf(given));
  const number = numbersOf(said).find((one) => !numbers.has(one));
  if (number !== undefined) return `the source does not have the number ${number}`;
  const keys = given.map(keyOf);
  const known = new Set(keys);
  const missing = words.find((word) => !known.has(keyOf(word)));
  if (missing !== undefined)
    return namesIn(claim).some((name) => name.includes(missing.text))
      ? `the source does not have the name ${missing.text}`
      : `the source does not have the word "${missing.text}"`;
  const name = namesIn(claim).find(
    (one) => !isFirstWord(one, claim) && !sentence.toLowerCase().includes(one.toLowerCase()),
  );
  if (name !== undefined) return `the source does not have the name ${name}`;
  return differenceInSense(said, words, given, keys, claim.includes(",") || sentence.includes(","));
}

function differenceInSense(
  said: readonly Token[],
  words: readonly Token[],
  given: readonly Token[],
  keys: readonly string[],
  hasComma: boolean,
): string | undefined {
  const wanted = words.map(keyOf);
  if (!isInOrder(wanted, keys, hasComma)) return "the source has the words in another order";
  const { own: near, wide } = around(given, keys, new Set(wanted));
  const narrower = narrowing(given, keys, new Set(wanted));
  if (narrower !== undefined) return `the source says it only of "${narrower}"`;
  const [denied, deniedThere] = [deniedIn(said), deniedIn(wide)];
  if (denied.length > deniedThere.length) return "the claim denies what the source does not deny";
  if (denied.length < deniedThere.length) return "the source denies it";
  if (denied.some((word) => !deniedThere.includes(word))) return "the source denies something else";
  const turned = oppositeIn(said, wide);
  if (turned !== undefined) return `the claim says "${turned[0]}", the source "${turned[1]}"`;
  const conditions = wide.filter(({ lower }) => isCondition(lower));
  const [own, theirs] = [qualifiersOf(said), qualifiersOf([...near, ...conditions])];
  const added = [...own].find((word) => !theirs.has(word));
  if (added !== undefined) return `the source does not say "${added}"`;
  const dropped = [...theirs, ...frames(given)].find((word) => !own.has(word));
  return dropped === undefined ? undefined : `the source says it only with "${dropped}"`;
}

/** A word of the source right before one of the claim's, which the claim leaves out: "unread mail" is not all mail. */
function narrowing(given: readonly Token[], keys: readonly string[], wanted: ReadonlySet<string>): string | undefined {
  const found = given.findIndex(({ lower }, index) => {
    const next = keys[index + 1];
    const isOwn =
      wanted.has(keys[index]!) || isNegation(lower) || isQualifier(lower) || contentWords(lower).length === 0;
    return !isOwn && next !== undefined && wanted.has(next);
  });
  return found === -1 ? undefined : `${given[found]!.text} ${given[found + 1]!.text}`;
}

function qualifiersOf(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.filter(({ lower }) => isQualifier(lower)).map(({ lower }) => lower));
}

function isFirstWord(name: string, claim: string): boolean {
  return claim.replace(/^[^\p{L}`]+/u, "").startsWith(name);
}

function frames(given: readonly Token[]): readonly string[] {
  return given.filter(({ lower }) => isFraming(lower)).map(({ lower }) => lower);
}

/** The part of the sentence that the claim's words are in: itself, and with a little around it. */
function around(given: readonly Token[], keys: readonly string[], wanted: ReadonlySet<string>) {
  const places = keys.flatMap((key, index) => (wanted.has(key) ? [index] : []));
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  return { own: given.slice(Math.max(0, first - 2), last + 1), wide: given.slice(Math.max(0, first - 5), last + 5) };
}

/** The same order; or its beginning and its end changed about, where a comma says that they were. */
function isInOrder(wanted: readonly string[], keys: readonly string[], hasComma: boolean): boolean {
  if (isSubsequence(wanted, keys)) return true;
  if (!hasComma || wanted.length < 3) return false;
  return wanted.some((_, at) => at > 0 && isSubsequence([...wanted.slice(at), ...wanted.slice(0, at)], keys));
}

function isSubsequence(wanted: readonly string[], keys: readonly string[]): boolean {
  let at = 0;
  for (const key of keys) if (key === wanted[at]) at++;
  return at === wanted.length;
}

export function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function shortened(text: string): string {
  const plain = oneSpaced(text);
  return plain.length <= 80 ? plain : `${plain.slice(0, 79)}…`;
}
