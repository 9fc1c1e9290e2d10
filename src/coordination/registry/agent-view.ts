/** An agent as callers see it: the record plus what liveness knows. */
import type { Agent, AgentRef, Holder } from "../../contract/index.ts";
import type { Liveness } from "./liveness.ts";
import type { AgentRecord } from "./store.ts";

export function viewAgent(record: AgentRecord, liveness: Liveness): Agent {
  const { id, name, client, project, parent, tree, branch, capabilities, pid, host, workItem } = record;
  const { registeredAt, endedAt } = record;
  return {
    id,
    name,
    client,
    project,
    tree,
    ...(branch === undefined ? {} : { branch }),
    status: liveness.statusOf(record),
    ...(parent === undefined ? {} : { parent }),
    capabilities: [...capabilities],
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(workItem === undefined ? {} : { workItem }),
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
