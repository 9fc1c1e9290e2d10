/** Connects the reservations of nodes with the settings of their trees. */
import { nodeReservations as reservationsOf } from "../../orchestration/node-reservations/index.ts";
import { reservationPorts } from "./coordination.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";

export { pathProblem } from "../../orchestration/node-reservations/index.ts";

export function nodeReservations(parts: DaemonParts, terms: DaemonTerms) {
  return reservationsOf({
    ...parts,
    ...reservationPorts(parts, terms),
    staleAfterMs: terms.settings["agents.staleAfterMs"],
  });
}
