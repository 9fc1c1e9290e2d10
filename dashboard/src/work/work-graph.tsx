/** Work items that depend on each other, as a graph; items without a dependency are only counted. */
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from "react";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { graphOfWork } from "./graph-of-work.ts";
import type { ListedWork } from "./group-work.ts";

const GraphView = lazy(() => import("../runs/graph-view.tsx").then((module) => ({ default: module.GraphView })));
const noPath: ReadonlySet<string> = new Set();

type WorkGraphProps = {
  readonly items: readonly ListedWork[];
  readonly unclosed: ReadonlySet<string>;
  readonly route: Route;
};

export function WorkGraph({ items, unclosed, route }: WorkGraphProps): ReactNode {
  const graph = useMemo(() => graphOfWork(items, unclosed), [items, unclosed]);
  const linkTo = useCallback((id: string) => ({ ...route, id }), [route]);
  const alone = items.length - graph.nodes.length;
  const { view: _, ...boardTerms } = route.terms;
  return (
    <section className="section" aria-label="Dependencies">
      {graph.nodes.length === 0 ? (
        <p className="quiet">No item in view depends on another one.</p>
      ) : (
        <Suspense fallback={<p className="quiet">Loading…</p>}>
          <GraphView graph={graph} critical={noPath} route={route} linkTo={linkTo} />
        </Suspense>
      )}
      {alone === 0 ? null : (
        <p className="quiet">
          {count(alone, "item")} without a dependency: <Link to={{ ...route, terms: boardTerms }}>see the board</Link>
        </p>
      )}
    </section>
  );
}
