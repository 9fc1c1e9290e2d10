/**
 * Agents known by MCP alone: the process they registered is their tool server, a child of the client. What the client's
 * shell runs descends from the client and not from the server.
 */
import type { Project } from "../../contract/index.ts";
import type { RegistryPorts } from "./ports.ts";
import type { AgentRecord } from "./store.ts";

/** Of the nearest ancestor that has started one. */
export async function agentsByToolServer(
  ancestors: readonly number[],
  project: Project,
  { store, startTimeOf, clientOfToolServer }: RegistryPorts,
): Promise<readonly AgentRecord[]> {
  if (clientOfToolServer === undefined || ancestors.length === 0) return [];
  const byClient = new Map<number, AgentRecord[]>();
  for (const record of await store.reader.agents.list({ project: project.id, includeGone: false })) {
    if (record.pid === undefined || (await startTimeOf(record.pid)) !== record.processStart) continue;
    const client = await clientOfToolServer(record.pid);
    if (client !== undefined) byClient.set(client, [...(byClient.get(client) ?? []), record]);
  }
  const nearest = ancestors.find((pid) => byClient.has(pid));
  return nearest === undefined ? [] : byClient.get(nearest)!;
}
