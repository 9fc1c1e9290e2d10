/**
 * The automaton of a glob: states, and edges labelled with sets of characters. It both matches and intersects.
 *
 *   tree -> draft with silent steps -> `**` allowed to skip its slash -> silent steps folded into edges -> automaton
 *
 * It need not know what a legal path is: its callers give it legal paths (`observedPath`) or keeps to them
 * (`shared-path.ts`). So `*` is simply a loop, although a whole segment is never empty.
 * Invariant: immutable; at most one state per node of the tree and two per `**`, so bounded by the length of the glob.
 */
import { contains, pickFrom, type Ranges, SLASH } from "./code-points.ts";
import type { PatternNode, PatternSequence } from "./pattern-tree.ts";

export type Label =
  | { readonly kind: "char"; readonly codePoint: number }
  | { readonly kind: "any" }
  | { readonly kind: "class"; readonly ranges: Ranges; readonly example: number | undefined };
export type Edge = { readonly label: Label; readonly target: number };
export type Automaton = {
  /** By state; state 0 is where it starts. */
  readonly edges: readonly (readonly Edge[])[];
  readonly accepting: readonly boolean[];
};

type Draft = { readonly silent: number[][]; readonly edges: Edge[][]; readonly globstars: Globstar[] };
type Globstar = { readonly fresh: number; readonly inside: number };

const ANY: Label = { kind: "any" };
const SLASH_LABEL: Label = { kind: "char", codePoint: SLASH };

export function buildAutomaton(nodes: PatternSequence): Automaton {
  const draft: Draft = { silent: [], edges: [], globstars: [] };
  const end = append(draft, nodes, addState(draft));
  for (const globstar of draft.globstars) skipSlash(draft, globstar);
  return fold(draft, end);
}

/** Whether the automaton accepts a legal path. Linear in the path, for every pattern: no backtracking. */
export function accepts({ edges, accepting }: Automaton, path: string): boolean {
  const enteredAt = new Int32Array(edges.length);
  let current = [0];
  let step = 0;
  for (const letter of path) {
    const codePoint = letter.codePointAt(0) as number;
    const next: number[] = [];
    step++;
    for (const state of current) {
      for (const { label, target } of edges[state] as readonly Edge[]) {
        if (enteredAt[target] === step || !allows(label, codePoint)) continue;
        enteredAt[target] = step;
        next.push(target);
      }
    }
    if (next.length === 0) return false;
    current = next;
  }
  return current.some((state) => accepting[state]);
}

export function allows(label: Label, codePoint: number): boolean {
  if (label.kind === "char") return label.codePoint === codePoint;
  return label.kind === "any" ? codePoint !== SLASH : contains(label.ranges, codePoint);
}

function append(draft: Draft, nodes: PatternSequence, start: number): number {
  return nodes.reduce((from, node) => appendNode(draft, node, from), start);
}

function appendNode(draft: Draft, node: PatternNode, from: number): number {
  switch (node.kind) {
    case "char":
      return addEdge(draft, from, node, addState(draft));
    case "any":
      return addEdge(draft, from, ANY, addState(draft));
    case "class":
      return addEdge(
        draft,
        from,
        { kind: "class", ranges: node.ranges, example: pickFrom(node.ranges) },
        addState(draft),
      );
    case "slash":
      return addEdge(draft, from, SLASH_LABEL, addState(draft));
    case "star": {
      const loop = addSilent(draft, from, addState(draft));
      return addEdge(draft, loop, ANY, loop);
    }
    case "globstar":
      return appendGlobstar(draft, from);
    case "choice": {
      const exit = addState(draft);
      for (const option of node.options)
        addSilent(draft, append(draft, option, addSilent(draft, from, addState(draft))), exit);
      return exit;
    }
  }
}

/** Leaves after one or more segments; leaving after none is `skipSlash`. */
function appendGlobstar(draft: Draft, from: number): number {
  const fresh = addSilent(draft, from, addState(draft));
  const inside = addEdge(draft, fresh, ANY, addState(draft));
  addEdge(draft, inside, ANY, inside);
  addEdge(draft, inside, SLASH_LABEL, fresh);
  draft.globstars.push({ fresh, inside });
  return inside;
}

/** No segments for `**` means that the slash behind it goes too. That slash may stand outside the brace that holds `**`. */
function skipSlash(draft: Draft, { fresh, inside }: Globstar): void {
  for (const state of silentClosure(draft, inside)) {
    for (const { label, target } of draft.edges[state] as Edge[])
      if (label === SLASH_LABEL && target !== fresh) addSilent(draft, fresh, target);
  }
}

/** Keeps the states that a character leads to; each takes over the edges it reaches silently. */
function fold(draft: Draft, end: number): Automaton {
  const numbers = new Map([[0, 0]]);
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  const numberOf = (state: number): number => {
    const number = numbers.get(state) ?? numbers.size;
    numbers.set(state, number);
    return number;
  };
  for (const state of numbers.keys()) {
    const closure = silentClosure(draft, state);
    edges.push(
      closure
        .flatMap((each) => draft.edges[each] as Edge[])
        .map(({ label, target }) => ({ label, target: numberOf(target) })),
    );
    accepting.push(closure.includes(end));
  }
  return { edges, accepting };
}

function silentClosure(draft: Draft, state: number): number[] {
  const reached = new Set([state]);
  for (const each of reached) for (const next of draft.silent[each] as number[]) reached.add(next);
  return [...reached];
}

function addState(draft: Draft): number {
  draft.edges.push([]);
  return draft.silent.push([]) - 1;
}

function addEdge(draft: Draft, from: number, label: Label, target: number): number {
  draft.edges[from]?.push({ label, target });
  return target;
}

function addSilent(draft: Draft, from: number, target: number): number {
  draft.silent[from]?.push(target);
  return target;
}
