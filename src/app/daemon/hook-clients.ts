/** The clients whose hooks are understood: a folder in adapters/ and a line here. */
import { type TeamReport, withAgentTeams } from "../../adapters/agent-teams/index.ts";
import { claudeCode } from "../../adapters/claude-code/index.ts";
import { gitGate } from "../../adapters/commit-gate/index.ts";
import { shellPrefix } from "../../adapters/confinement/index.ts";
import type { ClientAdapterV1 } from "../../contract/index.ts";
import type { Settings } from "../../platform/config/index.ts";
import { installableClients } from "../command-line/client-installer.ts";
import type { Parts } from "./parts.ts";

export function hookClients(settings: Settings, { health }: Pick<Parts, "health">): readonly ClientAdapterV1[] {
  const clients: readonly ClientAdapterV1[] = [...installableClients, gitGate, shellPrefix];
  if (settings["adapters.agentTeams"] === "off") return clients;
  const report = (...reports: readonly TeamReport[]) => health.report(...reports);
  return clients.map((client) => (client === claudeCode ? withAgentTeams(client, report) : client));
}
