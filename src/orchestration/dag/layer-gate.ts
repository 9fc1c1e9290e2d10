/**
 * The gate of layered mode: a node passes once every node of the layers above its own has ended.
 *
 *   layers of the graph -> count of unended nodes in each -> the first layer with such a node is open
 *
 * A blocked node has not ended, so it keeps later layers closed. A retry in an earlier layer closes the gate again, but
 * running nodes continue.
 */
import type { DagNode } from "./dag.ts";
import { dagLayers } from "./dag-layers.ts";

export type LayerGate = { readonly layerOf: number[]; readonly unended: number[]; open: number };

type Graph = {
  readonly nodes: readonly DagNode[];
  readonly position: ReadonlyMap<string, number>;
  readonly hasEnded: (index: number) => boolean;
};

/** Visits every node and edge once. */
export function createLayerGate({ nodes, position, hasEnded }: Graph): LayerGate {
  const layerOf: number[] = [];
  const unended = dagLayers(nodes).map((ids, layer) => {
    const indexes = ids.map((id) => position.get(id) ?? -1);
    for (const index of indexes) layerOf[index] = layer;
    return indexes.filter((index) => !hasEnded(index)).length;
  });
  return { layerOf, unended, open: 0 };
}

export function mayPass(gate: LayerGate | undefined, index: number): boolean {
  if (!gate) return true;
  while (gate.open < gate.unended.length - 1 && gate.unended[gate.open] === 0) gate.open++;
  return (gate.layerOf[index] ?? 0) <= gate.open;
}

/** Ordered by layer, then by plan. */
export function passesBefore(gate: LayerGate | undefined, a: number, b: number): boolean {
  const [layerA = 0, layerB = 0] = gate ? [gate.layerOf[a], gate.layerOf[b]] : [];
  return layerA === layerB ? a < b : layerA < layerB;
}

export function countEnd(gate: LayerGate, index: number, ended: boolean): void {
  const layer = gate.layerOf[index] ?? 0;
  gate.unended[layer] = (gate.unended[layer] ?? 0) + (ended ? -1 : 1);
  if (!ended) gate.open = Math.min(gate.open, layer);
}
