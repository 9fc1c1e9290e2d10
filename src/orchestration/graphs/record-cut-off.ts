/** Attempts that the end of a daemon cut off, in a graph that rests: its nodes wait for their next attempt. */
import type { IdSource } from "../../platform/ids/index.ts";
import type { JournalEntry } from "../dag/index.ts";
import { type GraphFollower, type GraphTx, recordBatch } from "./record-batch.ts";
import type { GraphRecord } from "./store.ts";

/** A graph that continues needs it not: its engine records the same. */
export async function recordCutOff<Tx extends GraphTx>(
  graph: GraphRecord,
  tx: Tx,
  { now, ids }: { readonly now: number; readonly ids: IdSource },
  follower: GraphFollower<Tx>,
): Promise<void> {
  const running = (await tx.dags.nodesOf(graph.id)).filter(({ record }) => record.state === "running");
  const entries = running.map(({ node, record }): JournalEntry => {
    const { state: from, attempt, retries, answers, interruptions } = record;
    const kept = { ...(answers && { answers }), ...(interruptions !== undefined && { interruptions }) };
    const move = { node, from, to: "queued", cause: "interrupted", attempt, retries, at: now } as const;
    return { kind: "transition", transition: { ...move, ...kept } };
  });
  if (entries.length > 0) await recordBatch(graph, { entries, outputs: new Map(), now, ids }, tx, follower);
}
