/** Nodes of a run that was stopped: none of them runs any more, and the log says so. */
import type { NodeState, RunStatus } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { applyTransition, type JournalTx } from "./journal.ts";
import type { RunRecord } from "./store.ts";

const over: ReadonlySet<NodeState> = new Set(["succeeded", "failed", "skipped", "cancelled"]);

/** Paused: what ran waits for its next attempt. Cancelled: what had not ended never will. */
export async function stopNodes(
  run: RunRecord,
  status: Extract<RunStatus, "paused" | "cancelled">,
  tx: JournalTx,
  { clock }: { readonly clock: Clock },
): Promise<void> {
  for (const { id: node, state: from, attempt, record } of await tx.runs.nodesOf(run.id)) {
    const stopped = status === "paused" ? from === "running" : !over.has(from);
    if (!stopped) continue;
    const after =
      status === "paused"
        ? ({ to: "queued", cause: "interrupted" } as const)
        : ({ to: "cancelled", cause: "cancel-requested" } as const);
    await applyTransition(run, { node, from, ...after, attempt, retries: record?.retries ?? 0, at: clock.now() }, tx);
  }
}
