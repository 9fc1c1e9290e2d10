/**
 * The live holds of other client sessions in one working tree, also in repositories inside it, such as submodules.
 *
 *   exclusive, another session's              -> foreign
 *   shared                                    -> foreign, unless the session itself holds the same path
 *   of the agent's own session (sub-agents)   -> never: a shell does not tell which of them runs it
 *   of another worktree                       -> only a hold on the whole repository, at the same path here
 */
import { sep } from "node:path";
import type { AgentCaller } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import type { RegistryRepositories } from "../registry/index.ts";
import type { ReservationRecord, ReservationRepository } from "../reservations/index.ts";
import { headOf } from "./family.ts";

export type ForeignHold = {
  readonly record: ReservationRecord;
  /** The tree in which its paths are looked up. */
  readonly base: string;
};
export type ForeignHoldPorts = {
  readonly store: Store<RegistryRepositories & { readonly reservations: ReservationRepository }>;
  readonly leases: LeaseClock;
};

export async function foreignHolds(
  tree: string,
  { agent, project }: Pick<AgentCaller, "agent" | "project">,
  { store, leases }: ForeignHoldPorts,
): Promise<readonly ForeignHold[]> {
  const { reservations, agents, projects } = store.reader;
  const isInside = (folder: string): boolean => folder.startsWith(tree + sep);
  // A submodule's repository lies in the outer one's, its files in the outer tree.
  const inner = (await projects.list()).filter(
    ({ id, path }) => id !== project.id && (isInside(path) || path.startsWith(project.path + sep)),
  );
  const placed: ForeignHold[] = [];
  for (const { id } of [project, ...inner])
    for (const record of await reservations.live(id)) {
      if (!leases.isLive(record)) continue;
      if (record.tree === tree || isInside(record.tree)) placed.push({ record, base: record.tree });
      else if (id === project.id && record.scope === "repository") placed.push({ record, base: tree });
    }
  const own = await headOf(agent.id, agents);
  const heads = new Map<string, string>();
  for (const { record } of placed)
    if (!heads.has(record.holder.id)) heads.set(record.holder.id, await headOf(record.holder.id, agents));
  const isOwn = ({ record }: ForeignHold): boolean => heads.get(record.holder.id) === own;
  const mine = new Set(placed.filter(isOwn).flatMap(({ record: { paths, patterns } }) => [...paths, ...patterns]));
  return placed
    .filter((hold) => !isOwn(hold))
    .map(({ record, base }) => ({ base, record: record.mode === "shared" ? without(record, mine) : record }))
    .filter(({ record: { paths, patterns } }) => paths.length + patterns.length > 0);
}

function without(record: ReservationRecord, mine: ReadonlySet<string>): ReservationRecord {
  const isNotMine = (path: string): boolean => !mine.has(path);
  return { ...record, paths: record.paths.filter(isNotMine), patterns: record.patterns.filter(isNotMine) };
}
