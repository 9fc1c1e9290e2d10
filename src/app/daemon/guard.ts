/** Connects the guard, commits, branches, worktrees and private indexes with git. */
import { join } from "node:path";
import { processOrigin } from "../../adapters/commit-gate/index.ts";
import {
  clearLeftovers,
  createAgentWorktrees,
  createCommitter,
  createGit,
  createMerger,
  createSessionIndexes,
  createTreeGit,
  createWorkspaces,
  ownersIn,
} from "../../adapters/git/index.ts";
import { branchHandlers, mergeChange, reportMerges } from "../../coordination/branches/index.ts";
import { writtenByShell } from "../../adapters/shell-writes/index.ts";
import { type Announcements, commitHandlers, type CreateCommitPorts } from "../../coordination/commits/index.ts";
import {
  checkCommit,
  createToldLosses,
  type GatePasses,
  guardHandlers,
  type GuardPorts,
  type ToolCalls,
  type UnguardedCalls,
  type WriteKeeper,
} from "../../coordination/guard/index.ts";
import { keepIndexes, privateIndexHandlers } from "../../coordination/private-index/index.ts";
import { personAt } from "../../coordination/registry/index.ts";
import { ownedTrees, worktreeHandlers } from "../../coordination/worktrees/index.ts";
import { type MergeChange, treesOfRuns } from "../../orchestration/runs/index.ts";
import { failureOf, incidentView } from "../../oversight/health/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { reservationPorts, workItemPorts } from "./coordination.ts";
import { briefAtStart } from "./archive.ts";
import { policyOf } from "./settings.ts";
import type { ComposedConfinement } from "./confinement.ts";
import type { DaemonParts, DaemonTerms, Repositories } from "./parts.ts";

type GuardWiring = {
  readonly unguarded: UnguardedCalls;
  readonly calls: ToolCalls;
  readonly passes: GatePasses;
  readonly announcements: Announcements;
  readonly ingestOutcomes: () => Promise<void>;
  readonly kept: WriteKeeper;
  readonly changedBy: CreateCommitPorts["changedBy"];
  readonly lastWriters: GuardPorts["lastWriters"];
  readonly confined: ComposedConfinement;
  readonly installs: GuardPorts["installs"];
};

export function composeGuard(
  parts: DaemonParts,
  terms: DaemonTerms,
  { announcements, confined, ...wiring }: GuardWiring,
) {
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
    shells: confined.shells,
    treeGit: createTreeGit(git, () => clock.monotonic()),
    readCommand: writtenByShell,
    told: createToldLosses(),
    originOf: processOrigin,
    brief: briefAtStart(parts, terms),
    incidents: () => [
      ...health.incidents().map((incident) => incidentView(incident).summary),
      ...settingsOfTree.troubles(),
    ],
    policyFor: policyOf(terms),
    // Run one after the other: two sessions that begin at once would both put the same tree away.
    clearLeftovers: ({ path: repository }, tree) =>
      turns(["leftovers"], async () => {
        const place = { repository, tree, folder, logs: paths.logs, knownTrees };
        const { removed, quarantined } = await clearLeftovers(place, { git, workspaces, clock });
        return { removed: [...removed, ...(await indexKeeper.look())], quarantined };
      }),
  };
  const branches = {
    ...workItemPorts(parts, terms),
    merger: reportMerges(createMerger(clock, env), wiring.calls.merging),
    turns,
    reservations: reservationPorts(parts, terms),
  };
  const mergeRunChange: MergeChange = ({ record, ...change }, { caller, signal }) =>
    mergeChange(
      // Callers have the whole store, although its type here names only a part.
      { ...change, record: (commit, tx) => record(commit, tx as Repositories & Transaction) },
      { caller, signal, transact: store.transact },
      { ...branches, personAt: (tree) => personAt(tree, parts) },
    );
  const handlers = mergeHandlers(
    guardHandlers({ ...guard, ...wiring, ...confined, noteProgress, catchUp: parts.catchUp }),
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
    branchHandlers(branches),
    worktreeHandlers({ store, worktrees: createAgentWorktrees({ git, workspaces, folder }) }),
    privateIndexHandlers(privateIndexes),
  );
  return { handlers, indexKeeper, mergeChange: mergeRunChange };
}
