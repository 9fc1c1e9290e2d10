/** Questions to a trigram table: all trigrams of a text must occur; whether in a row is verified on what was found. */

/** Choosing some of a long text's trigrams narrows as well as all of them, and asks less. */
const mostAsked = 16;

/** Undefined where no text has three characters. */
export function matchAll(texts: readonly string[]): string | undefined {
  const all = [...new Set(texts.flatMap(trigramsOf))];
  return all.length === 0 ? undefined : spread(all).map(quoted).join(" AND ");
}

export function matchAny(text: string): string | undefined {
  const all = trigramsOf(text);
  return all.length === 0 ? undefined : all.map(quoted).join(" OR ");
}

/** Share of common trigrams, from 0 to 1. */
export function nearness(one: string, other: string): number {
  const [a, b] = [new Set(trigramsOf(`  ${one} `)), new Set(trigramsOf(`  ${other} `))];
  return (2 * [...a].filter((trigram) => b.has(trigram)).length) / (a.size + b.size || 1);
}

function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  const found = new Set<string>();
  for (let at = 0; at + 3 <= characters.length; at++) found.add(characters.slice(at, at + 3).join(""));
  return [...found];
}

function spread(all: readonly string[]): readonly string[] {
  if (all.length <= mostAsked) return all;
  const step = (all.length - 1) / (mostAsked - 1);
  return Array.from({ length: mostAsked }, (_, index) => all[Math.round(index * step)]!);
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
