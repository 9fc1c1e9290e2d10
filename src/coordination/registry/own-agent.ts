/**
 * Sylk itself as the author of what it notices. Its record has ended from the beginning: it does not count among those at
 * work, and it can hold, claim and be told nothing.
 */
import type { AgentRef, Project } from "../../contract/index.ts";
import { chooseName } from "./agent-names.ts";
import { refOf } from "./agent-view.ts";
import type { RegistryPorts } from "./ports.ts";
import type { AgentRecord, AgentRepository } from "./store.ts";

const sessionKey = "sylk:watch";

export async function ownAgent(
  project: Project,
  tree: string,
  { agents }: { readonly agents: AgentRepository },
  { clock, ids, host }: Pick<RegistryPorts, "clock" | "ids" | "host">,
): Promise<AgentRef> {
  const known = await agents.findBySessionKey(project.id, sessionKey);
  if (known !== undefined) return refOf(known);
  const isTaken = async (name: string) => (await agents.findByName(project.id, name)) !== undefined;
  const now = clock.now();
  const record: AgentRecord = {
    id: ids.next("agt"),
    project,
    name: await chooseName("sylk-watch", 0, isTaken),
    client: "sylk",
    sessionKey,
    parent: undefined,
    tree,
    branch: undefined,
    capabilities: [],
    pid: undefined,
    processStart: undefined,
    host,
    registeredAt: now,
    lastSeenAt: now,
    offlineAt: undefined,
    endedAt: now,
  };
  await agents.insert(record);
  return refOf(record);
}
