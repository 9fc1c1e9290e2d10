/** Handlers of health and incidents: what `contract/health.ts` names. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { greet } from "./greet.ts";
import { type IncidentPorts, listIncidents, resolveIncident } from "./incidents.ts";
import type { HealthRepositories } from "./ports.ts";
import { reportOutcomes } from "./report-outcomes.ts";
import { showHealth, type ShowHealthPorts } from "./show-health.ts";

export function healthHandlers(
  ports: IncidentPorts & ShowHealthPorts,
): OperationHandlers<HealthRepositories, OperationsOn<"health" | "incident">> {
  return {
    "health.report": async (input, { caller }) => reportOutcomes(input, caller, ports.tracker),
    "health.show": (input, { caller }) => showHealth(input, caller, ports),
    "health.greeting": (_, { caller }) => greet(caller, ports),
    "incident.list": (input, { caller }) => listIncidents(input, caller, ports),
    "incident.resolve": (input, call) => resolveIncident(input, call, ports),
  };
}
