/**
 * What may not differ between a claim and the sentence that is to support it: numbers with their units, negations and what
 * they negate, and the words that narrow or widen a statement ("at most", "may", "only", "no longer").
 */
import { canonical, contentWords, stemOf } from "./content-words.ts";

export type Token = { readonly text: string; readonly lower: string };

/** A number with its sign, a word, a sign of money or of a percentage, a comparison. */
const token =
  /(?<![\p{L}\p{N}])[-−–]?\d+(?:[.,:/–-]\d+)*|[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*|[%‰]|\p{Sc}|[<>=!]=+|[<>=≤≥≠±≈~]/gu;
const negations: ReadonlySet<string> = new Set(
  "not no never none nothing neither nor without cannot nowhere unable lacks lack fails refuses refuse".split(" "),
);
/** A statement with one of these is another than without it. */
const qualifiers: ReadonlySet<string> = new Set(
  "may might could can should would will must shall always sometimes usually often rarely seldom mostly generally typically normally perhaps possibly probably likely unlikely maybe planned proposed experimental draft deprecated obsolete alleged allegedly supposedly if unless until when whenever while once except only all every each any both most some few several many almost nearly about approximately roughly around least most more less fewer greater than up maximum minimum exactly myth believed believe claim claims claimed formerly previously longer instead rather wrong false incorrect mistaken denied before after during since first last half twice double optional optionally default recommended required".split(
    " ",
  ),
);
/** Where the frame is far from the statement it turns around. */
const framing: ReadonlySet<string> = new Set(
  "if unless when myth believed believe claim claims claimed formerly previously longer instead wrong false incorrect mistaken denied planned proposed supposedly allegedly".split(
    " ",
  ),
);
/** Also behind the statement: "…, unless the disk is full". */
const conditions: ReadonlySet<string> = new Set(
  "if unless until when whenever while once except only before after during since sometimes usually often rarely seldom optional optionally".split(
    " ",
  ),
);
const opposites: readonly (readonly [string, string])[] = [
  ["on", "off"],
  ["up", "down"],
  ["in", "out"],
  ["into", "from"],
  ["with", "without"],
  ["above", "below"],
  ["over", "under"],
];
const numberWords = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((name, value) => [name, `${value}`]),
);
const units = new Map<string, string>(
  Object.entries({
    ms: "ms millisecond milliseconds",
    s: "s sec secs second seconds",
    min: "min mins minute minutes",
    h: "h hour hours hr hrs",
    d: "day days",
    week: "week weeks",
    month: "month months",
    year: "year years",
    "%": "% percent",
    b: "byte bytes",
    kb: "kb kilobyte kilobytes",
    mb: "mb megabyte megabytes",
    gb: "gb gigabyte gigabytes",
    tb: "tb terabyte terabytes",
  }).flatMap(([unit, names]) => names.split(" ").map((name) => [name, unit] as const)),
);

export function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(token)].map(([found]) => ({
    text: found,
    lower: found.toLowerCase().replaceAll("’", "'").replaceAll(/[−–]/g, "-"),
  }));
}

/** "1,000", "1000" and "-5" as numbers, "three" as one; undefined for other words. */
export function valueOf({ lower }: Token): string | undefined {
  return numberWords.get(lower) ?? (/^-?\d/.test(lower) ? lower.replaceAll(/,(?=\d{3}\b)/g, "") : undefined);
}

export function unitOf({ lower }: Token): string | undefined {
  return units.get(lower);
}

/** "1,000 ms" and "1000 milliseconds" are equal, "5 s" and "5 ms" are not. */
export function numbersOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((one, index) => {
    const value = valueOf(one);
    if (value === undefined) return [];
    const next = tokens[index + 1]?.lower ?? "";
    const unit = units.get(next) ?? units.get(next.replace(/-.*$/, ""));
    return [unit === undefined ? value : `${value} ${unit}`];
  });
}

/** What each negation denies: the next word that carries meaning. */
export function deniedIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ lower }, index) => {
    if (!isNegation(lower)) return [];
    const after = tokens.slice(index + 1).flatMap(({ lower: next }) => (isQualifier(next) ? [] : contentWords(next)));
    return [after[0] ?? ""];
  });
}

export function isNegation(lower: string): boolean {
  return negations.has(lower) || lower.endsWith("n't");
}

export function isQualifier(lower: string): boolean {
  return qualifiers.has(lower);
}

export function isCondition(lower: string): boolean {
  return conditions.has(lower);
}

export function isFraming(lower: string): boolean {
  return framing.has(lower);
}

/** The pair that turns one into the other, if there is one. */
export function oppositeIn(claim: readonly Token[], source: readonly Token[]): readonly [string, string] | undefined {
  const [said, given] = [claim, source].map((tokens) => new Set(tokens.map(({ lower }) => lower)));
  const turned = (one: string, other: string): boolean => said!.has(one) && !given!.has(one) && given!.has(other);
  for (const [one, other] of opposites) {
    if (turned(one, other)) return [one, other];
    if (turned(other, one)) return [other, one];
  }
  return undefined;
}

/** A name: a capital letter within a sentence, several in a word, or a word of code. */
export function namesIn(text: string): readonly string[] {
  const names: string[] = [];
  for (const [found] of text.matchAll(/[`\p{L}][\p{L}\p{N}_.:/@-]*[\p{L}\p{N}]/gu)) {
    const bare = found.replaceAll("`", "");
    const isCode = /[_/@:]|\p{Ll}\p{Lu}|\p{L}\d|\.\p{L}/u.test(bare) || found.startsWith("`");
    if (isCode || /^\p{Lu}/u.test(bare)) names.push(bare);
  }
  return names;
}

/** How a word is compared. */
export function keyOf({ lower }: Token): string {
  return units.get(lower) ?? canonical(stemOf(numberWords.get(lower) ?? lower));
}
