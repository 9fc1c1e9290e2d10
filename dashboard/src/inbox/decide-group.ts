/**
 * One decision for all requests with one cause. The daemon may settle several of them with the first: a request that was
 * settled meanwhile is not a refusal.
 */
import { DomainError, type InboxItem } from "../daemon/contract.ts";

type DecideOne = (item: InboxItem) => Promise<unknown>;

/** Throws what refused the first, or any other request for a reason of its own. */
export async function decideGroup(items: readonly InboxItem[], decideOne: DecideOne): Promise<void> {
  for (const [index, item] of items.entries()) {
    try {
      await decideOne(item);
    } catch (error) {
      if (index === 0 || !isSettled(error)) throw error;
    }
  }
}

function isSettled(error: unknown): boolean {
  return error instanceof DomainError && (error.code === "approval.decided" || error.code === "approval.not-found");
}
