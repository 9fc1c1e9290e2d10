/** Queries over all runs: the worktrees they own, and the number of busy sessions. */
import type { RunRepository } from "./store.ts";

const pageSize = 200;

/** Worktrees of all runs, also of ended ones: their changes may still be merged. */
export async function treesOfRuns(runs: Pick<RunRepository, "list">): Promise<ReadonlySet<string>> {
  const trees = new Set<string>();
  for (let before: string | undefined; ;) {
    const page = await runs.list({ project: undefined, status: undefined, before, limit: pageSize });
    for (const { workspace } of page) if (workspace !== undefined) trees.add(workspace.tree);
    if (page.length < pageSize) return trees;
    before = page.at(-1)!.id;
  }
}

/** How many sessions have a run under way, or one that waits for a person. */
export async function busySessions(runs: Pick<RunRepository, "withStatus">): Promise<number> {
  const busy = await runs.withStatus(["planning", "running", "awaiting_approval", "paused", "blocked"]);
  return new Set(busy.map(({ session }) => session)).size;
}
