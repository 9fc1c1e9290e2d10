/** When each node waited and ran, as fractions of the time shown. */
import type { Graph, GraphNode } from "./read-graph.ts";
import { inOrder } from "./order-nodes.ts";

type Span = { readonly from: number; readonly to: number };
export type TimelineRow = {
  readonly node: GraphNode;
  /** From the end of its last dependency until it started, or until now. */
  readonly waiting: Span | undefined;
  /** Its last attempt. */
  readonly running: Span | undefined;
  readonly waitedMs: number | undefined;
  readonly ranMs: number | undefined;
};
export type Timeline = {
  readonly startAt: number;
  readonly endAt: number;
  readonly rows: readonly TimelineRow[];
  /** Round times between start and end. */
  readonly ticks: readonly { readonly at: number; readonly afterMs: number }[];
};

export function layOutTimeline({ nodes, createdAt, updatedAt, hasEnded }: Graph, now: number): Timeline {
  const times = nodes.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]).filter((time) => time !== undefined);
  const startAt = times.reduce((first, time) => Math.min(first, time), createdAt);
  const lastKnown = times.reduce((last, time) => Math.max(last, time), startAt);
  const endAt = Math.max(
    hasEnded ? (times.length === 0 ? updatedAt : lastKnown) : Math.max(now, lastKnown),
    startAt + 1,
  );
  const share = (time: number): number => Math.min(1, Math.max(0, (time - startAt) / (endAt - startAt)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rows = inOrder(nodes).map((node): TimelineRow => {
    const ready = readyAt(node, byId, createdAt);
    const stopsWaiting = node.startedAt ?? (isWaiting(node) && !hasEnded ? endAt : undefined);
    const endsAt = node.endedAt ?? (node.state === "running" || node.state === "blocked" ? endAt : node.startedAt);
    const hasWaited = ready !== undefined && stopsWaiting !== undefined && stopsWaiting > ready;
    const hasRun = node.startedAt !== undefined && endsAt !== undefined;
    return {
      node,
      waiting: hasWaited ? { from: share(ready), to: share(stopsWaiting) } : undefined,
      running: hasRun ? { from: share(node.startedAt), to: share(Math.max(node.startedAt, endsAt)) } : undefined,
      waitedMs: hasWaited ? stopsWaiting - ready : undefined,
      ranMs: hasRun ? Math.max(0, endsAt - node.startedAt) : undefined,
    };
  });
  return { startAt, endAt, rows, ticks: ticksOf(endAt - startAt) };
}

const isWaiting = ({ state }: GraphNode): boolean => state === "pending" || state === "queued" || state === "blocked";

/** Undefined while a dependency has not ended. */
function readyAt(
  { dependsOn }: GraphNode,
  byId: ReadonlyMap<string, GraphNode>,
  createdAt: number,
): number | undefined {
  let ready = createdAt;
  for (const id of dependsOn) {
    const parent = byId.get(id);
    if (parent === undefined) continue;
    if (parent.endedAt === undefined) return undefined;
    ready = Math.max(ready, parent.endedAt);
  }
  return ready;
}

const steps = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000,
  1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 86_400_000,
];

/** Three to six round distances from the start. */
function ticksOf(length: number): Timeline["ticks"] {
  const step = steps.find((candidate) => length / candidate <= 5) ?? Math.ceil(length / 5 / 86_400_000) * 86_400_000;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, place) => ({
    at: Math.min(1, (place * step) / length),
    afterMs: place * step,
  }));
}
