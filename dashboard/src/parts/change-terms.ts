/** Filters as they stand in the address: an empty one is left out. */
type Terms = Readonly<Record<string, string>>;

export function changeTerms(terms: Terms, changes: Readonly<Record<string, string | undefined>>): Terms {
  const merged = Object.entries({ ...terms, ...changes });
  return Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
}
