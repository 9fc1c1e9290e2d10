/**
 * When work last moved, on the monotonic clock of this daemon's life: an edit or a commit of the owner, or a report about
 * the item. In memory alone: after a restart every claim gets its full time again, as every lease does.
 */
import type { AgentId, WorkItemId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type ProgressClock = {
  /** The agent edited or committed: everything it owns moves. */
  worked(agent: AgentId): void;
  /** The item was won, or its owner said how far it is. */
  moved(item: WorkItemId): void;
  /** The item has no owner any more. */
  forget(item: WorkItemId): void;
  idleMs(item: WorkItemId, owner: AgentId): number;
};

export function createProgressClock(clock: Clock): ProgressClock {
  const startedAt = clock.monotonic();
  const agents = new Map<AgentId, number>();
  const items = new Map<WorkItemId, number>();
  return {
    worked: (agent) => void agents.set(agent, clock.monotonic()),
    moved: (item) => void items.set(item, clock.monotonic()),
    forget: (item) => void items.delete(item),
    idleMs: (item, owner) =>
      clock.monotonic() - Math.max(startedAt, agents.get(owner) ?? startedAt, items.get(item) ?? startedAt),
  };
}
