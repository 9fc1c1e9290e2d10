/** One run: request, state with its reason, nodes, plan, changes, actions. */
import type { ReactNode } from "react";
import type { Run } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { goTo } from "../shell/use-route.tsx";
import { DiffView } from "./diff-view.tsx";
import { GraphTabs } from "./graph-tabs.tsx";
import { PlanView } from "./plan-view.tsx";
import { readRun } from "./read-graph.ts";
import { RunActions } from "./run-actions.tsx";
import { RunNodeDrawer } from "./run-node-drawer.tsx";
import { useReadOnce } from "./use-read-once.ts";

export function RunPage({ id, route }: { readonly id: string; readonly route: Route }): ReactNode {
  const answer = useLive("run.get", { id: id });
  return (
    <div className="page runs">
      <Answered answer={answer}>{({ run }) => <OneRun run={run} route={route} />}</Answered>
    </div>
  );
}

function OneRun({ run, route }: { readonly run: Run; readonly route: Route }): ReactNode {
  const graph = useReadOnce(run, readRun);
  const budget = useLive("run.list", { limit: 500 }).data?.items.find(({ id }) => id === run.id)?.budget;
  const { node, ...terms } = route.terms;
  const { cost } = run;
  return (
    <>
      <header className="run-head">
        <h2>
          <bdi>{run.request}</bdi>
        </h2>
        <p className="run-facts">
          <StateMark state={run.status} />
          {run.label === undefined ? null : <span className="tag">{run.label}</span>}
          {run.outcome === "open" ? null : <span className="tag">{run.outcome}</span>}
          <span className="quiet">
            {count(cost.inputTokens + cost.outputTokens, "token")} in {count(cost.calls, "call")}
            {cost.unknownCalls === 0 ? "" : `, ${cost.unknownCalls} of them unknown`}
            {budget === undefined ? "" : `, limit ${budget.toLocaleString("en")}`} · version {run.version} · started{" "}
            <TimeAgo at={run.createdAt} />
          </span>
        </p>
        {run.reason === undefined ? null : <p>{run.reason}</p>}
        <RunActions graph={graph} status={run.status} run={run} budget={budget} />
      </header>
      {run.status === "awaiting_approval" ? (
        <section className="section" aria-label="Plan that waits">
          <PlanView run={run} graph={graph} />
        </section>
      ) : null}
      <GraphTabs
        graph={graph}
        route={route}
        more={[
          // A plan that waits is above already.
          ...(run.status === "awaiting_approval"
            ? []
            : [{ key: "plan", name: "Plan", draw: () => <PlanView run={run} graph={graph} /> }]),
          { key: "changes", name: "Changes", draw: () => <DiffView id={run.id} /> },
        ]}
      />
      <CommandLine text={`sylk run show ${run.id}`} />
      {node === undefined ? null : (
        <RunNodeDrawer run={run} graph={graph} id={node} onClose={() => goTo({ ...route, terms })} />
      )}
    </>
  );
}
