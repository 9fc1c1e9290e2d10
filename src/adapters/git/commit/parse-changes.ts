/** Reads the changes of each path from a diff of git, made by `--raw --numstat --no-abbrev --no-renames -z`, one character per byte. */
import type { Change } from "../../../coordination/commits/index.ts";
import { readable } from "./changed-files.ts";

/** One path of a commit as the index stores it; gone where the mode is 0. */
export type Entry = Change & { readonly mode: string; readonly object: string };

/** `:<mode> <mode> <object> <object> <letter>␀<path>␀` of every path, then `<added>⇥<removed>⇥<path>␀` of every path. */
export function parseChanges(text: string): readonly Entry[] {
  const fields = text.split("\0").filter((field) => field !== "");
  const stored = new Map<string, { readonly mode: string; readonly object: string }>();
  const losing = new Set<string>();
  const fresh = new Set<string>();
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!;
    if (field.startsWith(":")) {
      const [, mode = "", , object = "", letter] = field.split(" ");
      const bytes = fields[++at]!;
      stored.set(bytes, { mode: letter === "D" ? "0" : mode, object });
      if (letter === "D") losing.add(bytes);
      if (letter === "A") fresh.add(bytes);
      continue;
    }
    const [, removed, ...rest] = field.split("\t");
    if (removed !== "0") losing.add(rest.join("\t")); // "-": not text, so the count is unknown
  }
  return [...stored].map(([bytes, entry]) => ({
    ...entry,
    bytes,
    path: readable(bytes),
    takesAway: losing.has(bytes) && !fresh.has(bytes),
  }));
}
