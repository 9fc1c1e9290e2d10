/** What agents wait for now: those in the line for paths, and those that asked a holder for its release. Changes nothing. */
import type { AgentId, AgentWait, ProjectId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { LeaseClock } from "../leases/index.ts";
import { findBlocker, type ReservationRepository, type WaitLine } from "../reservations/index.ts";

export type WaitPorts = {
  readonly store: { readonly reader: { readonly reservations: ReservationRepository } };
  readonly leases: LeaseClock;
  readonly line: Pick<WaitLine, "waiting">;
};

/** `projectOf` is undefined for agents that are not asked about. */
export async function listWaits(
  project: ProjectId | undefined,
  projectOf: (agent: AgentId) => ProjectId | undefined,
  ports: WaitPorts,
): Promise<ReadonlyMap<AgentId, readonly AgentWait[]>> {
  const { reservations } = ports.store.reader;
  const waits = new Map<AgentId, AgentWait[]>();
  const add = (agent: AgentId, wait: AgentWait): void => void waits.set(agent, [...(waits.get(agent) ?? []), wait]);
  for (const { waiter, since } of ports.line.waiting()) {
    const where = projectOf(waiter.agent.id);
    if (where === undefined) continue;
    const blocker = await findBlocker(where, waiter, ports);
    const paths = waiter.covered.map(({ source }) => source);
    add(waiter.agent.id, {
      paths,
      how: "in-line",
      ...defined({ holder: blocker?.holder, reservation: blocker?.id }),
      since,
    });
  }
  for (const { requester, reservation, askedAt } of await reservations.openRequests(project)) {
    if (projectOf(requester.id) === undefined) continue;
    const held = await reservations.find(reservation);
    if (held === undefined || !ports.leases.isLive(held)) continue;
    const { paths, patterns, holder } = held;
    add(requester.id, { paths: [...paths, ...patterns], how: "asked", holder, reservation, since: askedAt });
  }
  return waits;
}
