/** One agent with everything a reader may want of it: holds with their ends, waits, uncommitted files, its newest events. */
import type { AgentId, Caller, OutputOf } from "../../contract/index.ts";
import { findAgent, viewAgent } from "../registry/index.ts";
import { viewReservation } from "../reservations/index.ts";
import { activityIn } from "./latest-activity.ts";
import { presentAgent, type PresentPorts } from "./present-agents.ts";

const eventsShown = 20;

export async function showAgent(id: AgentId, caller: Caller, ports: PresentPorts): Promise<OutputOf<"agent.get">> {
  const { store, leases, liveness } = ports;
  const { agents, reservations, events } = store.reader;
  const found = await findAgent(id, caller, { store });
  const record = (await agents.findWithWork(id)) ?? found;
  const project = record.project.id;
  const held = (await reservations.liveOf(project, id)).filter((one) => leases.isLive(one));
  const { newest } = await events.bounds();
  const named = await events.mentioning({ project, text: id, upTo: newest, limit: eventsShown });
  return {
    agent: await presentAgent({ record, agent: viewAgent(record, liveness) }, ports),
    holds: held.map((one) => {
      const { id: reservation, paths, patterns, mode, reason, acquiredAt, expiresAt } = viewReservation(one, leases);
      const terms = { reservation, paths, patterns, mode, acquiredAt, expiresAt };
      return reason === undefined ? terms : { ...terms, reason };
    }),
    events: named.map((event) => ({ sequence: event.sequence, subject: event.subject, ...activityIn(event) })),
  };
}
