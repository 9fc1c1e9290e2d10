/**
 * Where a pattern occurs in a tree.
 *
 *   nodes of the pattern's type -> children side by side, comments left out -> places
 *
 * Everything that the pattern writes must be there. The code may have more tokens without a name of their own (`async`, a
 * last comma), never more named nodes. A comma beside a `$$$` that stands for nothing may be absent.
 */
import type { Node, Tree } from "web-tree-sitter";
import type { Hole, Pattern, PatternNode } from "./read-pattern.ts";

/** What metavariables stand for so far. */
type Bound = { readonly name: string; readonly text: string; readonly before: Bound } | undefined;
type Then = (bound: Bound) => boolean;
/** True when the work has taken too long. */
type IsLate = () => boolean;

class TooLong extends Error {}

const separators = new Set([",", ";"]);
const mostSteps = 2_000_000;
const stepsBetweenLooks = 1_000;

/** Undefined when it took too long. */
export function matchPattern(pattern: Pattern, tree: Tree, isLate: IsLate): readonly Node[] | undefined {
  const match = matcher(isLate);
  try {
    return tree.rootNode
      .descendantsOfType(pattern.type)
      .filter((node): node is Node => node !== null && match(pattern, node));
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  }
}

function matcher(isLate: IsLate): (pattern: Pattern, node: Node) => boolean {
  let steps = 0;

  function step(): void {
    if (++steps > mostSteps || (steps % stepsBetweenLooks === 0 && isLate())) throw new TooLong();
  }

  function one(pattern: PatternNode, node: Node, bound: Bound, then: Then): boolean {
    step();
    if (pattern.kind === "hole") return node.isNamed && bind(pattern, node.text, bound, then);
    if (pattern.type !== node.type) return false;
    if (pattern.kind === "leaf") return pattern.isNamed === node.isNamed && pattern.text === node.text && then(bound);
    return list(pattern.children, 0, childrenOf(node), 0, bound, then);
  }

  /** The first node that fits, then the rest; else the next, so long as only tokens are passed over. */
  function list(
    patterns: readonly PatternNode[],
    at: number,
    nodes: readonly Node[],
    from: number,
    bound: Bound,
    then: Then,
  ): boolean {
    step();
    const pattern = patterns[at];
    if (pattern === undefined) return nodes.slice(from).every(({ isNamed }) => !isNamed) && then(bound);
    if (isMany(pattern)) return many(pattern, patterns, at, nodes, from, bound, then);
    const next = patterns[at + 1];
    if (isSeparator(pattern) && isMany(next) && without(next, patterns, at, nodes, from, bound, then)) return true;
    for (let index = from; index < nodes.length; index++) {
      const node = nodes[index]!;
      if (one(pattern, node, bound, (more) => list(patterns, at + 1, nodes, index + 1, more, then))) return true;
      if (node.isNamed) return false;
    }
    return false;
  }

  function many(
    hole: Hole,
    patterns: readonly PatternNode[],
    at: number,
    nodes: readonly Node[],
    from: number,
    bound: Bound,
    then: Then,
  ): boolean {
    for (let end = from; end <= nodes.length; end++) {
      const taken = nodes.slice(from, end);
      if (bindMany(hole, taken, bound, (more) => list(patterns, at + 1, nodes, end, more, then))) return true;
    }
    return isSeparator(patterns[at + 1]) && without(hole, patterns, at, nodes, from, bound, then);
  }

  /** The hole stands for nothing, and its separator is absent with it. */
  function without(
    hole: Hole,
    patterns: readonly PatternNode[],
    at: number,
    nodes: readonly Node[],
    from: number,
    bound: Bound,
    then: Then,
  ): boolean {
    return bindMany(hole, [], bound, (more) => list(patterns, at + 2, nodes, from, more, then));
  }

  return (pattern, node) => one(pattern, node, undefined, () => true);
}

function bindMany(hole: Hole, nodes: readonly Node[], bound: Bound, then: Then): boolean {
  if (hole.name === undefined) return then(bound);
  return bind(hole, nodes.map(({ text }) => text).join(" "), bound, then);
}

function bind({ name }: Hole, text: string, bound: Bound, then: Then): boolean {
  if (name === undefined) return then(bound);
  for (let known = bound; known !== undefined; known = known.before)
    if (known.name === name) return known.text === text && then(bound);
  return then({ name, text, before: bound });
}

function childrenOf(node: Node): readonly Node[] {
  return node.children.filter((child): child is Node => child !== null && !child.isExtra);
}

function isMany(pattern: PatternNode | undefined): pattern is Hole {
  return pattern?.kind === "hole" && pattern.isMany;
}

function isSeparator(pattern: PatternNode | undefined): boolean {
  return pattern?.kind === "leaf" && separators.has(pattern.text);
}
