/**
 * The place of a path or pattern in the index of live reservations.
 *
 *   src/api/orders.ts   -> itself
 *   src/api/**\/*.ts    -> src/api
 *
 * Two of them can meet only if one's place is the other's, or a folder above it; the matcher then decides exactly.
 */
import type { CompiledPattern } from "../globs/index.ts";

export type Place = { readonly kind: "path" | "glob"; readonly place: string; readonly source: string };

/** Whatever could be special: a place that is too far up is only compared more often. */
const special = /[*?[\]{}\\]/;

export function placeOf({ kind, source }: CompiledPattern): Place {
  if (kind === "literal") return { kind: "path", place: source, source };
  const segments = source.split("/");
  const first = segments.findIndex((segment) => special.test(segment));
  // Without any wildcard the last segment is a file's name; the folder above it is a place as good as any.
  const folder = segments.slice(0, first === -1 ? -1 : first);
  return { kind: "glob", place: folder.join("/"), source };
}

/** The place itself and every folder above it, up to the root. */
export function placesAbove({ place }: Place): readonly string[] {
  const segments = place === "" ? [] : place.split("/");
  return ["", ...segments.map((_, index) => segments.slice(0, index + 1).join("/"))];
}
