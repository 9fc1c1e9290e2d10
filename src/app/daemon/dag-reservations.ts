/** Reservations of nodes, connected to the settings of their trees. */
import { nodeReservations as reservationsOf } from "../../orchestration/node-reservations/index.ts";
import { reservationPorts } from "./coordination.ts";
import type { Parts, Terms } from "./parts.ts";

export { pathProblem } from "../../orchestration/node-reservations/index.ts";

export function nodeReservations(parts: Parts, terms: Terms) {
  return reservationsOf({
    ...parts,
    ...reservationPorts(parts, terms),
    staleAfterMs: terms.settings["agents.staleAfterMs"],
  });
}
