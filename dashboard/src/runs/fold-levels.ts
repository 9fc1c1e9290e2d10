/**
 * What of a graph is drawn. A large graph is folded by level (dependency depth), so that thousands of nodes are never drawn
 * at once.
 *
 *   nodes -> levels -> bands -> open bands as nodes, all others as one node with counts
 *
 * A band is one level; several levels of a very deep graph; a part of a very wide level. Bands are cut in an order in which
 * dependencies come first, so folding never makes a cycle.
 * Invariant: every node is in exactly one visible node, and at most `most` are visible.
 */
import type { GraphNode } from "./read-graph.ts";
import { type Edge, edgesOf, levelsOf } from "./order-nodes.ts";

export const mostVisible = 300;
const mostBands = 40;
const widestBand = 100;

export type Band = {
  /** Stands in the address while the band is open. */
  readonly key: string;
  readonly name: string;
  readonly ids: readonly string[];
  readonly states: ReadonlyMap<GraphNode["state"], number>;
};
export type VisibleNode =
  | { readonly kind: "node"; readonly id: string; readonly node: GraphNode }
  | { readonly kind: "band"; readonly id: string; readonly band: Band };
export type Folded = {
  readonly visible: readonly VisibleNode[];
  /** Between visible nodes; each once. */
  readonly edges: readonly Edge[];
  /** All bands, folded or open; none where the graph is drawn whole. */
  readonly bands: readonly Band[];
  /** Keys of the bands that are drawn as nodes. */
  readonly open: ReadonlySet<string>;
};

/** `wanted`: keys of bands to open, the most recent last. The most recent win where not all fit. */
export function foldLevels(nodes: readonly GraphNode[], wanted: readonly string[] = [], most = mostVisible): Folded {
  const bands = nodes.length <= most ? [] : bandsOf(nodes);
  const open = bands.length === 0 ? new Set<string>() : openBands(bands, wanted, most);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const asNode = (node: GraphNode): VisibleNode => ({ kind: "node", id: node.id, node });
  const visible =
    bands.length === 0
      ? nodes.map(asNode)
      : bands.flatMap((band): readonly VisibleNode[] =>
          open.has(band.key)
            ? band.ids.map((id) => asNode(byId.get(id)!))
            : [{ kind: "band", id: `band ${band.key}`, band }],
        );
  return { visible, edges: imagesOf(edgesOf(nodes), visible), bands, open };
}

/** Every real edge between two visible nodes, once. */
function imagesOf(edges: readonly Edge[], visible: readonly VisibleNode[]): readonly Edge[] {
  const shownAs = new Map(
    visible.flatMap((shown) =>
      shown.kind === "node" ? [[shown.id, shown.id] as const] : shown.band.ids.map((id) => [id, shown.id] as const),
    ),
  );
  const images = new Map<string, Edge>();
  for (const [from, to] of edges) {
    const image = [shownAs.get(from)!, shownAs.get(to)!] as const;
    if (image[0] !== image[1]) images.set(image.join("\0"), image);
  }
  return [...images.values()];
}

function openBands(bands: readonly Band[], wanted: readonly string[], most: number): ReadonlySet<string> {
  const open = new Set<string>();
  let visible = bands.length;
  for (const key of wanted.toReversed()) {
    const band = bands.find((candidate) => candidate.key === key);
    if (band === undefined || open.has(key) || visible + band.ids.length - 1 > most) continue;
    visible += band.ids.length - 1;
    open.add(key);
  }
  return open;
}

function bandsOf(nodes: readonly GraphNode[]): readonly Band[] {
  const levels = levelsOf(nodes);
  const depth = Math.max(...levels.values()) + 1;
  const perBand = Math.ceil(depth / mostBands);
  const grouped = Map.groupBy(nodes, ({ id }) => Math.floor(levels.get(id)! / perBand));
  return [...grouped]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([place, group]) => {
      const inLevels = group.toSorted((a, b) => levels.get(a.id)! - levels.get(b.id)!);
      const first = place * perBand + 1;
      const last = Math.min(depth, first + perBand - 1);
      const name = first === last ? `Level ${first}` : `Levels ${first} to ${last}`;
      return slicesOf(inLevels, nodes.length).map((slice, part, { length }) =>
        bandOf(
          `${first}${part === 0 ? "" : `-${part + 1}`}`,
          length === 1 ? name : `${name}, part ${part + 1} of ${length}`,
          slice,
        ),
      );
    });
}

function bandOf(key: string, name: string, nodes: readonly GraphNode[]): Band {
  const states = new Map<GraphNode["state"], number>();
  for (const { state } of nodes) states.set(state, (states.get(state) ?? 0) + 1);
  return { key, name, ids: nodes.map(({ id }) => id), states };
}

/** A very large graph has wider parts, so that the folded ones alone stay few. */
function slicesOf<Item>(items: readonly Item[], all: number): readonly (readonly Item[])[] {
  const width = Math.max(widestBand, Math.ceil(all / widestBand));
  return Array.from({ length: Math.ceil(items.length / width) }, (_, part) =>
    items.slice(part * width, (part + 1) * width),
  );
}
