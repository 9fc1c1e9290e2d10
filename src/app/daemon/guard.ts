/** The guard, commits, branches, worktrees and private indexes, connected to git. */
import { join } from "node:path";
import {
  clearLeftovers,
  createAgentWorktrees,
  createCommitter,
  createGit,
  createMerger,
  createSessionIndexes,
  createWorkspaces,
  ownersIn,
} from "../../adapters/git/index.ts";
import { branchHandlers, tellMerges } from "../../coordination/branches/index.ts";
import { type Announcements, commitHandlers, type CreateCommitPorts } from "../../coordination/commits/index.ts";
import {
  checkCommit,
  createToldLosses,
  guardHandlers,
  type GuardPorts,
  type ToolCalls,
  type UnguardedCalls,
  type WriteKeeper,
} from "../../coordination/guard/index.ts";
import { keepIndexes, privateIndexHandlers } from "../../coordination/private-index/index.ts";
import { ownedTrees, worktreeHandlers } from "../../coordination/worktrees/index.ts";
import { treesOfRuns } from "../../orchestration/runs/index.ts";
import { failureOf, incidentView } from "../../oversight/health/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import { reservationPorts, workItemPorts } from "./coordination.ts";
import type { Parts, Terms } from "./parts.ts";

type GuardWiring = {
  readonly unguarded: UnguardedCalls;
  readonly calls: ToolCalls;
  readonly announcements: Announcements;
  readonly ingestOutcomes: () => Promise<void>;
  readonly kept: WriteKeeper;
  readonly changedBy: CreateCommitPorts["changedBy"];
};

export function composeGuard(parts: Parts, terms: Terms, { announcements, ...wiring }: GuardWiring) {
  const { paths, env, clock, log, settingsOfTree } = terms;
  const { store, health, progress } = parts;
  const folder = join(paths.home, "worktrees");
  const git = createGit(clock, env);
  const workspaces = createWorkspaces(git, folder, clock);
  const turns = createKeyedQueue();
  const noteProgress = progress.worked;
  const privateIndexes = {
    ...parts,
    indexes: createSessionIndexes({ git, clock, folder: join(paths.home, "indexes") }),
    turns,
  };
  const indexKeeper = keepIndexes({
    ...privateIndexes,
    onFailed(error) {
      health.report(failureOf("session indexes", error));
      log.warn("session-index.failed", { error });
    },
  });
  const knownTrees = () =>
    ownedTrees({
      treesOfAgents: () => ownersIn(folder),
      treesOfRuns: () => treesOfRuns(store.reader.runs),
      agents: store.reader.agents,
    });
  const guard: GuardPorts = {
    ...reservationPorts(parts, terms),
    ...wiring,
    told: createToldLosses(),
    incidents: () => health.incidents().map((incident) => incidentView(incident).summary),
    policyFor: policyOf(terms),
    // One after the other: two sessions that begin at once would both put the same tree away.
    clearLeftovers: ({ path: repository }, tree) =>
      turns(["leftovers"], async () => {
        const place = { repository, tree, folder, logs: paths.logs, knownTrees };
        const { removed, quarantined } = await clearLeftovers(place, { git, workspaces, clock });
        return { removed: [...removed, ...(await indexKeeper.look())], quarantined };
      }),
  };
  const handlers = mergeHandlers(
    guardHandlers({ ...guard, ...wiring, noteProgress, catchUp: parts.catchUp }),
    commitHandlers({
      ...parts,
      announcements,
      noteProgress,
      turns,
      changedBy: wiring.changedBy,
      committer: createCommitter(clock, env, paths.home),
      modeFor: async (tree) => (await settingsOfTree(tree))["commits.mode"],
      gate: async (commit, call) => (await checkCommit(commit, call, guard)).warnings,
    }),
    branchHandlers({
      ...workItemPorts(parts, terms),
      merger: tellMerges(createMerger(clock, env), wiring.calls.merging),
      turns,
    }),
    worktreeHandlers({ store, worktrees: createAgentWorktrees({ git, workspaces, folder }) }),
    privateIndexHandlers(privateIndexes),
  );
  return { handlers, indexKeeper };
}

export function policyOf({ settingsOfTree }: Pick<Terms, "settingsOfTree">): GuardPorts["policyFor"] {
  return async (tree) => (await settingsOfTree(tree))["guard.policy"];
}
