/**
 * What an item waits for, and what waits for it, as a tree in each direction.
 *
 * An item that was drawn already is named again but not opened again. Depth and size are bounded.
 */
import type { ListedWork } from "./group-work.ts";

export type Direction = "needs" | "needed-by";
export type DependencyBranch = {
  readonly id: string;
  /** Undefined: it is not among the known items. */
  readonly item: ListedWork | undefined;
  readonly branches: readonly DependencyBranch[];
  /** Branches that are not drawn: below the deepest level, past the largest size, or drawn elsewhere. */
  readonly hidden: number;
};

const deepest = 4;
const largest = 60;

export function traceDependencies(
  id: string,
  items: readonly ListedWork[],
  direction: Direction,
): readonly DependencyBranch[] {
  const known = new Map<string, ListedWork>(items.map((item) => [item.id, item]));
  const next = direction === "needs" ? (of: string) => known.get(of)?.dependsOn ?? [] : dependentsOf(items);
  const drawn = new Set<string>([id]);
  const branchesOf = (of: string, depth: number): DependencyBranch[] => {
    const branches: DependencyBranch[] = [];
    for (const one of next(of)) {
      if (drawn.size > largest) break;
      const isNew = !drawn.has(one);
      drawn.add(one);
      const opened = isNew && depth < deepest ? branchesOf(one, depth + 1) : [];
      branches.push({ id: one, item: known.get(one), branches: opened, hidden: next(one).length - opened.length });
    }
    return branches;
  };
  return branchesOf(id, 1);
}

function dependentsOf(items: readonly ListedWork[]): (id: string) => readonly string[] {
  const dependents = new Map<string, string[]>();
  for (const { id, dependsOn } of items)
    for (const needed of dependsOn) dependents.set(needed, [...(dependents.get(needed) ?? []), id]);
  return (id) => dependents.get(id) ?? [];
}
