/** The first line that a session sees: the other agents, what is not enforced, what is unresolved. */
import { messageOf } from "../../contract/errors.ts";
import type { Caller, OutputOf } from "../../contract/index.ts";
import { situationLine } from "../../contract/situation.ts";
import { incidentView } from "./incident-view.ts";
import { isIncidentOf, type ShowHealthPorts } from "./show-health.ts";

/** Never an error: a session that starts is told what is known, and what is not. */
export async function greet(
  caller: Caller,
  { tracker, agentsNow, whyNotEnforced }: Pick<ShowHealthPorts, "tracker" | "agentsNow" | "whyNotEnforced">,
): Promise<OutputOf<"health.greeting">> {
  const own = caller.kind === "agent" ? caller.agent.id : undefined;
  const notEnforced = await whyNotEnforced();
  const open = tracker.incidents().filter((incident) => isIncidentOf(caller, incident));
  const others = await agentsNow(caller).then(
    (agents) => agents.filter(({ agent }) => agent.id !== own).map(({ agent }) => agent.name),
    (error: unknown) => ({ unknown: messageOf(error) }),
  );
  return {
    line: situationLine({ others, notEnforced, incidents: open.map((incident) => incidentView(incident).summary) }),
    others: "unknown" in others ? null : others,
    enforced: notEnforced === undefined,
    incidents: open.length,
  };
}
