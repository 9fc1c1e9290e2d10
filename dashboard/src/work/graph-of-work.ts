/** Work items with dependencies as nodes of a graph. A dependency that is not in view is left out. */
import type { Graph, GraphNode } from "../runs/read-graph.ts";
import { columnOf, type ListedWork } from "./group-work.ts";

export function graphOfWork(items: readonly ListedWork[], unclosed: ReadonlySet<string>): Pick<Graph, "id" | "nodes"> {
  const known = new Set<string>(items.map(({ id }) => id));
  const joined = new Set<string>();
  for (const { id, dependsOn } of items)
    for (const needed of dependsOn)
      if (known.has(needed)) {
        joined.add(id);
        joined.add(needed);
      }
  return { id: "work", nodes: items.filter(({ id }) => joined.has(id)).map((item) => nodeOf(item, unclosed)) };
}

function nodeOf(item: ListedWork, unclosed: ReadonlySet<string>): GraphNode {
  const { id, title, type, owner, body = "", dependsOn } = item;
  const column = columnOf(item, unclosed);
  const state = column === "ready" ? "open" : column;
  return { id, title, kind: type, role: owner?.name ?? "", text: body, dependsOn, state, attempt: 0 };
}
