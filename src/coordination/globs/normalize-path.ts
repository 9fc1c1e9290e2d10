/**
 * Literal paths: file names as they are, where `[`, `*` and `\` mean themselves.
 *
 *   text -> readText -> nodes without wildcards -> the same segment rules as for globs -> NFC path
 */
import { SLASH } from "./code-points.ts";
import { checkSegments } from "./check-segments.ts";
import type { PatternNode } from "./pattern-tree.ts";
import { readText } from "./read-text.ts";

/** An empty, `.` or `..` segment, which covers a leading, doubled or trailing slash; or NUL. No file has such a name. */
const NO_FILE = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** A repository-relative path in the form in which paths are compared; throws `InvalidPattern`. */
export function normalizePath(text: string): string {
  const source = readText(text);
  if (NO_FILE.test(source)) checkSegments(source, literalNodes(source));
  return source;
}

/**
 * A path that exists already, as git or a hook reports it. Laxer than `normalizePath`: a file whose name could not be
 * reserved by itself (a line break, excessive length) is still covered by the glob around it.
 */
export function observedPath(text: string): string {
  return NO_FILE.test(text) ? normalizePath(text) : text.normalize("NFC");
}

function literalNodes(source: string): PatternNode[] {
  let position = 0;
  return [...source].map((letter) => {
    const codePoint = letter.codePointAt(0) as number;
    const node: PatternNode = codePoint === SLASH ? { kind: "slash", position } : { kind: "char", codePoint, position };
    position += letter.length;
    return node;
  });
}
