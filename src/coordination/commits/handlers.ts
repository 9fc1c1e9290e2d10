/** Handlers of commits: what `contract/commit.ts` names. */
import type { AgentId } from "../../contract/index.ts";
import { inSteps, type AgentCall, type OperationHandlers, type OperationsOn } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { CommitRepositories } from "./announce-commit.ts";
import type { Announcements } from "./announce-later.ts";
import { createCommit, type CreateCommitPorts, type GatedCommit } from "./create-commit.ts";

export type CommitHandlerPorts<Repositories extends CommitRepositories> = Omit<CreateCommitPorts, "gate" | "store"> & {
  readonly store: Store<Repositories> & CreateCommitPorts["store"];
  readonly announcements: Pick<Announcements, "announce">;
  /** A commit is progress on the work item that its agent has claimed. */
  readonly noteProgress: (agent: AgentId) => void;
  /** Throws what the commit gate refuses; answers with its warnings. */
  readonly gate: (commit: GatedCommit, call: AgentCall<Repositories>) => Promise<readonly string[]>;
};

export function commitHandlers<Repositories extends CommitRepositories>(
  ports: CommitHandlerPorts<Repositories>,
): OperationHandlers<Repositories, OperationsOn<"commit">> {
  const { announcements, catchUp, gate, noteProgress, store } = ports;
  return {
    async "commit.create"(input, call) {
      const steps = inSteps(call, store);
      const made = await createCommit(input, steps, { ...ports, gate: (commit) => gate(commit, steps) });
      noteProgress(call.caller.agent.id);
      return made;
    },
    async "commit.announce"(input, call) {
      const announced = await announcements.announce(input, call);
      noteProgress(call.caller.agent.id);
      return announced;
    },
    async "commit.catch-up"(_, { caller: { project, agent } }) {
      const { nextInMs, refresh, ...due } = catchUp.take(project.id, agent.id);
      return { ...due, refresh: [...refresh], ...(nextInMs === undefined ? {} : { nextInMs: Math.ceil(nextInMs) }) };
    },
  };
}
