/** One graph of commands and prompts: state, nodes, actions. */
import type { ReactNode } from "react";
import type { Dag } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { duration } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { goTo } from "../shell/use-route.tsx";
import { GraphTabs } from "./graph-tabs.tsx";
import { NodeActions } from "./node-actions.tsx";
import { NodeLog } from "./node-log.tsx";
import { type Graph, readDag } from "./read-graph.ts";
import { RunActions } from "./run-actions.tsx";
import { useReadOnce } from "./use-read-once.ts";

type DagPageProps = { readonly id: string; readonly route: Route };

export function DagPage({ id, route }: DagPageProps): ReactNode {
  const answer = useLive("dag.show", { id: id });
  return (
    <div className="page runs">
      <Answered answer={answer}>{({ dag }) => <OneDag dag={dag} route={route} />}</Answered>
    </div>
  );
}

function OneDag({ dag, route }: { readonly dag: Dag; readonly route: Route }): ReactNode {
  const graph = useReadOnce(dag, readDag);
  const { node, ...terms } = route.terms;
  return (
    <>
      <header className="run-head">
        <h2>
          <bdi>{dag.name}</bdi>
        </h2>
        <p className="run-facts">
          <StateMark state={dag.status} />
          {dag.label === undefined ? null : <span className="tag">{dag.label}</span>}
          <span className="quiet">
            {dag.progress.done.toLocaleString("en")} of {dag.progress.total.toLocaleString("en")} nodes · version{" "}
            {dag.version} · started <TimeAgo at={dag.createdAt} />
            {graph.hasEnded ? "" : ` · time left ${dag.etaMs === "unknown" ? "unknown" : duration(dag.etaMs)}`} · tokens
            unknown
          </span>
        </p>
        {dag.reason === undefined ? null : <p>{dag.reason}</p>}
        <RunActions graph={graph} status={dag.status} />
      </header>
      <GraphTabs graph={graph} route={route} />
      <CommandLine text={`sylk dag show ${dag.id}`} />
      {node === undefined ? null : (
        <DagNodeDrawer graph={graph} name={node} onClose={() => goTo({ ...route, terms })} />
      )}
    </>
  );
}

type DrawerProps = { readonly graph: Graph; readonly name: string; readonly onClose: () => void };

function DagNodeDrawer({ graph, name, onClose }: DrawerProps): ReactNode {
  const answer = useLive("dag.show", { id: graph.id, node: name });
  return (
    <Drawer title={<bdi>{name}</bdi>} onClose={onClose}>
      <Answered answer={answer}>
        {({ dag }) => {
          const node = dag.nodes.find((one) => one.name === name);
          if (node === undefined) return <p>This graph has no node “{name}” any more.</p>;
          return (
            <>
              <Facts
                rows={[
                  ["State", <StateMark key="state" state={node.state} />],
                  ["Reason", node.error ?? node.cause ?? "none"],
                  ["Attempts", node.attempt],
                  ["Started", node.startedAt === undefined ? "not yet" : <TimeAgo key="at" at={node.startedAt} />],
                  ["Ended", node.endedAt === undefined ? "not yet" : <TimeAgo key="end" at={node.endedAt} />],
                  ["Exit code", node.exitCode],
                  ["Depends on", node.dependsOn.join(", ") || "nothing"],
                  ["Cost", undefined],
                ]}
              />
              {node.question === undefined ? null : <p className="callout">{node.question}</p>}
              <NodeActions
                graph={graph}
                node={{ ...node, id: name, title: name }}
                needsAnswer={node.blockedOn === "approval"}
              />
              <h3>{node.kind === "prompt" ? "Prompt" : "Command"}</h3>
              <pre className="listing">{node.text}</pre>
              <h3>Output</h3>
              {node.output === undefined || node.output === "" ? (
                <p className="quiet">It has written nothing.</p>
              ) : (
                <pre className="listing" tabIndex={0} aria-label="Output">
                  {node.output}
                </pre>
              )}
              <NodeLog graph={graph} node={name} left={node.artifacts ?? {}} />
              <CommandLine text={`sylk dag show ${graph.id} --node ${name}`} />
            </>
          );
        }}
      </Answered>
    </Drawer>
  );
}
