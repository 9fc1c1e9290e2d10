/** A pattern in one file as it is on the disk now: the work of a parse thread. */
import type { FoundPattern, Syntax, WantedPattern } from "./facts.ts";
import { readNow } from "./search-text.ts";

export function matchFile(
  wanted: WantedPattern,
  { tree, path }: { readonly tree: string; readonly path: string },
  syntax: Pick<Syntax, "findPattern">,
): FoundPattern {
  const text = readNow(tree, path);
  return text === undefined ? { state: "found", places: [] } : syntax.findPattern(wanted, text);
}
