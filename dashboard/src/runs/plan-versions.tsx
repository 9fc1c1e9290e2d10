/** The versions of a plan, the newest first, each with what it changed. */
import { type ReactNode, useMemo } from "react";
import type { Run } from "../daemon/contract.ts";
import { useGraphEvents } from "../events/use-graph-events.ts";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import type { Graph } from "./read-graph.ts";
import { readPlanVersions } from "./read-plan-versions.ts";

const signs = { same: " ", added: "+", removed: "−" } as const;

export function PlanVersions({ run, graph }: { readonly run: Run; readonly graph: Graph }): ReactNode {
  const { events } = useGraphEvents(run.id, graph);
  const { versions, removed } = useMemo(() => readPlanVersions(events, run.nodes), [events, run.nodes]);
  if (versions.length === 0) return null;
  return (
    <>
      <h3>Versions of the plan</h3>
      {removed.length === 0 ? null : (
        <p>
          Removed since: <bdi>{removed.map(({ title }) => title).join(", ")}</bdi>
        </p>
      )}
      <ol className="plan-versions" aria-label="Versions of the plan">
        {versions.toReversed().map(({ number, at, origin, added, changed, sequence }) => (
          <li key={sequence}>
            <p>
              <strong>Version {number}</strong>: {origin}, {count(added.length, "node")} added,{" "}
              {count(changed.length, "node")} changed <TimeAgo at={at} />
            </p>
            {added.map(({ id, title }) => (
              <p key={id} className="quiet">
                + <bdi>{title}</bdi>
              </p>
            ))}
            {changed.map(({ node, lines }) => (
              <pre key={node.id} className="plan-diff" tabIndex={0} aria-label={`What changed of ${node.title}`}>
                {lines.map(({ kind, text }, place) => (
                  <span key={place} className={kind}>
                    {signs[kind]} {text}
                    {"\n"}
                  </span>
                ))}
              </pre>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
