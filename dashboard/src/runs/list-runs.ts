/** Runs and graphs in one list, the newest first. */
import type { OutputOf } from "../daemon/contract.ts";

export type RunRow = {
  readonly id: string;
  readonly kind: "run" | "graph";
  readonly title: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly done: number;
  readonly total: number;
  readonly createdAt: number;
  readonly label: string | undefined;
  readonly outcome: string | undefined;
  /** Input and output tokens; undefined where they are not known. */
  readonly tokens: number | undefined;
  /** Calls whose tokens the provider did not report. */
  readonly unknownCalls: number;
};
type Lists = {
  readonly runs: OutputOf<"run.list">["items"];
  readonly graphs: OutputOf<"dag.list">["items"];
};

export function listRuns({ runs, graphs }: Lists): readonly RunRow[] {
  return [...runs.map(runRow), ...graphs.map(graphRow)].toSorted(
    (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  );
}

/** The states that there are, each with how many have it, in the order of the list. */
export function countStates(rows: readonly RunRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

function runRow({
  id,
  request,
  status,
  reason,
  nodes,
  createdAt,
  label,
  outcome,
  cost,
}: Lists["runs"][number]): RunRow {
  const isUnknown = cost.calls > 0 && cost.unknownCalls === cost.calls;
  return {
    id,
    kind: "run",
    title: request,
    status,
    reason,
    done: nodes.succeeded,
    total: nodes.total,
    createdAt,
    label,
    outcome: outcome === "open" ? undefined : outcome,
    tokens: isUnknown ? undefined : cost.inputTokens + cost.outputTokens,
    unknownCalls: cost.unknownCalls,
  };
}

function graphRow({ id, name, status, reason, progress, createdAt }: Lists["graphs"][number]): RunRow {
  return {
    id,
    kind: "graph",
    title: name,
    status,
    reason,
    done: progress.done,
    total: progress.total,
    createdAt,
    label: undefined,
    outcome: undefined,
    tokens: undefined,
    unknownCalls: 0,
  };
}
