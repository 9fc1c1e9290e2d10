/** An index of its own for a session that asks: opened, built anew and given back, an event each. */
import {
  sessionIndex as contract,
  type AgentId,
  type AgentRef,
  type InputOf,
  type OutputOf,
  type ProjectId,
  type SessionIndex,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent, treeOfProject } from "../registry/index.ts";
import type { Rebuilt, SessionIndexPorts, SessionIndexRepositories } from "./ports.ts";

type Owner = { readonly project: ProjectId; readonly by: AgentRef };

export async function openIndex(
  { tree: wanted }: InputOf<"index.open">,
  { caller, transact }: AgentCall<SessionIndexRepositories>,
  ports: SessionIndexPorts,
): Promise<OutputOf<"index.open">> {
  const { agent, project } = caller;
  const tree = await treeOfProject(wanted, caller);
  await transact(project.id, (tx) => requireLiveAgent(caller, tx));
  return inTurn(agent.id, ports, async () => {
    const known = ports.indexes.find(agent.id);
    if (known?.tree === tree) {
      const rebuilt = await rebuildIndex(known, { project: project.id, by: agent }, ports);
      return { index: rebuilt?.index ?? known, unstaged: [...(rebuilt?.unstaged ?? [])] };
    }
    const index = await ports.indexes.make(tree, agent.id);
    await transact(project.id, (tx) =>
      tx.events.append(project.id, contract.SessionIndexOpened.of(agent.id, { index, by: agent })),
    );
    return { index, unstaged: [] };
  });
}

export async function closeIndex(
  { caller, transact }: AgentCall<SessionIndexRepositories>,
  ports: SessionIndexPorts,
): Promise<OutputOf<"index.close">> {
  const { agent, project } = caller;
  await transact(project.id, (tx) => requireLiveAgent(caller, tx));
  return inTurn(agent.id, ports, async () => {
    const index = ports.indexes.find(agent.id);
    ports.indexes.remove(agent.id);
    if (index === undefined) return {};
    await recordClosedIndex(index, { project: project.id, by: agent }, ports);
    return { removed: index.file };
  });
}

export async function rebuildIndex(
  index: SessionIndex,
  { project, by }: Owner,
  { indexes, store }: SessionIndexPorts,
): Promise<Rebuilt | undefined> {
  const rebuilt = await indexes.rebuild(index);
  if (rebuilt === undefined) return undefined;
  const { kept, unstaged } = rebuilt;
  const fact = { index: rebuilt.index, by, kept: [...kept], unstaged: [...unstaged] };
  await store.transact(project, (tx) => tx.events.append(project, contract.SessionIndexRebuilt.of(by.id, fact)));
  return rebuilt;
}

export async function recordClosedIndex(
  index: SessionIndex,
  { project, by }: Owner,
  { store }: SessionIndexPorts,
): Promise<void> {
  await store.transact(project, (tx) =>
    tx.events.append(project, contract.SessionIndexClosed.of(by.id, { index, by })),
  );
}

export function inTurn<T>(agent: AgentId, { turns }: SessionIndexPorts, work: () => Promise<T>): Promise<T> {
  return turns([`session-index:${agent}`], work);
}
