/** The graph, drawn live: laid out by a worker, folded by level where it is large. */
import {
  Background,
  BaseEdge,
  Controls,
  type Edge as FlowEdge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node as FlowNode,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from "@xyflow/react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { daemonNow } from "../daemon/daemon-time.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { count, duration, words } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { type Band, foldLevels, type VisibleNode } from "./fold-levels.ts";
import { type Layout, type Place, wayKey } from "./layout-graph.ts";
import type { Graph, GraphNode } from "./read-graph.ts";
import { timeOf } from "./read-graph.ts";
import { useLayout } from "./use-layout.ts";
import "@xyflow/react/dist/base.css";
import "./graph.css";

const nodeWidth = 208;
const nodeHeight = 62;

type Shown = {
  readonly shown: VisibleNode;
  readonly isCritical: boolean;
  readonly route: Route;
  readonly linkTo: LinkTo;
  readonly ms: number | undefined;
};
/** Where a node leads. */
export type LinkTo = (id: string) => Route;
type ShownNode = FlowNode<Shown, "shown">;
type ShownEdge = FlowEdge<{ readonly way: readonly Place[] }, "way">;
type GraphViewProps = {
  readonly graph: Pick<Graph, "id" | "nodes">;
  /** Ids of the nodes of the critical path, in its order. */
  readonly critical: ReadonlySet<string>;
  readonly route: Route;
  /** Default: the node in the address, beside the graph. */
  readonly linkTo?: LinkTo | undefined;
};

export function GraphView({ graph, critical, route, linkTo }: GraphViewProps): ReactNode {
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
        <Canvas graph={graph} folded={folded} layout={layout} critical={critical} route={route} linkTo={linkTo} />
      )}
    </>
  );
}

type CanvasProps = GraphViewProps & { readonly folded: ReturnType<typeof foldLevels>; readonly layout: Layout };

function Canvas({ graph, folded, layout, critical, route, linkTo }: CanvasProps): ReactNode {
  const nodes = useMemo(() => {
    const now = daemonNow();
    const inAddress: LinkTo = (node) => ({ ...route, terms: { ...route.terms, node } });
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
          data: { shown, isCritical, route, linkTo: linkTo ?? inAddress, ms },
        };
      });
  }, [folded, layout, critical, route, linkTo]);
  const edges = useMemo(() => drawnEdges(folded, layout, critical), [folded, layout, critical]);
  const box = useRef<HTMLDivElement>(null);
  const height = Math.min(760, Math.max(260, layout.height + 64));
  const [flow, setFlow] = useState<ReactFlowInstance<ShownNode, ShownEdge>>();
  const isMoved = useRef(false); // by the person, whose view is kept
  useEffect(() => {
    if (flow === undefined || box.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (!isMoved.current && width > 0) void flow.setViewport(firstView(layout, { width, height }));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [flow, layout, height]);
  return (
    <div ref={box} className="graph-canvas" style={{ height }} data-nodes={nodes.length}>
      <ReactFlow<ShownNode, ShownEdge>
        key={`${graph.id} ${Math.round(layout.width)} ${Math.round(layout.height)}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
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
        onInit={(made) => {
          isMoved.current = false;
          setFlow(made);
        }}
        onMoveStart={(event) => {
          if (event !== null) isMoved.current = true;
        }}
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
  const zoom = Math.min(1, Math.max(0.75, fitting));
  return {
    x: (width - layout.width * zoom) / 2,
    y: Math.max(24, (height - layout.height * zoom) / 2),
    zoom,
  };
}

function drawnEdges(
  { edges, visible }: ReturnType<typeof foldLevels>,
  { ways }: Layout,
  critical: ReadonlySet<string>,
): ShownEdge[] {
  const shownAs = new Map(
    visible.flatMap((shown) => (shown.kind === "node" ? [shown.id] : shown.band.ids).map((id) => [id, shown.id])),
  );
  const path = [...critical].map((id) => shownAs.get(id));
  const steps = new Set(path.map((id, place) => `${path[place - 1]} ${id}`));
  return edges.flatMap(([source, target]) => {
    const way = ways[wayKey(source, target)];
    if (way === undefined) return []; // the layout is of the last version of the graph
    const isCritical = steps.has(`${source} ${target}`);
    const color = isCritical ? "var(--accent)" : "var(--strong-line)";
    return {
      id: `${source} ${target}`,
      type: "way",
      source,
      target,
      data: { way },
      className: isCritical ? "critical" : "",
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color },
    };
  });
}

/** Bends between rows, straight lines beside nodes. */
function DrawnEdge({ data, markerEnd }: EdgeProps<ShownEdge>): ReactNode {
  const [start, ...rest] = data!.way;
  let [last, path] = [start!, `M${start!.x},${start!.y}`];
  for (const [place, { x, y }] of rest.entries()) {
    const middle = (last.y + y) / 2;
    path += place % 2 === 0 ? ` C${last.x},${middle} ${x},${middle} ${x},${y}` : ` L${x},${y}`;
    last = { x, y };
  }
  return <BaseEdge path={path} {...(markerEnd === undefined ? {} : { markerEnd })} />;
}

const edgeTypes = { way: DrawnEdge };

function DrawnNode({ data: { shown, isCritical, route, linkTo, ms } }: NodeProps<ShownNode>): ReactNode {
  return (
    <div className={`graph-node ${isCritical ? "critical" : ""}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {shown.kind === "node" ? (
        <OneNode node={shown.node} ms={ms} to={linkTo(shown.id)} isCritical={isCritical} />
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
  readonly to: Route;
  readonly isCritical: boolean;
};

function OneNode({ node: { id, title, state, attempt }, ms, to, isCritical }: OneNodeProps): ReactNode {
  return (
    <Link to={to} className="nopan" title={title} data-node={id}>
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
