/** Places for the nodes of a graph, from top to bottom. Pure, so that a worker and a test run it alike. */
import dagre from "@dagrejs/dagre";
import type { Edge } from "./order-nodes.ts";

export type Place = { readonly x: number; readonly y: number };
export type LayoutRequest = {
  readonly nodes: readonly string[];
  readonly edges: readonly Edge[];
  readonly nodeWidth: number;
  readonly nodeHeight: number;
};
export type Layout = {
  /** Upper left corners. */
  readonly places: Readonly<Record<string, Place>>;
  readonly width: number;
  readonly height: number;
};

export function layoutGraph({ nodes, edges, nodeWidth, nodeHeight }: LayoutRequest): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 44, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of nodes) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const [from, to] of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const places = Object.fromEntries(
    nodes.map((id) => {
      const { x, y } = graph.node(id) as Place;
      return [id, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }];
    }),
  );
  const corners = Object.values(places);
  return {
    places,
    width: corners.reduce((most, { x }) => Math.max(most, x + nodeWidth), 0),
    height: corners.reduce((most, { y }) => Math.max(most, y + nodeHeight), 0),
  };
}
