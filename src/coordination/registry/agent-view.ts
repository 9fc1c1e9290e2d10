/** An agent as callers see it: the record plus what liveness knows. */
import type { Agent, AgentRef, Holder } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
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
    ...defined({ branch }),
    status: liveness.statusOf(record),
    ...defined({ parent }),
    capabilities: [...capabilities],
    ...defined({ pid, host, workItem }),
    registeredAt,
    lastSeenAt: liveness.lastSeenAt(record),
    ...defined({ endedAt }),
  };
}

export function viewHolder(record: AgentRecord, liveness: Liveness): Holder {
  return { ...refOf(record), status: liveness.statusOf(record), lastSeenAt: liveness.lastSeenAt(record) };
}

export function refOf({ id, name, client }: AgentRef): AgentRef {
  return { id, name, client };
}
