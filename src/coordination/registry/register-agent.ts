/**
 * Registration: one identity per client session.
 *
 *   sessionKey unknown -> new agent -> agent.registered
 *   sessionKey known   -> the same agent, back from offline or ended if it was -> agent.returned
 *
 * The token is minted after the change and outside its kept answer: a replayed registration gets a token of its own.
 * The agent counts as heard of while the change still runs: its own answer and a sweep of the same group see it alive.
 */
import { agent as contract, type Agent, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import { chooseName } from "./agent-names.ts";
import { refOf, viewAgent } from "./agent-view.ts";
import type { Liveness } from "./liveness.ts";
import { locateProject, type ProjectPlace } from "./locate-project.ts";
import { ensureProject } from "./projects.ts";
import type { AgentRecord, RegistryRepositories } from "./store.ts";
import { mintAgentToken } from "./tokens.ts";

export type RegistryPorts = {
  readonly store: Store<RegistryRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly liveness: Liveness;
};
type Wanted = InputOf<"agent.register">;
type Tx = RegistryRepositories & Transaction;

export async function registerAgent(
  wanted: Wanted,
  call: Pick<Call<RegistryRepositories>, "transact">,
  ports: RegistryPorts,
): Promise<OutputOf<"agent.register">> {
  const agent = await attachSession(wanted, call, ports);
  const token = await ports.store.transact(agent.project.id, (tx) =>
    mintAgentToken(tx.tokens, agent.id, ports.clock.now()),
  );
  return { agent, token };
}

/** The identity without a token: what the user's own calls need for the human agent. */
export async function attachSession(
  wanted: Wanted,
  { transact }: Pick<Call<RegistryRepositories>, "transact">,
  ports: RegistryPorts,
): Promise<Agent> {
  const place = await locateProject(wanted.project.path);
  const agent = await transact(place.path, async (tx) => {
    const project = await ensureProject(place, tx, ports);
    const known = await tx.agents.findBySessionKey(project.id, wanted.sessionKey);
    const record =
      known === undefined
        ? await enrol(wanted, { ...place, project }, tx, ports)
        : await welcomeBack(known, wanted, place, tx, ports);
    return viewAgent(record, ports.liveness);
  });
  ports.liveness.touch(agent.id);
  return agent;
}

async function enrol(
  wanted: Wanted,
  place: ProjectPlace & { project: Agent["project"] },
  tx: Tx,
  { clock, ids, liveness }: RegistryPorts,
): Promise<AgentRecord> {
  const now = clock.now();
  const { project, tree } = place;
  const known = await tx.agents.list({ project: project.id, includeGone: true });
  const name = await chooseName(
    wanted.name,
    known.length,
    async (candidate) => (await tx.agents.findByName(project.id, candidate)) !== undefined,
  );
  const record: AgentRecord = {
    id: ids.next("agt"),
    project,
    name,
    client: wanted.client,
    sessionKey: wanted.sessionKey,
    tree,
    capabilities: wanted.capabilities ?? [],
    pid: wanted.pid,
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

async function welcomeBack(
  known: AgentRecord,
  wanted: Wanted,
  { tree }: ProjectPlace,
  tx: Tx,
  { clock, liveness }: RegistryPorts,
): Promise<AgentRecord> {
  const wasGone = known.offlineAt !== undefined || known.endedAt !== undefined;
  const record: AgentRecord = {
    ...known,
    client: wanted.client,
    tree,
    capabilities: wanted.capabilities ?? known.capabilities,
    pid: wanted.pid ?? known.pid,
    lastSeenAt: clock.now(),
    offlineAt: undefined,
    endedAt: undefined,
  };
  await tx.agents.update(record);
  liveness.touch(record.id);
  if (wasGone)
    await tx.events.append(record.project.id, contract.AgentReturned.of(record.id, { agent: refOf(record) }));
  return record;
}
