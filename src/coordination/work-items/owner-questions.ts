/** A question to an owner has a time limit, kept as a lease of its own for each claim. */
import type { DeadlineClock } from "../leases/index.ts";
import type { ProgressClock } from "./progress-clock.ts";
import type { WorkItemRecord } from "./store.ts";

type Claim = Pick<WorkItemRecord, "id" | "fencingToken">;

/** How long the owner may take to say that it continues: the item was called stuck, or does not move. */
export function questionOf({ id, fencingToken }: Claim): string {
  return `question:${id}:${fencingToken}`;
}

/** How long the owner may take to answer who asks for the item. */
export function requestOf({ id, fencingToken }: Claim): string {
  return `handoff:${id}:${fencingToken}`;
}

/** The claim is over: nothing about it is measured any more. */
export function forgetClaim(
  claim: Claim,
  { deadlines, progress }: { readonly deadlines: DeadlineClock; readonly progress: ProgressClock },
): void {
  deadlines.end(questionOf(claim));
  deadlines.end(requestOf(claim));
  progress.forget(claim.id);
}
