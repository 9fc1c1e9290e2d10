/**
 * The shortest path that two globs share, by walking both automata at once.
 *
 *   (start, start) -> pairs of states, breadth first, one letter that both allow per step -> both accept -> the letters
 *
 * A third coordinate keeps the walk on legal paths: no empty segment, no `.`, no `..`.
 * Exact: labels are met as sets, so no letter is missed, and the letter spelt is in both. Bounded: each triple is entered once.
 */
import { allows, type Automaton, type Edge, type Label } from "./automaton.ts";
import { DOT, intersectRanges, pickFrom, SLASH } from "./code-points.ts";

/** Where the walk is in its segment: no letter yet, one dot, two dots, or a name. Only with a name may a segment end. */
const FRESH = 0;
const TWO_DOTS = 2;
const NAMED = 3;
const PLACES = 4;

const ANY_EXAMPLE = 0x61;

type ClassLabel = Extract<Label, { kind: "class" }>;
type Meet = (a: Label, b: Label) => number | undefined;

export function sharedPath(a: Automaton, b: Automaton): string | undefined {
  const width = b.edges.length;
  const entered = new Uint8Array(a.edges.length * width * PLACES);
  const queue: number[] = [FRESH];
  const cameFrom: number[] = [-1];
  const letters: number[] = [0];
  const meet = createMeet();
  entered[FRESH] = 1;

  for (let head = 0; head < queue.length; head++) {
    const triple = queue[head] as number;
    const place = triple % PLACES;
    const pair = (triple - place) / PLACES;
    const stateB = pair % width;
    const stateA = (pair - stateB) / width;
    if (place === NAMED && a.accepting[stateA] && b.accepting[stateB]) return spell(letters, cameFrom, head);
    for (const edgeA of a.edges[stateA] as readonly Edge[]) {
      for (const edgeB of b.edges[stateB] as readonly Edge[]) {
        const letter = meet(edgeA.label, edgeB.label);
        if (letter === undefined || (letter === SLASH && place !== NAMED)) continue;
        const next = (edgeA.target * width + edgeB.target) * PLACES + placeAfter(place, letter);
        if (entered[next]) continue;
        entered[next] = 1;
        queue.push(next);
        cameFrom.push(head);
        letters.push(letter);
      }
    }
  }
  return undefined;
}

function placeAfter(place: number, letter: number): number {
  if (letter === SLASH) return FRESH;
  return letter === DOT && place < TWO_DOTS ? place + 1 : NAMED;
}

function spell(letters: readonly number[], cameFrom: readonly number[], end: number): string {
  const path: number[] = [];
  for (let at = end; at > 0; at = cameFrom[at] as number) path.push(letters[at] as number);
  return String.fromCodePoint(...path.reverse());
}

/** One letter that both labels allow. Two classes are met once per search, so that long classes cost once and not per pair of states. */
function createMeet(): Meet {
  const known = new Map<ClassLabel, Map<ClassLabel, number | undefined>>();

  const meetClasses = (a: ClassLabel, b: ClassLabel): number | undefined => {
    const row = known.get(a) ?? new Map<ClassLabel, number | undefined>();
    known.set(a, row);
    if (!row.has(b)) row.set(b, pickFrom(intersectRanges(a.ranges, b.ranges)));
    return row.get(b);
  };

  return (a, b) => {
    if (a.kind === "char") return allows(b, a.codePoint) ? a.codePoint : undefined;
    if (b.kind === "char") return allows(a, b.codePoint) ? b.codePoint : undefined;
    if (a.kind === "any") return b.kind === "any" ? ANY_EXAMPLE : b.example;
    return b.kind === "any" ? a.example : meetClasses(a, b);
  };
}
