/**
 * Subject trie: who waits for a subject.
 *
 *   subject -> segments -> one step down the trie per segment, all fitting branches at once -> subscribers
 *
 * `*` takes exactly one segment, `**` one or more, both anywhere. The walk keeps a set of nodes, so a node reached in
 * several ways (`**.a.**` over `a.a.a`) is entered once per step and its subscribers are found once.
 * Invariant: below every node there is a subscription; removal prunes, so a walk costs by the subject and not by what is or was subscribed.
 */
import { parseSubject, parseSubjectPattern } from "./parse-subject.ts";

export { InvalidSubject } from "./invalid-subject.ts";

export interface SubjectTrie<Subscriber> {
  /** False if this subscriber already waits on this very pattern. */
  add(pattern: string, subscriber: Subscriber): boolean;
  /** False if there was nothing to remove. */
  remove(pattern: string, subscriber: Subscriber): boolean;
  match(subject: string): SubjectMatch<Subscriber>;
  /** All whose pattern begins with this subject and is longer. */
  below(subject: string): ReadonlySet<Subscriber>;
  /** Nodes besides the root: 0 once everything is removed. */
  readonly nodeCount: number;
}

export interface SubjectMatch<Subscriber> {
  /** Each subscriber once, however many of its patterns fit. In no promised order. */
  readonly subscribers: ReadonlySet<Subscriber>;
  /** Nodes entered on the way: the cost, in a unit that a busy machine cannot blur. */
  readonly visited: number;
}

/** Wildcards are keys beside words; no word can contain a star. */
type Node<Subscriber> = {
  readonly repeats: boolean;
  readonly children: Map<string, Node<Subscriber>>;
  readonly subscribers: Set<Subscriber>;
};

const ONE = "*";
const MANY = "**";

export function createSubjectTrie<Subscriber>(): SubjectTrie<Subscriber> {
  const root = createNode<Subscriber>("");
  let nodeCount = 0;

  const childOf = (parent: Node<Subscriber>, segment: string): Node<Subscriber> => {
    const known = parent.children.get(segment);
    if (known) return known;
    const child = createNode<Subscriber>(segment);
    parent.children.set(segment, child);
    nodeCount++;
    return child;
  };

  return {
    add(pattern, subscriber) {
      const { subscribers } = parseSubjectPattern(pattern).reduce(childOf, root);
      if (subscribers.has(subscriber)) return false;
      subscribers.add(subscriber);
      return true;
    },
    remove(pattern, subscriber) {
      const segments = parseSubjectPattern(pattern);
      const trail = descend(root, segments);
      if (!trail?.at(-1)?.subscribers.delete(subscriber)) return false;
      nodeCount -= prune(trail, segments);
      return true;
    },
    match: (subject) => walk(root, parseSubject(subject)),
    below: (subject) => allBelow(descend(root, parseSubject(subject))?.at(-1)),
    get nodeCount() {
      return nodeCount;
    },
  };
}

function createNode<Subscriber>(segment: string): Node<Subscriber> {
  return { repeats: segment === MANY, children: new Map(), subscribers: new Set() };
}

/** The nodes from the root down to the pattern's own, or undefined where the pattern was never added. */
function descend<Subscriber>(root: Node<Subscriber>, segments: readonly string[]): Node<Subscriber>[] | undefined {
  const trail = [root];
  for (const segment of segments) {
    const child = trail.at(-1)?.children.get(segment);
    if (!child) return undefined;
    trail.push(child);
  }
  return trail;
}

/** Cuts the branch back to the last node that is still needed; returns how many nodes fell. */
function prune<Subscriber>(trail: readonly Node<Subscriber>[], segments: readonly string[]): number {
  let cut = 0;
  for (let depth = segments.length; depth > 0; depth--) {
    const node = trail[depth] as Node<Subscriber>;
    if (node.subscribers.size > 0 || node.children.size > 0) break;
    trail[depth - 1]?.children.delete(segments[depth - 1] as string);
    cut++;
  }
  return cut;
}

function walk<Subscriber>(root: Node<Subscriber>, segments: readonly string[]): SubjectMatch<Subscriber> {
  let frontier = [root];
  let visited = 1;
  for (const segment of segments) {
    const next: Node<Subscriber>[] = [];
    for (const node of frontier) {
      if (node.repeats) enter(next, node);
      enter(next, node.children.get(segment));
      enter(next, node.children.get(ONE));
      enter(next, node.children.get(MANY));
    }
    frontier = next;
    visited += next.length;
  }
  return { subscribers: gather(frontier), visited };
}

/** Only a `**` node can be reached twice: from above and from itself. */
function enter<Subscriber>(frontier: Node<Subscriber>[], node: Node<Subscriber> | undefined): void {
  if (node && !(node.repeats && frontier.includes(node))) frontier.push(node);
}

function allBelow<Subscriber>(top: Node<Subscriber> | undefined): Set<Subscriber> {
  const nodes = [...(top?.children.values() ?? [])];
  for (const node of nodes) nodes.push(...node.children.values());
  return gather(nodes);
}

function gather<Subscriber>(nodes: readonly Node<Subscriber>[]): Set<Subscriber> {
  const found = new Set<Subscriber>();
  for (const node of nodes) for (const subscriber of node.subscribers) found.add(subscriber);
  return found;
}
