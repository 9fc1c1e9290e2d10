/** Whose write it was: the holder's own and Sylk's are no news, any other is, with what its attribution rests on. */
import type { AgentId, AgentRef, ProjectId } from "../../contract/index.ts";
import { attribute } from "../attribution/index.ts";
import { headOf } from "../guard/index.ts";
import type { AgentRecord } from "../registry/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { coarseMs } from "./missed-changes.ts";
import type { KeptChange, TreeWatchPorts } from "./ports.ts";
import type { ForeignWrite } from "./report-write.ts";

/** `at` on the monotonic clock; `missed` where no watch saw it, perhaps because no daemon ran. */
export type SeenChange = {
  readonly tree: string;
  readonly path: string;
  readonly at: number;
  readonly missed?: "while down" | "before the watch" | undefined;
};

export async function foreignWrite(
  { tree, path, at, missed }: SeenChange,
  records: readonly ReservationRecord[],
  newest: KeptChange | undefined,
  ports: TreeWatchPorts,
): Promise<ForeignWrite | undefined> {
  const { agents } = ports.store.reader;
  const holders = distinct(records.map(({ holder }) => holder));
  const known = await Promise.all(holders.map(({ id }) => agents.find(id)));
  const project = known[0]?.project;
  if (project === undefined || ports.calls.wasMerging(tree, at) || newest?.knownBy === "sylk") return undefined;
  const families = await Promise.all(holders.map(({ id }) => headOf(id, agents)));
  const written = { project, tree, path, holders };
  const isOwn = async (agent: AgentId): Promise<boolean> => families.includes(await headOf(agent, agents));
  // What was read at the end of its author's call is its author's, whatever else is under way.
  if (newest?.author !== undefined && newest.knownBy === "named")
    return (await isOwn(newest.author.id))
      ? undefined
      : { ...written, by: { basis: "named", agents: [newest.author] } };
  if (missed !== undefined && newest?.author !== undefined && (await isOwn(newest.author.id))) return undefined;
  if (missed === "while down")
    return known.every((holder) => holder === undefined || !hasTools(holder))
      ? undefined
      : { ...written, by: { basis: "not-running", agents: [] } };
  const namedLateMs = newest === undefined ? coarseMs : 0;
  const { basis, calls } = attribute(path, at, ports.calls.inTree(tree), namedLateMs);
  if (basis === "unknown") {
    const isTold = holders.some(({ id }) => ports.calls.isTold(id));
    const isUnheard = await someUnheard(project.id, tree, ports);
    return isTold || isUnheard ? { ...written, by: { basis: isUnheard ? "restarted" : basis, agents: [] } } : undefined;
  }
  const candidates = distinct(calls.map(({ agent }) => agent));
  const own = await Promise.all(candidates.map(({ id }) => isOwn(id)));
  if (own.every(Boolean) || (basis === "named" && own.includes(true))) return undefined;
  return { ...written, by: { basis, agents: candidates } };
}

/** Calls that began before this daemon are not known to it. */
async function someUnheard(
  project: ProjectId,
  tree: string,
  { store, calls, liveness }: TreeWatchPorts,
): Promise<boolean> {
  const present = await store.reader.agents.list({ project, includeGone: false });
  return present.some((agent) => agent.tree === tree && isGuarded(agent, liveness) && calls.isUnheard(agent));
}

function distinct(agents: readonly AgentRef[]): readonly AgentRef[] {
  return [...new Map<AgentId, AgentRef>(agents.map((agent) => [agent.id, agent])).values()];
}

/** People write in their own editors, and say nothing of it. */
function hasTools({ client }: AgentRecord): boolean {
  return !["human", "sylk"].includes(client);
}

export function isGuarded(agent: AgentRecord, liveness: TreeWatchPorts["liveness"]): boolean {
  return hasTools(agent) && ["active", "idle"].includes(liveness.statusOf(agent));
}
