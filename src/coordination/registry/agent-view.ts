/** An agent as callers see it: the record plus what liveness knows. */
import type { Agent, AgentRef, Holder } from "../../contract/index.ts";
import type { Liveness } from "./liveness.ts";
import type { AgentRecord } from "./store.ts";

export function viewAgent(record: AgentRecord, liveness: Liveness): Agent {
  const { id, name, client, project, tree, capabilities, pid, registeredAt, endedAt } = record;
  return {
    id,
    name,
    client,
    project,
    tree,
    status: liveness.statusOf(record),
    capabilities: [...capabilities],
    ...(pid === undefined ? {} : { pid }),
    registeredAt,
    lastSeenAt: liveness.lastSeenAt(record),
    ...(endedAt === undefined ? {} : { endedAt }),
  };
}

export function viewHolder(record: AgentRecord, liveness: Liveness): Holder {
  return { ...refOf(record), status: liveness.statusOf(record), lastSeenAt: liveness.lastSeenAt(record) };
}

export function refOf({ id, name, client }: AgentRef): AgentRef {
  return { id, name, client };
}
