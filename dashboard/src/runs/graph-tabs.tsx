/** The nodes of a run or graph as a graph, a table or a timeline; the view stands in the address. */
import { type ReactNode, useMemo, useSyncExternalStore } from "react";
import { WindowVirtualizer } from "virtua";
import { daemonNow } from "../daemon/daemon-time.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { useNow } from "../parts/use-now.ts";
import { duration } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { findCriticalPath } from "./find-critical-path.ts";
import { GraphView } from "./graph-view.tsx";
import { layOutTimeline } from "./lay-out-timeline.ts";
import { inOrder } from "./order-nodes.ts";
import { type Graph, timeOf } from "./read-graph.ts";

const narrow = matchMedia("(max-width: 52rem)");
const watchWidth = (onChange: () => void): (() => void) => {
  narrow.addEventListener("change", onChange);
  return () => narrow.removeEventListener("change", onChange);
};

export type Tab = { readonly key: string; readonly name: string; readonly draw: () => ReactNode };
type GraphTabsProps = { readonly graph: Graph; readonly route: Route; readonly more?: readonly Tab[] };

export function GraphTabs({ graph, route, more = [] }: GraphTabsProps): ReactNode {
  const isNarrow = useSyncExternalStore(watchWidth, () => narrow.matches);
  const path = useMemo(() => {
    const byId = new Map(graph.nodes.map((node) => [node.id, node]));
    const now = daemonNow();
    return new Set(findCriticalPath(graph.nodes, (id) => timeOf(byId.get(id)!, now)));
  }, [graph.nodes]);
  const tabs: readonly Tab[] = [
    { key: "graph", name: "Graph", draw: () => <GraphView graph={graph} critical={path} route={route} /> },
    { key: "table", name: "Table", draw: () => <NodeTable graph={graph} critical={path} route={route} /> },
    { key: "timeline", name: "Timeline", draw: () => <TimelineView graph={graph} route={route} /> },
    ...more,
  ];
  const wanted = route.terms["view"] ?? (isNarrow ? "table" : "graph");
  const chosen = tabs.find(({ key }) => key === wanted) ?? tabs[0]!;
  return (
    <section className="section" aria-label="Nodes">
      <nav className="tabs" aria-label="Views">
        {tabs.map(({ key, name }) => (
          <Link
            key={key}
            to={{ ...route, terms: { ...route.terms, view: key } }}
            aria-current={key === chosen.key ? "true" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {chosen.draw()}
    </section>
  );
}

type ViewProps = { readonly graph: Graph; readonly route: Route };

function NodeTable({ graph, critical, route }: ViewProps & { readonly critical: ReadonlySet<string> }): ReactNode {
  const now = useNow();
  const nodes = useMemo(() => inOrder(graph.nodes), [graph.nodes]);
  const titles = useMemo(() => new Map(graph.nodes.map(({ id, title }) => [id, title])), [graph.nodes]);
  return (
    <div role="table" aria-label="Nodes" aria-rowcount={nodes.length + 1} className="node-table">
      <div role="rowgroup">
        <div role="row" className="node-row node-head">
          {["Node", "State", "Role", "Time", "Attempts", "Depends on"].map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        <WindowVirtualizer>
          {nodes.map((node, place) => {
            const ms = timeOf(node, now);
            return (
              <div key={node.id} role="row" aria-rowindex={place + 2} className="node-row">
                <span role="cell">
                  <Link to={{ ...route, terms: { ...route.terms, node: node.id } }} className="row-title">
                    <bdi>{node.title}</bdi>
                  </Link>
                  {critical.has(node.id) ? <span className="tag">critical path</span> : null}
                </span>
                <span role="cell">
                  <StateMark state={node.state} />
                </span>
                <span role="cell" className="quiet">
                  {node.role}
                </span>
                <span role="cell" data-name="time">
                  {ms === undefined ? "–" : duration(ms)}
                </span>
                <span role="cell" data-name="attempts">
                  {node.attempt}
                </span>
                <span role="cell" className="quiet cut" data-name="depends on">
                  {node.dependsOn.map((id) => titles.get(id) ?? id).join(", ") || "nothing"}
                </span>
              </div>
            );
          })}
        </WindowVirtualizer>
      </div>
    </div>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

function TimelineView({ graph, route }: ViewProps): ReactNode {
  const now = useNow();
  const until = graph.hasEnded ? 0 : now; // a graph that has ended is laid out once
  const { rows, ticks } = useMemo(() => layOutTimeline(graph, until), [graph, until]);
  return (
    <div className="timeline">
      <div className="timeline-row" aria-hidden="true">
        <span />
        <span className="ticks">
          {ticks.map(({ at, afterMs }) => (
            <span key={afterMs} style={{ left: percent(at) }}>
              {afterMs < 1_000 ? `${afterMs} ms` : duration(afterMs)}
            </span>
          ))}
        </span>
      </div>
      <div role="list" aria-label="Timeline">
        <WindowVirtualizer>
          {rows.map(({ node, waiting, running, waitedMs, ranMs }) => (
            <div key={node.id} role="listitem" className="timeline-row">
              <Link to={{ ...route, terms: { ...route.terms, node: node.id } }} className="row-title cut">
                <bdi>{node.title}</bdi>
              </Link>
              <span className="bars">
                {[waiting, running].map((span, place) =>
                  span === undefined ? null : (
                    <span
                      key={place}
                      className={place === 0 ? "bar wait" : `bar ${node.state}`}
                      style={{ left: percent(span.from), width: percent(span.to - span.from) }}
                    />
                  ),
                )}
              </span>
              <span className="quiet timeline-words">
                {node.state}
                {ranMs === undefined ? "" : `, ${duration(ranMs)}`}
                {waitedMs === undefined ? "" : `, waited ${duration(waitedMs)}`}
                {node.attempt < 2 ? "" : `, attempt ${node.attempt}`}
              </span>
            </div>
          ))}
        </WindowVirtualizer>
      </div>
    </div>
  );
}
