/**
 * Before a write passes: the content of its files goes into local history. Of a glob, and of a command with unknown write
 * targets, these are the files that other agents hold there: theirs is the work that could be lost.
 */
import type { AgentCaller } from "../../contract/index.ts";
import { glob, matches } from "../globs/index.ts";
import type { GuardPorts } from "./ports.ts";

export type WriteTargets = {
  readonly located: readonly { readonly tree: string; readonly path: string | undefined }[];
  readonly placed: readonly { readonly tree: string; readonly pattern?: string }[];
  /** It may write something else besides, in its home tree. */
  readonly isDoubtful: boolean;
};

const mostHeld = 500;

export async function keepAtStake(
  { located, placed, isDoubtful }: WriteTargets,
  { agent, project, tree: home }: AgentCaller,
  { kept, store, leases }: GuardPorts,
): Promise<void> {
  if (kept === undefined) return;
  const paths = new Map<string, Set<string>>();
  const add = (tree: string, path: string): void => {
    paths.set(tree, (paths.get(tree) ?? new Set()).add(path));
  };
  for (const { tree, path } of located) if (path !== undefined) add(tree, path);
  const globs = placed.flatMap(({ tree, pattern }) => (pattern === undefined ? [] : [{ tree, covers: glob(pattern) }]));
  if (isDoubtful || globs.length > 0) {
    const held = (await store.reader.reservations.live(project.id)).filter(
      (record) => record.holder.id !== agent.id && leases.isLive(record),
    );
    for (const { tree, path } of held
      .flatMap((one) => one.paths.map((path) => ({ tree: one.tree, path })))
      .slice(0, mostHeld))
      if ((isDoubtful && tree === home) || globs.some((one) => one.tree === tree && matches(one.covers, path)))
        add(tree, path);
  }
  for (const [tree, those] of paths) kept.before({ project: project.id, tree, paths: [...those] });
}
