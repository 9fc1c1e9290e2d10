/** An agent's belongings now: its reservations, its claims, its sub-agents. */
import type { Belongings } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { refOf, type AgentRecord } from "../registry/index.ts";
import type { HandoffPorts, HandoffRepositories } from "./ports.ts";

export async function belongingsOf(
  { id, project }: AgentRecord,
  { reservations, workItems, agents }: Pick<HandoffRepositories, "reservations" | "workItems" | "agents">,
  { leases }: Pick<HandoffPorts, "leases">,
): Promise<Belongings> {
  const held = (await reservations.liveOf(project.id, id)).filter((one) => leases.isLive(one));
  const children = (await agents.childrenOf(id)).filter(({ offlineAt }) => offlineAt === undefined);
  return {
    reservations: held.map(({ id: reservation, paths, patterns, mode, scope, ttlMs, reason }) => ({
      id: reservation,
      paths: [...paths],
      patterns: [...patterns],
      mode,
      scope,
      ttlMs,
      ...defined({ reason }),
    })),
    workItems: (await workItems.ownedBy(id)).map(({ id: item, title }) => ({ id: item, title })),
    children: children.map(refOf),
  };
}
