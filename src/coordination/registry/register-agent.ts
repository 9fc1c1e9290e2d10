/**
 * Registration: one identity per client session.
 *
 *   sessionKey unknown -> new agent (perhaps a parent's child) -> agent.registered
 *   sessionKey known   -> the same agent, back from offline or ended if it was -> agent.returned, or agent.changed
 *
 * The token is minted after the change and outside its kept answer: a replayed registration gets a token of its own.
 * The agent counts as heard of while the change still runs: its own answer and a sweep of the same group see it alive.
 */
import {
  type Agent,
  type Homecoming,
  type InputOf,
  invalidInput,
  type OutputOf,
  type UserCaller,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Call } from "../../platform/operations/index.ts";
import { handleOf } from "../../platform/tokens.ts";
import { viewAgent } from "./agent-view.ts";
import { chooseProcess } from "./choose-process.ts";
import { enrol } from "./enrol-agent.ts";
import { findParent } from "./find-parent.ts";
import { locateKnown } from "./locate-known.ts";
import type { RegistryPorts, Wanted } from "./ports.ts";
import { ensureProject } from "./projects.ts";
import { renewAgent } from "./renew-agent.ts";
import type { RegistryRepositories } from "./store.ts";
import { mintAgentToken } from "./tokens.ts";
import { welcomeBack } from "./welcome-back.ts";

export async function registerAgent(
  wanted: Wanted,
  call: Pick<Call<RegistryRepositories>, "transact">,
  ports: RegistryPorts,
): Promise<OutputOf<"agent.register">> {
  const { agent, homecoming } = await attachSession(wanted, call, ports);
  const token = await ports.store.transact(agent.project.id, (tx) =>
    mintAgentToken(tx.tokens, agent.id, ports.clock.now()),
  );
  return { agent, token, handle: handleOf(token), ...defined({ homecoming }) };
}

/** The project that a registration names, else that of its call. */
export function projectWanted(
  { project }: Pick<InputOf<"agent.register">, "project">,
  { folder }: Pick<UserCaller, "folder">,
): Wanted["project"] {
  if (project !== undefined) return project;
  if (folder !== undefined) return { path: folder };
  throw invalidInput("project", "is missing", {
    sentence: 'This registration needs a project: name a folder of the repository in "project": {"path": …}',
  });
}

/** The identity without a token: what the user's own calls need. */
export async function attachSession(
  wanted: Wanted,
  { transact }: Pick<Call<RegistryRepositories>, "transact">,
  ports: RegistryPorts,
): Promise<{ readonly agent: Agent; readonly homecoming: Homecoming | undefined }> {
  const place = await locateKnown(wanted.project.path, ports.store.reader);
  // A sub-agent is not the client: it has what its parent has, or what it declares.
  const declared = wanted.parent === undefined ? ((await ports.declaredByPlugins?.(wanted.client)) ?? []) : [];
  const running = await chooseProcess(wanted, place, ports);
  const agent = await transact(place.path, async (tx) => {
    const project = await ensureProject(
      place,
      tx,
      ports,
      async (fresh) => wanted.parent !== undefined && findParent(wanted.parent, fresh, tx),
    );
    const known = await tx.agents.findBySessionKey(project.id, wanted.sessionKey);
    const record =
      known === undefined
        ? await enrol(wanted, { ...place, project, running, declared }, tx, ports)
        : await welcomeBack(known, wanted, { ...place, project, running, declared }, tx, ports);
    return viewAgent({ ...record, offlineAt: undefined }, ports.liveness);
  });
  const record = await ports.store.reader.agents.find(agent.id);
  return { agent, homecoming: record && (await renewAgent(record, ports)) };
}
