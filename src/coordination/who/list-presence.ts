/** Lists the agents that are here, each with the work items it owns and the files it holds. Reads only. */
import type { Agent, Caller, InputOf, PresentAgent } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import { listAgents, type Liveness, type RegistryRepositories } from "../registry/index.ts";
import type { ReservationRepository } from "../reservations/index.ts";
import type { WorkItemRecord, WorkItemRepository } from "../work-items/index.ts";

export type PresenceRepositories = RegistryRepositories & {
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
};
export type WorkPorts = {
  readonly store: Store<PresenceRepositories>;
  readonly leases: LeaseClock;
};
export type PresencePorts = WorkPorts & { readonly liveness: Liveness };

export type Work = Pick<PresentAgent, "workItems" | "files">;

export async function listPresence(
  query: InputOf<"agent.list">,
  caller: Caller,
  ports: PresencePorts,
): Promise<{ readonly items: readonly (Agent & Work)[]; readonly nextCursor?: string }> {
  const { items, ...page } = await listAgents(query, caller, ports);
  return {
    items: await Promise.all(items.map(async (agent) => ({ ...agent, ...(await workOf(agent, ports)) }))),
    ...page,
  };
}

export async function workOf(
  agent: Agent,
  { store, leases }: WorkPorts,
  known?: readonly WorkItemRecord[],
): Promise<Work> {
  const { reservations, workItems } = store.reader;
  const owned = known ?? (await workItems.ownedBy(agent.id));
  const held = (await reservations.liveOf(agent.project.id, agent.id)).filter((record) => leases.isLive(record));
  return {
    workItems: owned.map(({ id, title }) => ({ id, title })),
    files: held.flatMap(({ paths, patterns }) => [...paths, ...patterns]),
  };
}
