/** Problems of the edges of nodes as a file has them, whatever else is wrong with these nodes. */
import { cycleProblems, dependencyProblems } from "./dependency-problems.ts";
import { indexGraph } from "./graph-index.ts";

/** `isWhole`: there are no other nodes, so a dependency on one that is not here is a problem. */
export function writtenEdgeProblems(
  nodes: unknown,
  isWhole: boolean,
): readonly { readonly path: string; readonly message: string }[] {
  if (typeof nodes !== "object" || nodes === null) return [];
  const written = Object.entries(nodes).map(([id, terms]) => ({ id, dependsOn: namesIn(terms) }));
  const index = indexGraph(written);
  const found = [
    ...dependencyProblems(written, (id) => !isWhole || index.position.has(id)),
    ...cycleProblems(written, index),
  ];
  return found.map(({ message, nodes: [node] }) => ({ path: `nodes.${node}.dependsOn`, message }));
}

function namesIn(terms: unknown): readonly string[] {
  const { dependsOn } = (terms ?? {}) as { readonly dependsOn?: unknown };
  return Array.isArray(dependsOn) ? dependsOn.filter((name) => typeof name === "string") : [];
}
