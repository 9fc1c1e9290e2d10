/**
 * A handoff as its reader sees it: what was in the agent's hands when it went (now, while it lives), and what the log
 * says of it since it last came.
 */
import type { AgentId, Caller, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { findAgent, refOf } from "../registry/index.ts";
import { belongingsOf } from "./belongings.ts";
import type { HandoffPorts } from "./ports.ts";
import { readTrail } from "./read-trail.ts";

const eventsRead = 1_000;

export async function readHandoff(
  id: AgentId,
  caller: Caller,
  ports: HandoffPorts,
): Promise<OutputOf<"agent.handoff">> {
  const record = await findAgent(id, caller, ports);
  const { reader } = ports.store;
  const status = ports.liveness.statusOf(record);
  const left =
    record.offlineAt === undefined && record.endedAt === undefined ? undefined : await reader.handoffs.find(id);
  const upTo = left?.sequence ?? (await reader.events.bounds()).newest;
  const events = await reader.events.mentioning({ project: record.project.id, text: id, upTo, limit: eventsRead });
  return {
    handoff: {
      agent: refOf(record),
      status,
      tree: record.tree,
      ...defined({ branch: record.branch }),
      lastSeenAt: ports.liveness.lastSeenAt(record),
      ...(left === undefined ? {} : { leftAt: left.leftAt, reason: left.reason }),
      ...(left?.belongings ?? (await belongingsOf(record, reader, ports))),
      ...readTrail(events, id),
    },
  };
}
