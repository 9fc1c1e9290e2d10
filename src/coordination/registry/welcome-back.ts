/** A session that is known: the same agent, with what it says anew. Being offline ends afterwards, with `bringBack`. */
import { agent as contract, invalidInput } from "../../contract/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { refOf, viewAgent } from "./agent-view.ts";
import type { Whereabouts } from "./enrol-agent.ts";
import { findParent } from "./find-parent.ts";
import type { RegistryPorts, Wanted } from "./ports.ts";
import type { AgentRecord, RegistryRepositories } from "./store.ts";

export async function welcomeBack(
  known: AgentRecord,
  wanted: Wanted,
  { project, tree, branch, running, declared }: Whereabouts,
  tx: RegistryRepositories & Transaction,
  { clock, liveness, host }: RegistryPorts,
): Promise<AgentRecord> {
  await refuseOtherParent(known, wanted, project, tx);
  const wasEnded = known.endedAt !== undefined;
  const record: AgentRecord = {
    ...known,
    client: wanted.client,
    tree,
    branch,
    capabilities: [...new Set([...(wanted.capabilities ?? known.capabilities), ...declared])],
    ...running,
    host,
    lastSeenAt: clock.now(),
    ...(wasEnded ? { offlineAt: undefined, endedAt: undefined } : {}),
  };
  await tx.agents.update(record);
  liveness.touch(record.id);
  if (wasEnded) await tx.events.append(project.id, contract.AgentReturned.of(record.id, { agent: refOf(record) }));
  else if (record.offlineAt === undefined && saysSomethingNew(known, record))
    await tx.events.append(project.id, contract.AgentChanged.of(record.id, { agent: viewAgent(record, liveness) }));
  return record;
}

/** A parent is for life: so there is no cycle of parents, and no agent is orphaned. */
async function refuseOtherParent(
  known: AgentRecord,
  wanted: Wanted,
  project: AgentRecord["project"],
  tx: RegistryRepositories,
): Promise<void> {
  const named = wanted.parent ?? known.parent;
  if (named === undefined) return;
  const parent = await findParent(named, project, tx);
  if (parent.id === known.parent) return;
  const has = known.parent === undefined ? "no parent" : "another parent";
  throw invalidInput("parent", `is known with ${has}`, {
    sentence: `parent: ${known.name} is known with ${has}; a sub-agent needs a session key of its own`,
  });
}

function saysSomethingNew(known: AgentRecord, record: AgentRecord): boolean {
  const told = ({ client, tree, branch, capabilities, pid, processStart }: AgentRecord) =>
    JSON.stringify([client, tree, branch, capabilities, pid, processStart]);
  return told(known) !== told(record);
}
