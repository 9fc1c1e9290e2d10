/** Which files a hold covers, by the spelling that its tree tells apart. */
import { glob, literal, matches } from "../globs/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { spelling } from "../tree-paths/index.ts";

export function matcherOf({
  paths,
  patterns,
  tree,
}: Pick<ReservationRecord, "paths" | "patterns" | "tree">): (path: string) => boolean {
  const spelled = (text: string): string => spelling(text, tree);
  const held = [...paths.map((path) => literal(spelled(path))), ...patterns.map((text) => glob(spelled(text)))];
  return (path) => held.some((one) => matches(one, spelled(path)));
}

type InTree = { readonly tree: string; readonly path: string };

/** Compiled once: the holds around each of many files. */
export function heldIn(
  holds: readonly ReservationRecord[],
  trees: ReadonlySet<string>,
): (file: InTree) => readonly ReservationRecord[] {
  const compiled = holds.filter(({ tree }) => trees.has(tree)).map((record) => ({ record, covers: matcherOf(record) }));
  return ({ tree, path }) =>
    compiled.filter(({ record, covers }) => record.tree === tree && covers(path)).map(({ record }) => record);
}
