/**
 * Path patterns: what a reservation names, and the one answer to "does this cover that".
 *
 *   literal(path) | glob(text) -> CompiledPattern -> matches(pattern, path), overlap(pattern, pattern)
 *
 * Server, hook and commit gate all ask here, so they cannot disagree. A literal path is a single word: asking whether it
 * shares a path with a glob is asking the glob's automaton for that word, which is what `overlap` does.
 * Invariant: `overlap` is exact; the path it returns is legal and matched by both.
 */
import { accepts, type Automaton, buildAutomaton } from "./automaton.ts";
import { InvalidPattern } from "./invalid-pattern.ts";
import { normalizePath, observedPath } from "./normalize-path.ts";
import { parsePattern } from "./parse-pattern.ts";
import { sharedPath } from "./shared-path.ts";

/** Immutable and free of the moment: compile once and keep it as long as the text. */
export type CompiledPattern =
  | { readonly kind: "literal"; readonly source: string }
  | { readonly kind: "glob"; readonly source: string; readonly automaton: Automaton };

/** Two globs with loops may visit every pair of their states; this keeps the worst pair in the tens of milliseconds. */
const MOST_STATES = 512;

const EVERYTHING = buildAutomaton([{ kind: "globstar", position: 0 }]);

/**
 * One file by its name, as it was resolved: two spellings of it are one only where the file system says so. A directory's
 * name does not cover what is in it: `glob("dir/**")` does.
 */
export function literal(path: string): CompiledPattern {
  normalizePath(path);
  return Object.freeze({ kind: "literal", source: path });
}

/** A file that exists already, as git reports it: a glob may cover one whose name could not be reserved by itself. */
export function observed(path: string): CompiledPattern {
  observedPath(path);
  return Object.freeze({ kind: "literal", source: path });
}

export function glob(text: string): CompiledPattern {
  const { source, nodes } = parsePattern(text);
  const automaton = buildAutomaton(nodes);
  if (automaton.edges.length > MOST_STATES && hasLoop(automaton)) {
    throw new InvalidPattern(
      source,
      0,
      `it is too long for a glob with stars; split it into patterns of at most ${MOST_STATES} characters`,
    );
  }
  if (sharedPath(automaton, EVERYTHING) === undefined)
    throw new InvalidPattern(source, 0, "no path can match it; name what to reserve");
  return Object.freeze({ kind: "glob", source, automaton });
}

/** Throws `InvalidPattern` for a path that no file can have: "not covered" would be taken for an answer. */
export function matches(pattern: CompiledPattern, path: string): boolean {
  const observed = observedPath(path);
  return pattern.kind === "literal"
    ? pattern.source === path || pattern.source === observed
    : accepts(pattern.automaton, observed);
}

/** A path that both cover, or undefined if there is none. */
export function overlap(a: CompiledPattern, b: CompiledPattern): string | undefined {
  if (a.kind === "glob" && b.kind === "glob") return sharedPath(a.automaton, b.automaton);
  const [path, other] = a.kind === "literal" ? [a.source, b] : [b.source, a];
  if (other.kind === "literal") return other.source === path ? path : undefined;
  const observed = path.normalize("NFC");
  return accepts(other.automaton, observed) ? observed : undefined;
}

/** Both stars stay in their state while they read on; nothing else goes back. */
function hasLoop({ edges }: Automaton): boolean {
  return edges.some((out, state) => out.some(({ target }) => target === state));
}
