/**
 * The chain of dependencies that decides how long a graph takes: the most time, and of equal ones the most nodes. Time that
 * is not known yet counts as none, so before anything ran it is the longest chain.
 */
import { type Dependent, inOrder } from "./order-nodes.ts";

type Length = { readonly ms: number; readonly nodes: number; readonly before: string | undefined };

export function findCriticalPath(
  nodes: readonly Dependent[],
  timeOf: (id: string) => number | undefined,
): readonly string[] {
  const lengths = new Map<string, Length>();
  let last: string | undefined;
  for (const { id, dependsOn } of inOrder(nodes)) {
    let before: string | undefined;
    for (const parent of dependsOn)
      if (lengths.has(parent) && isLonger(lengths.get(parent)!, before === undefined ? undefined : lengths.get(before)))
        before = parent;
    const rest = before === undefined ? { ms: 0, nodes: 0 } : lengths.get(before)!;
    lengths.set(id, { ms: rest.ms + (timeOf(id) ?? 0), nodes: rest.nodes + 1, before });
    if (isLonger(lengths.get(id)!, last === undefined ? undefined : lengths.get(last))) last = id;
  }
  const path: string[] = [];
  for (let id = last; id !== undefined; id = lengths.get(id)!.before) path.push(id);
  return path.toReversed();
}

function isLonger({ ms, nodes }: Length, other: Length | undefined): boolean {
  return other === undefined || ms > other.ms || (ms === other.ms && nodes > other.nodes);
}
