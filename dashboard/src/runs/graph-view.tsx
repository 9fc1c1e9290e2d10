/** The graph, drawn live: laid out by a worker, folded by level where it is large. */
import {
  Background,
  Controls,
  type Edge as FlowEdge,
  Handle,
  MarkerType,
  type Node as FlowNode,
  type NodeProps,
  Position,
  ReactFlow,
} from "@xyflow/react";
import { type ReactNode, useMemo, useRef } from "react";
import { StateMark } from "../parts/state-mark.tsx";
import { count, duration, words } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { type Band, foldLevels, type VisibleNode } from "./fold-levels.ts";
import type { Layout } from "./layout-graph.ts";
import type { Graph, GraphNode } from "./read-graph.ts";
import { timeOf } from "./read-graph.ts";
import { useLayout } from "./use-layout.ts";
import "@xyflow/react/dist/base.css";

const nodeWidth = 208;
const nodeHeight = 62;

type Shown = {
  readonly shown: VisibleNode;
  readonly isCritical: boolean;
  readonly route: Route;
  readonly ms: number | undefined;
};
type ShownNode = FlowNode<Shown, "shown">;
type GraphViewProps = { readonly graph: Graph; readonly critical: ReadonlySet<string>; readonly route: Route };

export function GraphView({ graph, critical, route }: GraphViewProps): ReactNode {
  const { open = "" } = route.terms;
  const folded = useMemo(() => foldLevels(graph.nodes, open === "" ? [] : open.split(".")), [graph.nodes, open]);
  const ids = folded.visible.map(({ id }) => id);
  const layout = useLayout({ nodes: ids, edges: folded.edges, nodeWidth, nodeHeight });
  return (
    <>
      {folded.bands.length === 0 ? null : <Bands folded={folded} route={route} total={graph.nodes.length} />}
      {layout === undefined ? (
        <p className="quiet graph-canvas">Drawing {count(ids.length, "node")}…</p>
      ) : (
        <Canvas graph={graph} folded={folded} layout={layout} critical={critical} route={route} />
      )}
    </>
  );
}

type CanvasProps = GraphViewProps & { readonly folded: ReturnType<typeof foldLevels>; readonly layout: Layout };

function Canvas({ graph, folded, layout, critical, route }: CanvasProps): ReactNode {
  const nodes = useMemo(() => {
    const now = Date.now();
    return folded.visible
      .filter(({ id }) => layout.places[id] !== undefined)
      .map((shown): ShownNode => {
        const isCritical =
          shown.kind === "node" ? critical.has(shown.id) : shown.band.ids.some((id) => critical.has(id));
        const ms = shown.kind === "node" ? timeOf(shown.node, now) : undefined;
        return {
          id: shown.id,
          type: "shown",
          position: layout.places[shown.id]!,
          width: nodeWidth,
          height: nodeHeight,
          data: { shown, isCritical, route, ms },
        };
      });
  }, [folded, layout, critical, route]);
  const edges = useMemo(() => drawnEdges(folded, critical), [folded, critical]);
  const box = useRef<HTMLDivElement>(null);
  const height = Math.min(760, Math.max(260, layout.height + 64));
  return (
    <div ref={box} className="graph-canvas" style={{ height }} data-nodes={nodes.length}>
      <ReactFlow<ShownNode>
        key={`${graph.id} ${Math.round(layout.width)} ${Math.round(layout.height)}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        zoomOnDoubleClick={false}
        minZoom={0.1}
        maxZoom={1.5}
        onInit={(flow) => void flow.setViewport(firstView(layout, { width: box.current?.clientWidth ?? 0, height }))}
        proOptions={{ hideAttribution: true }}
        aria-label="Graph of the nodes. The view “Table” has the same as text."
      >
        <Background gap={20} size={1} color="var(--line)" />
        <Controls showInteractive={false} aria-label="Zoom" />
      </ReactFlow>
    </div>
  );
}

type Box = { readonly width: number; readonly height: number };

/** All of the graph, or as much as stays legible: its middle, from the top. */
function firstView(layout: Layout, { width, height }: Box): { x: number; y: number; zoom: number } {
  const fitting = Math.min(width / (layout.width + 48), height / (layout.height + 48));
  const zoom = Math.min(1, Math.max(0.5, fitting));
  return {
    x: (width - layout.width * zoom) / 2,
    y: Math.max(24, (height - layout.height * zoom) / 2),
    zoom,
  };
}

function drawnEdges({ edges, visible }: ReturnType<typeof foldLevels>, critical: ReadonlySet<string>): FlowEdge[] {
  const onPath = new Set(
    visible
      .filter((shown) =>
        shown.kind === "node" ? critical.has(shown.id) : shown.band.ids.some((id) => critical.has(id)),
      )
      .map(({ id }) => id),
  );
  return edges.map(([source, target]) => {
    const isCritical = onPath.has(source) && onPath.has(target);
    return {
      id: `${source} ${target}`,
      source,
      target,
      className: isCritical ? "critical" : "",
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "var(--strong-line)" },
    };
  });
}

function DrawnNode({ data: { shown, isCritical, route, ms } }: NodeProps<ShownNode>): ReactNode {
  return (
    <div className={`graph-node ${isCritical ? "critical" : ""}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {shown.kind === "node" ? (
        <OneNode node={shown.node} ms={ms} route={route} isCritical={isCritical} />
      ) : (
        <FoldedBand band={shown.band} route={route} />
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

const nodeTypes = { shown: DrawnNode };

type OneNodeProps = {
  readonly node: GraphNode;
  readonly ms: number | undefined;
  readonly route: Route;
  readonly isCritical: boolean;
};

function OneNode({ node: { id, title, state, attempt }, ms, route, isCritical }: OneNodeProps): ReactNode {
  return (
    <Link to={{ ...route, terms: { ...route.terms, node: id } }} className="nopan" title={title} data-node={id}>
      <span className="graph-node-title">
        <bdi>{title}</bdi>
      </span>
      <span className="graph-node-facts">
        <StateMark state={state} />
        {ms === undefined ? null : <span className="quiet">{duration(ms)}</span>}
        {attempt < 2 ? null : <span className="quiet">attempt {attempt}</span>}
        {isCritical ? <span className="unseen">on the critical path</span> : null}
      </span>
    </Link>
  );
}

function FoldedBand({ band, route }: { readonly band: Band; readonly route: Route }): ReactNode {
  return (
    <Link to={withBand(route, band.key, true)} className="nopan band" title={`Open ${band.name}: ${sayStates(band)}`}>
      <span className="graph-node-title">
        {band.name} · {count(band.ids.length, "node")}
      </span>
      <span className="graph-node-facts">
        {[...band.states].slice(0, 2).map(([state, number]) => (
          <StateMark key={state} state={state} label={`${number} ${words(state)}`} />
        ))}
        {band.states.size > 2 ? <span className="quiet">…</span> : null}
      </span>
    </Link>
  );
}

function sayStates({ states }: Band): string {
  return [...states].map(([state, number]) => `${number} ${words(state)}`).join(", ");
}

function withBand(route: Route, key: string, isOpen: boolean): Route {
  const { open = "", ...terms } = route.terms;
  const others = open.split(".").filter((one) => one !== "" && one !== key);
  const wanted = isOpen ? [...others, key] : others;
  return { ...route, terms: wanted.length === 0 ? terms : { ...terms, open: wanted.join(".") } };
}

type BandsProps = { readonly folded: ReturnType<typeof foldLevels>; readonly route: Route; readonly total: number };

function Bands({ folded: { bands, open }, route, total }: BandsProps): ReactNode {
  const opened = bands.filter(({ key }) => open.has(key));
  return (
    <p className="bands quiet">
      {count(total, "node")} folded into {count(bands.length, "group")} by dependency level. Choose one to open it.
      {opened.map(({ key, name }) => (
        <Link key={key} to={withBand(route, key, false)} className="tag">
          Fold {name}
        </Link>
      ))}
    </p>
  );
}
