/**
 * Announcing a commit, damped where its agent has just resolved a conflict: what it resolved touches the work of several, and
 * often a second commit follows. What waits is told in the end, also when the daemon stops; after a crash all agents look
 * again at everything anyway.
 */
import type { AgentId, InputOf, OutputOf } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import type { WorkItemRepository } from "../work-items/index.ts";
import {
  announceCommit,
  checkedPaths,
  type AnnounceCall,
  type CommitPorts,
  type CommitRepositories,
} from "./announce-commit.ts";

export type Announcements = {
  announce(wanted: InputOf<"commit.announce">, call: AnnounceCall): Promise<OutputOf<"commit.announce">>;
  /** What waits is told now. */
  stop(): Promise<void>;
};
type Ports = CommitPorts & {
  readonly store: Store<CommitRepositories & { readonly workItems: WorkItemRepository }>;
  readonly onFailed: (error: unknown) => void;
};
type Waiting = { readonly timer: Timer; readonly tell: () => Promise<void> };

const waitMs = 30_000;

export function createAnnouncements(ports: Ports): Announcements {
  const { clock, store, onFailed } = ports;
  const waiting = new Set<Waiting>();
  return {
    async announce(wanted, call) {
      if (!(await resolvesConflict(call.caller.agent.id, store.reader.workItems)))
        return announceCommit(wanted, call, ports);
      checkedPaths(wanted.paths);
      await call.transact(call.caller.project.id, async (tx) => {
        await requireLiveAgent(call.caller, tx);
        return { told: [], inMs: waitMs };
      });
      const late = { caller: call.caller, transact: store.transact };
      const tell = async (): Promise<void> => {
        waiting.delete(one);
        await announceCommit(wanted, late, ports, { isLate: true }).catch(onFailed);
      };
      const one: Waiting = { timer: clock.after(waitMs, () => void tell()), tell };
      waiting.add(one);
      return { told: [], inMs: waitMs };
    },
    async stop() {
      for (const { timer, tell } of waiting) {
        timer.cancel();
        await tell();
      }
    },
  };
}

/** The work of resolving one is its own until it closes it, which comes after the commit. */
async function resolvesConflict(agent: AgentId, workItems: WorkItemRepository): Promise<boolean> {
  const owned = await workItems.ownedBy(agent);
  return owned.some(({ type, labels }) => type === "merge" && labels.some((label) => label.startsWith("merge:")));
}
