/** All work items in view: everything that is not closed, and the newest closed ones. */
import { useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import type { Answer } from "../live/live-store.ts";
import { type ProjectInView, useProjects } from "../shell/use-project.ts";
import { type ListedWork, unclosedIds } from "./group-work.ts";

export type WorkInView = {
  readonly items: readonly ListedWork[];
  readonly unclosed: ReadonlySet<string>;
  /** More items exist than one page of the daemon's list holds. */
  readonly isCut: boolean;
};

const closedShown = 100;

export function useWork(project: ProjectInView | undefined): Answer<WorkInView> {
  const scope = { limit: 500, all: project === undefined };
  const open = useLive("work-item.list", { ...scope, status: "open" }, { project });
  const inProgress = useLive("work-item.list", { ...scope, status: "in_progress" }, { project });
  const blocked = useLive("work-item.list", { ...scope, status: "blocked" }, { project });
  const closed = useLive("work-item.list", { ...scope, limit: closedShown, status: "closed" }, { project });
  return useMemo(() => {
    const answers = [open, inProgress, blocked, closed];
    const problem = answers.find((answer) => answer.problem !== undefined)?.problem;
    const failed = problem === undefined ? {} : { problem };
    if (answers.some(({ data }) => data === undefined)) return failed;
    // An item that changes its state between two readings is in both lists for a moment; the newer version counts.
    const newest = new Map<string, ListedWork>();
    for (const item of answers.flatMap(({ data }) => data!.items))
      if ((newest.get(item.id)?.version ?? -1) < item.version) newest.set(item.id, item);
    const items = [...newest.values()];
    const isCut = answers.slice(0, 3).some(({ data }) => data!.nextCursor !== undefined);
    return { ...failed, data: { items, unclosed: unclosedIds(items), isCut } };
  }, [open, inProgress, blocked, closed]);
}

/** The folder of an item's project: lists of all projects name it, others are of the project in view. */
export function useProjectOf(
  item: { readonly project?: string | undefined } | undefined,
  project: ProjectInView | undefined,
): ProjectInView | undefined {
  const projects = useProjects();
  if (project !== undefined) return project;
  if (item?.project !== undefined) return projects.find(({ name }) => name === item.project);
  return projects.length === 1 ? projects[0] : undefined;
}
