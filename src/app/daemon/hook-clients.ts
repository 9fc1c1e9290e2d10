/** The clients that have an adapter for their hooks, and git. */
import { type TeamReport, withAgentTeams } from "../../adapters/agent-teams/index.ts";
import { claudeCode } from "../../adapters/claude-code/index.ts";
import { knownClients } from "../../adapters/clients/index.ts";
import { gitGate } from "../../adapters/commit-gate/index.ts";
import { shellPrefix } from "../../adapters/confinement/index.ts";
import type { ClientAdapterV1 } from "../../contract/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import type { DaemonParts } from "./parts.ts";

export function hookClients(settings: Settings, { health }: Pick<DaemonParts, "health">): readonly ClientAdapterV1[] {
  const clients: readonly ClientAdapterV1[] = [...knownClients, gitGate, shellPrefix];
  if (settings["adapters.agentTeams"] === "off") return clients;
  const report = (...reports: readonly TeamReport[]) => health.report(...reports);
  return clients.map((client) => (client === claudeCode ? withAgentTeams(client, report) : client));
}
