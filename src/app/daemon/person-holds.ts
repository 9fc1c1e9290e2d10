/** Connects the inbox of a person with the holds that agents ask the person for. */
import { decideHold, holdsAskedOfPersons, viewHold } from "../../coordination/reservations/index.ts";
import type { DecidePorts } from "../../orchestration/approvals/index.ts";
import { reservationPorts } from "./coordination.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

export function personHolds(parts: DaemonParts, terms: DaemonTerms): DecidePorts["holds"] {
  const ports = reservationPorts(parts, terms);
  return {
    waiting: async (project) => {
      const asked = await holdsAskedOfPersons(project, ports);
      return Promise.all(asked.map((hold) => viewHold(hold, ports)));
    },
    decide: (id, decision, call) => decideHold(id, decision, { ...call, transact: parts.store.transact }, ports),
  };
}
