/** All events of a run or a graph: read from its first one, and on from there whenever it has changed. */
import { useEffect, useRef, useState } from "react";
import type { LogEvent } from "../daemon/contract.ts";
import { useDaemon, useLive } from "../live/live-context.tsx";
import type { Answer } from "../live/live-store.ts";
import { eventsOfGraph } from "./replay-graph.ts";

export type ReplayedGraph = {
  readonly name: string;
  readonly since: number;
  readonly status: string;
  readonly updatedAt: number;
  /** What the nodes are called; of a graph they are known from the beginning. */
  readonly nodes: readonly { readonly id: string; readonly title: string }[];
};

export function useGraph(id: string): Answer<ReplayedGraph> {
  const isGraph = id.startsWith("dag_");
  const run = useLive("run.get", isGraph ? undefined : { id: id });
  const dag = useLive("dag.show", isGraph ? { id: id } : undefined);
  const problem = run.problem ?? dag.problem;
  const data =
    dag.data !== undefined
      ? { ...dag.data.dag, nodes: dag.data.dag.nodes.map(({ name }) => ({ id: name, title: name })) }
      : run.data === undefined
        ? undefined
        : { ...run.data.run, name: run.data.run.request, nodes: [] };
  return { ...(data === undefined ? {} : { data }), ...(problem === undefined ? {} : { problem }) };
}

type GraphEvents = { readonly events: readonly LogEvent[]; readonly isWhole: boolean; readonly problem?: string };

export function useGraphEvents(id: string, graph: ReplayedGraph | undefined): GraphEvents {
  const { client } = useDaemon();
  const [state, setState] = useState<GraphEvents>({ events: [], isWhole: false });
  const cursor = useRef<number | undefined>(undefined);
  const [since, updatedAt, status] = [graph?.since, graph?.updatedAt, graph?.status];
  useEffect(() => {
    if (since === undefined) return;
    let isOver = false;
    const type = id.startsWith("dag_") ? "dag.*" : "run.*";
    void (async () => {
      for (let isMore = true; isMore;) {
        const page = await client.call("event.list", { after: cursor.current ?? since, type, limit: 1_000 });
        if (isOver) return;
        cursor.current = page.lastSequence;
        isMore = page.nextCursor !== undefined;
        setState(({ events }) => ({ events: [...events, ...eventsOfGraph(id, page.items)], isWhole: !isMore }));
      }
    })().catch((error: unknown) => {
      if (!isOver) setState((known) => ({ ...known, problem: error instanceof Error ? error.message : String(error) }));
    });
    return () => {
      isOver = true;
    };
  }, [client, id, since, updatedAt, status]);
  return state;
}
