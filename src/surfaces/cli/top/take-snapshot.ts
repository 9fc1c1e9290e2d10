/** Everything that `sylk top` shows, as of one moment: the agents, and what needs the person who looks. */
import type { OutputOf, PresentAgent } from "../../../contract/index.ts";
import { defined } from "../../../platform/defined.ts";
import type { SylkClient } from "../../client/index.ts";

export type TopSnapshot = {
  readonly agents: readonly PresentAgent[];
  /** There are more than were read. */
  readonly hasMore: boolean;
  readonly notEnforced?: string;
  readonly notInstalled: readonly string[];
  /** Summaries of unresolved incidents. */
  readonly incidents: readonly string[];
  /** Decisions that wait for the person. */
  readonly decisions: OutputOf<"approval.list">["items"];
  /** The event up to which it was read: follow from here. */
  readonly cursor: number;
};

const mostAgents = 500;
const mostDecisions = 100;

export async function takeSnapshot(client: SylkClient, isOfAll: boolean): Promise<TopSnapshot> {
  const all = isOfAll ? { all: true } : {};
  // The cursor first: what happens while the rest is read is told again, and never missed.
  const { lastSequence: cursor } = await client.call("event.list", { newest: true, limit: 1 });
  const [present, inbox, status] = await Promise.all([
    client.call("agent.list", { limit: mostAgents, ...all }),
    client.call("approval.list", { limit: mostDecisions, ...all }),
    client.call("daemon.status", {}),
  ]);
  return {
    agents: present.items,
    hasMore: present.nextCursor !== undefined,
    ...defined({ notEnforced: present.notEnforced }),
    notInstalled: present.notInstalled ?? [],
    incidents: status.unresolved ?? [],
    decisions: inbox.items,
    cursor,
  };
}
