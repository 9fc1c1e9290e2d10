/** Lists the agents that are here, each with the work items it owns and the files it holds. Reads only. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import { listAgents, type Liveness, type RegistryRepositories } from "../registry/index.ts";
import type { ReservationRepository } from "../reservations/index.ts";
import type { WorkItemRepository } from "../work-items/index.ts";

export type PresenceRepositories = RegistryRepositories & {
  readonly reservations: ReservationRepository;
  readonly workItems: WorkItemRepository;
};
export type PresencePorts = {
  readonly store: Store<PresenceRepositories>;
  readonly liveness: Liveness;
  readonly leases: LeaseClock;
};

type Presence = OutputOf<"agent.list">;
type PresentAgent = Omit<Presence["items"][number], "shell" | "shellReason" | "guard" | "guardReason">;

export async function listPresence(
  query: InputOf<"agent.list">,
  caller: Caller,
  ports: PresencePorts,
): Promise<Omit<Presence, "items"> & { readonly items: readonly PresentAgent[] }> {
  const { items, ...page } = await listAgents(query, caller, ports);
  const { reservations, workItems } = ports.store.reader;
  const present: PresentAgent[] = [];
  for (const agent of items) {
    const owned = await workItems.ownedBy(agent.id);
    const held = (await reservations.liveOf(agent.project.id, agent.id)).filter((record) =>
      ports.leases.isLive(record),
    );
    present.push({
      ...agent,
      workItems: owned.map(({ id, title }) => ({ id, title })),
      files: held.flatMap(({ paths, patterns }) => [...paths, ...patterns]),
    });
  }
  return { items: present, ...page };
}
