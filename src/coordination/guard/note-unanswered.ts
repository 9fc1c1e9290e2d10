/** A hook that no daemon answered: its tool call ran unguarded, and its agent is told at its next hook. */
import { locateProject } from "../registry/index.ts";
import type { ProjectRepository } from "../registry/index.ts";
import type { UnguardedCalls } from "./unguarded-calls.ts";

export type UnansweredHook = {
  readonly component: string;
  readonly why: string;
  readonly agent: { readonly id: string; readonly name: string } | undefined;
  /** A folder of the project. */
  readonly place: string | undefined;
};

/** The commit gate refuses by itself when no daemon answers, so its hooks left nothing unguarded. */
export async function noteUnanswered(
  { component, why, agent, place }: UnansweredHook,
  unguarded: Pick<UnguardedCalls, "note">,
  projects: Pick<ProjectRepository, "findByPath">,
): Promise<void> {
  if (component.startsWith("hook/git/") || place === undefined) return;
  const located = await locateProject(place).catch(() => undefined);
  if (located === undefined) return;
  await unguarded.note({
    project: (await projects.findByPath(located.path))?.id,
    agent: agent ?? { id: "", name: "an unknown agent" },
    tree: located.tree,
    what: `${component}: ${why}`,
    isAtStake: true,
  });
}
