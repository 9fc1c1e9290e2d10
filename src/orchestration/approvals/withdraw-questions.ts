/**
 * Questions that no asker waits for any more leave every list.
 *
 *   the run ended        -> all but the question about its evidence, which waits for the person
 *   merged or discarded  -> that one too
 *   the daemon restarted -> questions about commands: their askers were conversations of the daemon that is gone
 */
import type { Approval, GraphId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { type ApprovalTx, settle } from "./ask-person.ts";

export type Withdrawn = Pick<Approval, "reason"> & {
  readonly status: "expired" | "rejected";
  readonly kinds?: readonly Approval["kind"][];
};

export async function withdrawQuestions(
  graph: GraphId | undefined,
  { status, reason, kinds }: Withdrawn,
  tx: ApprovalTx,
  clock: Pick<Clock, "now">,
): Promise<void> {
  for (const { project, ...waiting } of await tx.approvals.list({ graph, project: undefined, waitingOnly: true }))
    if (kinds === undefined || kinds.includes(waiting.kind))
      await settle(waiting, project, { status, reason }, tx, clock);
}

/** Before a new daemon continues its runs: each command that is still wanted is asked about again. */
export function withdrawUnasked(store: Store<ApprovalTx>, clock: Pick<Clock, "now">): Promise<void> {
  const withdrawn = { status: "expired", reason: "the daemon was restarted", kinds: ["command"] } as const;
  return store.transact("approvals", (tx) => withdrawQuestions(undefined, withdrawn, tx, clock));
}
