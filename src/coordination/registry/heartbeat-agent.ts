/** A heartbeat does what every call does, for clients that have nothing else to say; it also looks at the tree's branch. */
import { agent as contract, DomainError, type AgentId, type Caller, type OutputOf } from "../../contract/index.ts";
import { agentEnded } from "./agent-ended.ts";
import { viewAgent } from "./agent-view.ts";
import { findAgent } from "./list-agents.ts";
import { locateProject } from "./locate-project.ts";
import type { RegistryPorts } from "./ports.ts";
import { renewAgent } from "./renew-agent.ts";
import type { AgentRecord } from "./store.ts";

export async function heartbeatAgent(
  id: AgentId,
  caller: Caller,
  ports: RegistryPorts,
): Promise<Omit<OutputOf<"agent.heartbeat">, "pending">> {
  refuseOthers(id, caller, "heartbeat");
  const record = await findAgent(id, caller, ports);
  if (record.endedAt !== undefined) throw agentEnded(record);
  await renewAgent(record, ports);
  const branch = await branchNow(record);
  const current = branch === record.branch ? record : await changeBranch(record, branch, ports);
  return { agent: viewAgent({ ...current, offlineAt: undefined }, ports.liveness) };
}

/** A tree that cannot be read says nothing new. */
function branchNow({ tree, branch }: AgentRecord): Promise<string | undefined> {
  return locateProject(tree).then(
    (place) => place.branch,
    () => branch,
  );
}

function changeBranch(
  { id, project }: AgentRecord,
  branch: string | undefined,
  { store, liveness }: RegistryPorts,
): Promise<AgentRecord> {
  return store.transact(project.id, async (tx) => {
    const record = { ...(await tx.agents.find(id))!, branch };
    await tx.agents.update(record);
    await tx.events.append(project.id, contract.AgentChanged.of(id, { agent: viewAgent(record, liveness) }));
    return record;
  });
}

/** An agent's token speaks for that agent alone; the user may speak for any. */
export function refuseOthers(id: AgentId, caller: Caller, what: string): void {
  if (caller.kind === "user" || caller.agent.id === id) return;
  throw new DomainError("caller.denied", `${caller.agent.name} cannot ${what} for another agent`, {
    details: { needed: "that agent's own token" },
  });
}
