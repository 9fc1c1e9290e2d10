/**
 * Layers and edges of a graph. A node is one layer below the lowest of its dependencies, so the nodes of a layer are
 * mutually independent. Final nodes form the last layers. Within a layer the order is that of the plan. Expects a valid
 * graph.
 */
import type { DagNode } from "./dag.ts";

/** `to` depends on `from`. */
export type DagEdge = { readonly from: string; readonly to: string };

export function dagEdges(nodes: readonly DagNode[]): readonly DagEdge[] {
  return nodes.flatMap(({ id: to, dependsOn }) => [...new Set(dependsOn)].map((from) => ({ from, to })));
}

export function dagLayers(nodes: readonly DagNode[]): readonly (readonly string[])[] {
  const finals = nodes.filter(({ final }) => final);
  if (finals.length === 0) return layersAmong(nodes);
  return [...layersAmong(nodes.filter(({ final }) => !final)), ...layersAmong(finals)];
}

/** Ignores dependencies on nodes outside the given ones. */
function layersAmong(nodes: readonly DagNode[]): readonly (readonly string[])[] {
  const position = new Map(nodes.map(({ id }, index) => [id, index]));
  const dependents: number[][] = nodes.map(() => []);
  const open = nodes.map(({ dependsOn }) => dependsOn.filter((id) => position.has(id)).length);
  for (const [index, { dependsOn }] of nodes.entries())
    for (const id of dependsOn) dependents[position.get(id) ?? -1]?.push(index);

  const layers: string[][] = [];
  let current = [...nodes.keys()].filter((index) => open[index] === 0);
  while (current.length > 0) {
    layers.push(current.map((index) => nodes[index]?.id ?? ""));
    const freed = current.flatMap((index) => dependents[index] ?? []).filter((index) => close(open, index));
    current = freed.sort((a, b) => a - b);
  }
  return layers;
}

/** Returns true when this was the last open dependency. */
function close(open: number[], index: number): boolean {
  const left = (open[index] ?? 0) - 1;
  open[index] = left;
  return left === 0;
}
