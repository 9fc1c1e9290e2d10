/** The composition root's part for hooks and commit gate. */
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
import { type TeamReport, withAgentTeams } from "../../adapters/agent-teams/index.ts";
import { claudeCode } from "../../adapters/claude-code/index.ts";
import { gitGate } from "../../adapters/commit-gate/index.ts";
import { mergeBranch, type Merger, syncBranch } from "../../coordination/branches/index.ts";
import { createCommit } from "../../coordination/commits/index.ts";
import type { ClientAdapterV1, OperationName } from "../../contract/index.ts";
import { closeIndex, type IndexKeeper, keepIndexes, openIndex } from "../../coordination/private-index/index.ts";
import { createWorktree, listWorktrees, removeWorktree } from "../../coordination/worktrees/index.ts";
import {
  afterTools,
  checkCommit,
  createToldLosses,
  type GuardPorts,
  guardWrite,
  startSession,
  type ToolCalls,
} from "../../coordination/guard/index.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import { installableClients } from "../command-line/client-installer.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import { workItemPorts } from "./work.ts";
import { incidentView } from "../../oversight/health/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import type { AgentCall, OperationHandlers } from "../../platform/operations/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import type { HookOutcome } from "../../surfaces/hooks/index.ts";

export type GuardOperation =
  | Extract<OperationName, `${"guard" | "branch" | "worktree" | "index"}.${string}`>
  | "commit.create";

/** Whoever has hooks: a folder in adapters/ and a line here. */
export function hookClients(settings: Settings, { health }: Pick<Parts, "health">): readonly ClientAdapterV1[] {
  const clients: readonly ClientAdapterV1[] = [...installableClients, gitGate];
  if (settings["adapters.agentTeams"] === "off") return clients;
  const report = (...reports: readonly TeamReport[]) => health.report(...reports);
  return clients.map((client) => (client === claudeCode ? withAgentTeams(client, report) : client));
}

export function guardHandlers(
  parts: Parts &
    Pick<GuardPorts, "settingsFor" | "unguarded" | "calls"> & { readonly takeInOutcomes: () => Promise<void> },
  terms: Terms,
): { readonly handlers: OperationHandlers<Repositories, GuardOperation>; readonly indexKeeper: IndexKeeper } {
  const { paths, env, clock, log, settingsOfTree } = terms;
  const folder = join(paths.home, "worktrees");
  const git = createGit(clock, env);
  const workspaces = createWorkspaces(git, folder, clock);
  // One after the other: two sessions that begin at once would both put the same tree away.
  let turn: Promise<unknown> = Promise.resolve();
  const ports: GuardPorts = {
    ...parts,
    told: createToldLosses(),
    incidents: () => parts.health.incidents().map((incident) => incidentView(incident).summary),
    policyFor: async (tree) => (await settingsOfTree(tree))["guard.policy"],
    clearLeftovers({ path: repository }, tree) {
      const place = { repository, tree, folder, logs: paths.logs, knownTrees: () => ownedTrees(parts, folder) };
      const cleared = turn.then(async () => {
        const { removed, quarantined } = await clearLeftovers(place, { git, workspaces, clock });
        return { removed: [...removed, ...(await indexKeeper.look())], quarantined };
      });
      turn = cleared.catch(() => {}); // whoever asked is told
      return cleared;
    },
  };
  const commits = {
    ...parts,
    committer: createCommitter(clock, env, paths.home),
    turns: createKeyedQueue(),
    modeFor: async (tree: string) => (await settingsOfTree(tree))["commits.mode"],
  };
  const merger = toldOf(createMerger(clock, env), parts.calls);
  const branches = { ...workItemPorts(parts, terms), merger, turns: commits.turns };
  const worktrees = { worktrees: createAgentWorktrees({ git, workspaces, folder }) };
  const sessionIndexes = {
    ...parts,
    indexes: createSessionIndexes({ git, clock, folder: join(paths.home, "indexes") }),
    turns: commits.turns,
  };
  const indexKeeper = keepIndexes({
    ...sessionIndexes,
    onFailed: reportFailure(parts, log),
  });
  /** Several transactions, none of which is the answer: what is kept for a retry is the whole answer, afterwards. */
  const inSteps = (call: AgentCall<Repositories>) => ({ ...call, transact: parts.store.transact });
  const handlers: OperationHandlers<Repositories, GuardOperation> = {
    "index.open": (input, call) => openIndex(input, inSteps(call), sessionIndexes),
    "index.close": (_, call) => closeIndex(inSteps(call), sessionIndexes),
    "guard.start": async (input, call) => {
      await parts.takeInOutcomes(); // a daemon that hung for a while lives on
      return startSession(input, call, ports);
    },
    "worktree.create": (input, call) => createWorktree(input, inSteps(call), worktrees),
    "worktree.list": (_, call) => listWorktrees(call, worktrees),
    "worktree.remove": (input, call) => removeWorktree(input, inSteps(call), worktrees),
    "branch.merge": (input, call) => mergeBranch(input, inSteps(call), branches),
    "branch.sync": (input, call) => syncBranch(input, inSteps(call), branches),
    "guard.write": async (input, call) => {
      const answer = await guardWrite(input, call, ports);
      const { id } = call.caller.agent;
      parts.progress.worked(id);
      const refresh = parts.catchUp.refresh(id);
      return refresh.length === 0 ? answer : { ...answer, refresh: [...refresh] };
    },
    "commit.create": async (input, call) => {
      const committing = inSteps(call);
      const made = await createCommit(input, committing, {
        ...commits,
        gate: async (asked) => (await checkCommit(asked, committing, ports)).warnings,
      });
      parts.progress.worked(call.caller.agent.id);
      return made;
    },
    "guard.used": (input, call) => afterTools(input, call.caller, ports),
    "guard.commit": (input, call) => checkCommit(input, call, ports),
  };
  return { handlers, indexKeeper };
}

function reportFailure({ health }: Parts, log: Terms["log"]): (error: unknown) => void {
  return (error) => {
    health.report({ kind: "daemon", component: "session indexes", outcome: "failed", error: String(error) });
    log.warn("session-index.failed", { error });
  };
}

/** Whoever watches the tree need not wonder who writes there. */
function toldOf(merger: Merger, calls: ToolCalls): Merger {
  return {
    ...merger,
    async merge(place, terms) {
      const over = place.tree === undefined ? undefined : calls.merging(place.tree);
      try {
        return await merger.merge(place, terms);
      } finally {
        over?.();
      }
    },
  };
}

/** How each hook did, in memory: it never waits for the disk. */
export function measureHook({ clock, health }: Pick<Parts, "clock" | "health">): (outcome: HookOutcome) => void {
  const startedAt = clock.monotonic();
  return (outcome) => health.report({ kind: "hook", ms: clock.monotonic() - startedAt, ...outcome });
}

/** False for a folder of which nothing can be known: the daemon's own settings decide there. */
export async function isStrict(folder: string, { settingsOfTree }: Pick<Terms, "settingsOfTree">): Promise<boolean> {
  const place = await locateProject(folder).catch(() => undefined);
  return place !== undefined && (await settingsOfTree(place.tree))["guard.policy"] === "strict";
}

/** Of runs, and of agents that have not ended: one that is only offline may come back. */
async function ownedTrees(parts: Parts, folder: string): Promise<ReadonlySet<string>> {
  const owned = new Set(await treesOfRuns(parts));
  for (const [tree, agent] of ownersIn(folder)) {
    const record = await parts.store.reader.agents.find(agent);
    if (record !== undefined && record.endedAt === undefined) owned.add(tree);
  }
  return owned;
}

async function treesOfRuns({ store }: Parts): Promise<ReadonlySet<string>> {
  const trees = new Set<string>();
  const limit = 200;
  for (let before: string | undefined; ;) {
    const page = await store.reader.runs.list({ project: undefined, status: undefined, before, limit });
    for (const { workspace } of page) if (workspace !== undefined) trees.add(workspace.tree);
    if (page.length < limit) return trees;
    before = page.at(-1)!.id;
  }
}
