/** Places for the nodes of a graph and ways for its edges, from top to bottom. Pure, so that a worker and a test run it alike. */
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
  /** By `wayKey`: from the bottom of a node to the top of the next, straight beside every node that lies between. */
  readonly ways: Readonly<Record<string, readonly Place[]>>;
  readonly width: number;
  readonly height: number;
};

export function wayKey(from: string, to: string): string {
  return `${from} ${to}`;
}

export function layoutGraph({ nodes, edges, nodeWidth, nodeHeight }: LayoutRequest): Layout {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 28, edgesep: 24, ranksep: 44, marginx: 0, marginy: 0 });
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
  const rows = [...new Set(Object.values(places).map(({ y }) => y))];
  const ways = Object.fromEntries(
    edges.map(([from, to]) => {
      const { points } = graph.edge(from, to) as { readonly points: readonly Place[] };
      return [wayKey(from, to), wayOf({ from: places[from]!, to: places[to]!, points, rows, nodeWidth, nodeHeight })];
    }),
  );
  const corners = [...Object.values(places), ...Object.values(ways).flatMap((way) => way.map(beside(nodeWidth)))];
  return {
    places,
    ways,
    width: corners.reduce((most, { x }) => Math.max(most, x + nodeWidth), 0),
    height: corners.reduce((most, { y }) => Math.max(most, y + nodeHeight), 0),
  };
}

/** The corner of a node whose right edge the point would be. */
const beside =
  (nodeWidth: number) =>
  ({ x }: Place): Place => ({ x: x - nodeWidth, y: 0 });

type WayTerms = Pick<LayoutRequest, "nodeWidth" | "nodeHeight"> & {
  readonly from: Place;
  readonly to: Place;
  readonly points: readonly Place[];
  /** Upper edges of the rows of nodes. */
  readonly rows: readonly number[];
};

/** An edge bends only between two rows; where it passes a row of nodes, it runs straight down. */
function wayOf({ from, to, points, rows, nodeWidth, nodeHeight }: WayTerms): readonly Place[] {
  const passed = rows.filter((top) => top > from.y && top < to.y).toSorted((a, b) => a - b);
  return [
    { x: from.x + nodeWidth / 2, y: from.y + nodeHeight },
    ...passed.flatMap((top) => {
      const { x } = nearest(points, top + nodeHeight / 2);
      return [
        { x, y: top },
        { x, y: top + nodeHeight },
      ];
    }),
    { x: to.x + nodeWidth / 2, y: to.y },
  ];
}

function nearest(points: readonly Place[], y: number): Place {
  return points.reduce((best, point) => (Math.abs(point.y - y) < Math.abs(best.y - y) ? point : best));
}
