/** A session that was never seen: a new agent, with a name that no agent of the project ever had. */
import { agent as contract, type Project } from "../../contract/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { chooseName } from "./agent-names.ts";
import { viewAgent } from "./agent-view.ts";
import type { RunningProcess } from "./choose-process.ts";
import { findParent } from "./find-parent.ts";
import type { ProjectPlace } from "./locate-project.ts";
import type { RegistryPorts, Wanted } from "./ports.ts";
import type { AgentRecord, RegistryRepositories } from "./store.ts";

export type Whereabouts = ProjectPlace & {
  readonly project: Project;
  readonly running: RunningProcess | undefined;
  /** Capabilities that the client's plugins declare. */
  readonly declared: readonly string[];
};

export async function enrol(
  wanted: Wanted,
  { project, tree, branch, running, declared }: Whereabouts,
  tx: RegistryRepositories & Transaction,
  { clock, ids, liveness, host }: RegistryPorts,
): Promise<AgentRecord> {
  const parent = wanted.parent === undefined ? undefined : await findParent(wanted.parent, project, tx);
  const name = await chooseName(
    wanted.name,
    await tx.agents.count(project.id),
    async (candidate) => (await tx.agents.findByName(project.id, candidate)) !== undefined,
  );
  const now = clock.now();
  const record: AgentRecord = {
    id: ids.next("agt"),
    project,
    name,
    client: wanted.client,
    sessionKey: wanted.sessionKey,
    parent: parent?.id,
    tree,
    branch,
    // A sub-agent that declares nothing can do what its parent can.
    capabilities: [...new Set([...(wanted.capabilities ?? parent?.capabilities ?? []), ...declared])],
    pid: running?.pid,
    processStart: running?.processStart,
    host,
    registeredAt: now,
    lastSeenAt: now,
    offlineAt: undefined,
    endedAt: undefined,
  };
  await tx.agents.insert(record);
  liveness.touch(record.id);
  await tx.events.append(project.id, contract.AgentRegistered.of(record.id, { agent: viewAgent(record, liveness) }));
  return record;
}
