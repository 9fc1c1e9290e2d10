/** The other live sessions of a working tree, and what of theirs a command would change. */
import type { AgentCaller, AgentRef } from "../../contract/index.ts";
import { type CompiledPattern, glob, InvalidPattern, literal, overlap } from "../globs/index.ts";
import { headOf } from "./family.ts";
import { foreignHolds, type ForeignHold } from "./foreign-holds.ts";
import type { GuardPorts } from "./ports.ts";
import type { ReservationRecord } from "../reservations/index.ts";

export type TreeOthers = {
  readonly tree: string;
  readonly holds: readonly ForeignHold[];
  /** Live agents of other sessions, by id. */
  readonly agents: ReadonlySet<string>;
};
/** A file that another agent holds, or has uncommitted changes in. */
export type AtStake = {
  readonly tree: string;
  readonly path: string;
  readonly agent: AgentRef;
  readonly held?: ReservationRecord;
};

/** Undefined for a session that is alone. */
export async function othersIn(tree: string, caller: AgentCaller, ports: GuardPorts): Promise<TreeOthers | undefined> {
  const { agents } = ports.store.reader;
  const holds = await foreignHolds(tree, caller, ports);
  const own = await headOf(caller.agent.id, agents);
  const others = new Set<string>();
  for (const record of await agents.list({ project: caller.project.id, includeGone: false })) {
    if (record.client === "human") continue; // a person who only typed a command writes nothing here
    if (record.tree !== tree || !["active", "idle"].includes(ports.liveness.statusOf(record))) continue;
    if ((await headOf(record.id, agents)) !== own) others.add(record.id);
  }
  return holds.length === 0 && others.size === 0 ? undefined : { tree, holds, agents: others };
}

/** `touched` undefined: every file of the tree. */
export function heldAmong(touched: readonly string[] | undefined, { tree, holds }: TreeOthers): readonly AtStake[] {
  const files = touched === undefined ? undefined : new Set(touched);
  const folders = touched?.filter((path) => path.endsWith("/")) ?? [];
  const covers = (path: string): boolean =>
    files === undefined || files.has(path) || folders.some((folder) => path.startsWith(folder));
  return holds.flatMap(({ record, base }) => {
    const above = base === tree ? "" : `${base.slice(tree.length + 1)}/`;
    const paths = record.paths.filter((path) => covers(above + path));
    const met = record.patterns.flatMap((text) => firstIn(text, above, touched) ?? []);
    return [...paths, ...met].map((path) => ({ tree: base, path, agent: record.holder, held: record }));
  });
}

/** A file that a held glob covers and the command touches. */
function firstIn(text: string, above: string, touched: readonly string[] | undefined): string | undefined {
  const held = glob(text);
  if (touched === undefined) return text;
  for (const path of touched)
    if (path.startsWith(above)) {
      const met = overlap(held, patternOf(path.slice(above.length)) ?? held);
      if (met !== undefined) return met;
    }
  return undefined;
}

/** Undefined for a name that no pattern can say: it is taken to be covered. */
function patternOf(path: string): CompiledPattern | undefined {
  try {
    return path.endsWith("/") ? glob(`${escaped(path)}**`) : literal(path);
  } catch (error) {
    if (error instanceof InvalidPattern) return undefined;
    throw error;
  }
}

function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!@+]/g, String.raw`\$&`);
}

/** Changed files of which local history knows that another live agent wrote them last. */
export async function changedAmong(
  touched: readonly string[] | undefined,
  { tree, agents }: TreeOthers,
  { treeGit, lastWriters }: GuardPorts,
): Promise<readonly AtStake[] | undefined> {
  if (agents.size === 0) return [];
  const changed = await treeGit?.changed(tree);
  if (changed === undefined) return undefined;
  const files = touched === undefined ? undefined : new Set(touched);
  const folders = touched?.filter((path) => path.endsWith("/")) ?? [];
  const mine = changed.filter(
    (path) => files === undefined || files.has(path) || folders.some((folder) => path.startsWith(folder)),
  );
  const writers = mine.length === 0 ? new Map<string, AgentRef>() : await lastWriters(tree, mine);
  return mine.flatMap((path) => {
    const agent = writers.get(path);
    return agent !== undefined && agents.has(agent.id) ? [{ tree, path, agent }] : [];
  });
}
