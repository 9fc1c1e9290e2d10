/** Working trees of agents beside those of runs: `<home>/worktrees/<agent id>-<name>` on the branch `sylk/<agent id>-<name>`. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { AgentId, DomainError, type Worktree } from "../../contract/index.ts";
import type { Worktrees } from "../../coordination/worktrees/index.ts";
import type { WorkspacePort } from "../../orchestration/sessions/index.ts";
import { clearTree } from "./leftovers.ts";
import { GitFailed, type Git } from "./run-git.ts";

type Ports = { readonly git: Git; readonly workspaces: WorkspacePort; readonly folder: string };

export function createAgentWorktrees({ git, workspaces, folder }: Ports): Worktrees {
  return {
    async make(tree, { agent, name }) {
      const own = `${agent}-${name}`;
      const isNew = !existsSync(join(folder, own, ".git"));
      const { workspace, notice } = await workspaces.prepare({ repository: tree, name: own });
      await workspaces.ensure(workspace);
      const worktree = { name, tree: workspace.tree, branch: workspace.branch, agent };
      return { worktree, isNew, notice: isNew ? notice : undefined };
    },
    async list(tree) {
      const text = await listed(git, tree);
      const found = text.split("\0\0").map((part) => part.split("\0"));
      return found.flatMap((facts) => {
        const place = factOf(facts, "worktree ");
        const branch = factOf(facts, "branch refs/heads/");
        const owner = place === undefined ? undefined : ownerOf(basename(place));
        const isOurs = place !== undefined && place === join(folder, basename(place));
        return isOurs && owner !== undefined && branch !== undefined ? [{ ...owner, tree: place, branch }] : [];
      });
    },
    async remove(tree, worktree) {
      const repository = (await git(tree, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).trim();
      const cleared = { removed: [], quarantined: [] };
      // From git's own folder, since the agent may stand in the tree that goes.
      await clearTree(worktree.tree, { repository, tree: repository }, { git, workspaces }, cleared);
      return { quarantined: cleared.quarantined[0] };
    },
  };
}

/** Agents whose working trees are in the folder. */
export function ownersIn(folder: string): ReadonlyMap<string, AgentId> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    names.flatMap((name) => {
      const owner = ownerOf(name);
      return owner === undefined ? [] : [[join(folder, name), owner.agent] as const];
    }),
  );
}

function ownerOf(name: string): Pick<Worktree, "agent" | "name"> | undefined {
  const [, id, given] = /^(agt_[0-9a-z]+)-([a-z0-9-]+)$/.exec(name) ?? [];
  const agent = AgentId.safeParse(id);
  return agent.success && given !== undefined ? { agent: agent.data, name: given } : undefined;
}

function factOf(facts: readonly string[], name: string): string | undefined {
  return facts.find((fact) => fact.startsWith(name))?.slice(name.length);
}

async function listed(git: Git, tree: string): Promise<string> {
  try {
    return await git(tree, ["worktree", "list", "--porcelain", "-z"]);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new DomainError("workspace.unavailable", `${tree} is not a git working tree; run this inside one`, {
      details: { tree },
      cause: error,
    });
  }
}
