/** The languages of a project, counted by the endings of its files. */
import type { LanguageDefinition } from "./tool-definition.ts";

export type LanguageCount = { readonly name: string; readonly files: number };

/** A language with fewer files than this share is a side matter: no tool is asked for. */
const leastShare = 0.1;

export function inferLanguages(
  paths: readonly string[],
  languages: readonly LanguageDefinition[],
): readonly LanguageCount[] {
  const byExtension = new Map(languages.flatMap(({ name, extensions }) => extensions.map((one) => [one, name])));
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = byExtension.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}

/** Those that the project is written in: of each family the most used one. */
export function mainLanguages(
  counts: readonly LanguageCount[],
  languages: readonly LanguageDefinition[],
): readonly string[] {
  const total = counts.reduce((sum, { files }) => sum + files, 0);
  const familyOf = new Map(languages.map(({ name, family = name }) => [name, family]));
  const seen = new Set<string>();
  return counts
    .filter(({ name, files }) => {
      const family = familyOf.get(name)!;
      if (seen.has(family) || files / total < leastShare) return false;
      seen.add(family);
      return true;
    })
    .map(({ name }) => name);
}
