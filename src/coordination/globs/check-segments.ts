/**
 * The rules about segments, checked for every way to write the braces out, without writing them out.
 *
 *   nodes -> the set of places a reader can be in the current segment -> refusal, or the end of the text
 *
 * `{a,b/}c` and `{a,b/}/c` differ only in what braces put beside a slash, so looking at the text is not enough.
 * Invariant: no accepted pattern has a way to spell an absolute path, an empty segment, `.`, `..`, or stars beside
 * stars (`{*,a}*` written out holds `**`, which other tools read as "any directory").
 */
import { DOT } from "./code-points.ts";
import { InvalidPattern } from "./invalid-pattern.ts";
import type { PatternNode, PatternSequence } from "./pattern-tree.ts";

type Place = "start" | "segment-start" | "dot" | "dot-dot" | "inside" | "after-star" | "after-globstar";

const GLUED = "** must be a whole segment, as in a/**/b; within a segment write *";
const RELATIVE = "a path starts at the repository root and has no . or .. segments; write it from the root";

export function checkSegments(source: string, nodes: PatternSequence): void {
  for (const place of walk(source, nodes, new Set(["start"]))) {
    if (place === "start") throw new InvalidPattern(source, 0, "it can be empty; give every alternative a name");
    if (place === "segment-start")
      throw new InvalidPattern(
        source,
        source.length - 1,
        "it ends in /; write a/** for all that is below a, or drop the slash",
      );
    if (isDots(place)) throw new InvalidPattern(source, source.length - 1, RELATIVE);
  }
}

function walk(source: string, nodes: PatternSequence, from: ReadonlySet<Place>): ReadonlySet<Place> {
  let places = from;
  for (const node of nodes) {
    places =
      node.kind === "choice"
        ? union(node.options.map((option) => walk(source, option, places)))
        : new Set([...places].map((place) => step(source, node, place)));
  }
  return places;
}

function step(source: string, node: PatternNode, place: Place): Place {
  const fresh = place === "start" || place === "segment-start";
  if (node.kind === "slash") return afterSlash(source, node.position, place);
  if (place === "after-globstar" || (node.kind === "globstar" && !fresh))
    throw new InvalidPattern(source, node.position, GLUED);
  if (node.kind === "star" && place === "after-star") throw new InvalidPattern(source, node.position, GLUED);
  if (node.kind === "star") return "after-star";
  if (node.kind === "globstar") return "after-globstar";
  if (node.kind !== "char" || node.codePoint !== DOT) return "inside";
  if (fresh) return "dot";
  return place === "dot" ? "dot-dot" : "inside";
}

function afterSlash(source: string, position: number, place: Place): Place {
  if (place === "start")
    throw new InvalidPattern(source, position, "paths are relative to the repository root; drop the leading slash");
  if (place === "segment-start") throw new InvalidPattern(source, position, "a segment is empty; write a single slash");
  if (isDots(place)) throw new InvalidPattern(source, position - 1, RELATIVE);
  return "segment-start";
}

function isDots(place: Place): boolean {
  return place === "dot" || place === "dot-dot";
}

function union<Item>(sets: readonly ReadonlySet<Item>[]): Set<Item> {
  return new Set(sets.flatMap((set) => [...set]));
}
