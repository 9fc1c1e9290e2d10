/** Words that carry meaning, each by its stem: "leases" and "lease" are one. For English; other languages keep their words. */
const empty: ReadonlySet<string> = new Set(
  "a an the this that these those it its they them their there he she his her we our us you your i me my is are was were be been being am do does did done has have had having of for and or as at by with about also just then than so such very which who whom whose what how why where s t re ve ll d m".split(
    " ",
  ),
);
/** Of questions only: what a person says to ask. */
const asking: ReadonlySet<string> = new Set(
  "can could would should will shall may might must please tell show explain give find say know want need best way approach mean use long much many often does if to in on from into when".split(
    " ",
  ),
);
/** Longer ones first. */
const endings: readonly (readonly [string, string])[] = [
  ["ies", "y"],
  ["ied", "y"],
  ["sses", "ss"],
  ["ches", "ch"],
  ["shes", "sh"],
  ["xes", "x"],
  ["ing", ""],
  ["edly", ""],
  ["ed", ""],
  ["ly", ""],
  ["ss", "ss"],
  ["us", "us"],
  ["is", "is"],
  ["s", ""],
];

/** One word for several that say the same. */
const same = new Map(
  [
    "begin start",
    "remove delete",
    "large big",
    "show display",
    "allow permit",
    "need require",
    "keep retain",
    "happen occur",
    "choose select",
  ].flatMap((group) => {
    const [first = "", ...others] = group.split(" ");
    return [first, ...others].map((word) => [stemOf(word), stemOf(first)] as const);
  }),
);
const word = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;

export function stemOf(given: string): string {
  let stem = given.toLowerCase();
  if (stem.length <= 3 || /\d/.test(stem)) return stem;
  stem = stem.replace(/['’]s$/, "");
  for (const [ending, instead] of endings) {
    if (!stem.endsWith(ending) || stem.length - ending.length < 3) continue;
    stem = stem.slice(0, -ending.length) + instead;
    break;
  }
  return stem
    .replace(/([^aeiouls])\1$/, "$1")
    .replace(/e$/, "")
    .replace(/i$/, "y");
}

/** In order, with repetitions. */
export function contentWords(text: string): readonly string[] {
  return [...text.matchAll(word)].flatMap(([found]) => {
    const lower = found.toLowerCase();
    return empty.has(lower) ? [] : [canonical(stemOf(lower))];
  });
}

export function canonical(stem: string): string {
  return same.get(stem) ?? stem;
}

/** What a search looks for, each once. */
export function questionWords(question: string): readonly string[] {
  const all = [...question.matchAll(word)].map(([found]) => found.toLowerCase()).filter((one) => !empty.has(one));
  const telling = all.filter((one) => !asking.has(one));
  return [...new Set(telling.length === 0 ? all : telling)].slice(0, 24);
}
