/**
 * The names that a caller gives -> the one name that each file has in its tree: links followed, `.` and `..` taken out.
 *
 *   ./src/link.ts -> lib/a.ts        src/link/** -> lib/**        ../other/x, a link that leads out: refused
 *
 * A text that is not a path at all stays as it is: the matcher refuses it with its reason.
 */
import { normalize } from "node:path/posix";
import { invalidInput } from "../../contract/index.ts";
import { treePath, treePattern } from "../tree-paths/index.ts";
import { checked, type Named } from "./covered-paths.ts";

/** Undefined for what is not in the tree. */
export type ResolveName = (kind: "paths" | "patterns", text: string, tree: string) => string | undefined;

export const resolveByDisk: ResolveName = (kind, text, tree) =>
  kind === "paths" ? treePath(text, tree) : treePattern(text, tree, { mayBeginAbove: false });

/** Longer than any system takes; the matcher refuses less. */
const longest = 4_096;

export function nameInput(
  { paths, patterns }: Named,
  tree: string | undefined,
  resolveName: ResolveName | undefined,
): { paths: string[]; patterns: string[] } {
  const named = (kind: "paths" | "patterns", texts: readonly string[]): string[] => {
    if (resolveName === undefined || tree === undefined) return [...texts];
    return texts.map((text, index) => nameOne(kind, text, index));
  };
  const nameOne = (kind: "paths" | "patterns", text: string, index: number): string => {
    if (!isPathLike(text)) return text;
    const name = checked(kind, index, () => resolveName!(kind, text, tree!));
    if (name !== undefined) return name;
    throw invalidInput(`${kind}.${index}`, "leads out of the repository through a link", {
      sentence: `"${text}" leads out of the repository through a link; reserve the path where the file really is, in its own repository`,
    });
  };
  return { paths: named("paths", paths), patterns: named("patterns", patterns) };
}

/** From the root down; a path that climbs above the root is refused, even where it comes back. */
function isPathLike(text: string): boolean {
  if (text === "" || text.length > longest || text.startsWith("/") || text.endsWith("/") || text.includes("\0"))
    return false;
  const path = normalize(text);
  return path !== ".." && !path.startsWith("../");
}
