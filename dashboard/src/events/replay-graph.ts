/**
 * A run or a graph at any step of its past.
 *
 *   events 0..n of one run -> status, nodes with state, checks, cost
 *
 * Invariant: replayed to the end it equals what the daemon says of the run now.
 */
import type { LogEvent } from "../daemon/contract.ts";

export type ReplayedNode = {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly attempt: number;
  readonly agent?: string | undefined;
  readonly why?: string | undefined;
};
export type ReplayedCheck = {
  readonly kind: string;
  readonly round: number;
  readonly outcome: string;
  readonly summary: string;
};
export type Replay = {
  readonly status: string | undefined;
  readonly reason?: string | undefined;
  readonly outcome: string;
  readonly nodes: ReadonlyMap<string, ReplayedNode>;
  readonly checks: readonly ReplayedCheck[];
  readonly cost: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly unknownCalls: number;
  };
};

export function emptyReplay(nodes: readonly { readonly id: string; readonly title: string }[] = []): Replay {
  return {
    status: undefined,
    outcome: "open",
    nodes: new Map(nodes.map((node) => [node.id, { ...node, state: "pending", attempt: 0 }])),
    checks: [],
    cost: { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0 },
  };
}

/** Events about this run or graph, in order. */
export function eventsOfGraph(id: string, events: readonly LogEvent[]): readonly LogEvent[] {
  return events.filter(({ data }) => data["run"] === id || data["dag"] === id);
}

export function replay(events: readonly LogEvent[], start: Replay = emptyReplay()): Replay {
  return events.reduce(step, start);
}

type Move = {
  readonly node: string;
  readonly title?: string;
  readonly to: string;
  readonly attempt: number;
  readonly agent?: string;
  readonly error?: string;
  readonly cause?: string;
};

function step(state: Replay, { type, data }: LogEvent): Replay {
  switch (type) {
    case "run.started":
      return { ...state, status: "planning" };
    case "dag.started":
      return { ...state, status: "running" };
    case "run.status-changed":
      return { ...state, status: data["to"] as string, reason: data["reason"] as string | undefined };
    case "run.outcome-changed":
      return { ...state, outcome: data["outcome"] as string };
    case "run.planned":
      return { ...state, nodes: plan(state.nodes, data["nodes"] as readonly { id: string; title: string }[]) };
    case "run.node-changed":
      return { ...state, nodes: move(state.nodes, [data as Move]) };
    case "run.checked":
      return { ...state, checks: [...state.checks, data["check"] as ReplayedCheck] };
    case "run.spent":
      return { ...state, cost: add(state.cost, data["cost"] as Replay["cost"]) };
    case "dag.changed": {
      const status = data["status"] as string | undefined;
      const nodes = move(state.nodes, data["transitions"] as readonly Move[]);
      return status === undefined
        ? { ...state, nodes }
        : { ...state, nodes, status, reason: data["reason"] as string | undefined };
    }
    default:
      return state;
  }
}

function plan(
  nodes: Replay["nodes"],
  planned: readonly { readonly id: string; readonly title: string }[],
): Replay["nodes"] {
  const next = new Map(nodes);
  for (const { id, title } of planned) next.set(id, { state: "pending", attempt: 0, ...next.get(id), id, title });
  return next;
}

function move(nodes: Replay["nodes"], moves: readonly Move[]): Replay["nodes"] {
  const next = new Map(nodes);
  for (const { node, title, to, attempt, agent, error, cause } of moves)
    next.set(node, {
      id: node,
      title: title ?? next.get(node)?.title ?? node,
      state: to,
      attempt,
      agent,
      why: error ?? cause,
    });
  return next;
}

function add(a: Replay["cost"], b: Replay["cost"]): Replay["cost"] {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    unknownCalls: a.unknownCalls + b.unknownCalls,
  };
}
