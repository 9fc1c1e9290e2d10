/**
 * Finds the agent that a user's call is for: commands and git hooks run inside an agent's session and must act as that agent.
 *
 *   named (--as, SYLK_AGENT) -> the client's session variable -> the nearest registered ancestor process
 *                            -> the ancestor that started a registered tool server -> none
 *
 * Where no agent is found, the one human agent of this OS user in the project acts; over MCP none does, and a process that
 * several sessions share names none of them.
 */
import { userInfo } from "node:os";
import { AgentId, DomainError, type ClientSession, type Credentials, type Project } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { hashStartOf } from "../../platform/tokens.ts";
import { refOf } from "./agent-view.ts";
import { locateKnown } from "./locate-known.ts";
import { ensureProject } from "./projects.ts";
import type { RegistryPorts } from "./ports.ts";
import { agentsByToolServer } from "./agents-by-tool-server.ts";
import { attachSession } from "./register-agent.ts";
import type { AgentRecord } from "./store.ts";

/** `attach`: a session that was never seen gets its identity now; a call that only reads does without. */
export async function findActor(
  { actAs, session, ancestors = [], projectPath, needsAgent, inAddress = false, isCertain = false }: Credentials,
  project: Project | undefined,
  { attach }: { readonly attach: boolean },
  ports: RegistryPorts,
): Promise<AgentRecord | undefined> {
  if (actAs !== undefined) return agentNamed(actAs, project, inAddress, ports);
  if (project === undefined || projectPath === undefined) return undefined;
  if (session !== undefined) {
    const known = await ports.store.reader.agents.findBySessionKey(project.id, session.key);
    if (known === undefined) return attach ? attached(session, projectPath, ports) : undefined;
    if (attach && (await isUnwatched(known, session, ports))) return attached(session, known.tree, ports);
    // A client that begins anew keeps its process and its tool servers, and they their variables.
    const isPast = needsAgent !== undefined && known.endedAt !== undefined;
    return (isPast ? onlyOne(await agentsOfProcess(ancestors, project, ports)) : undefined) ?? known;
  }
  const sharing = await agentsOfProcess(ancestors, project, ports);
  if (sharing.length === 0) return onlyOne(await agentsByToolServer(ancestors, project, ports));
  return needsAgent === undefined && !isCertain ? sharing[0] : onlyOne(sharing);
}

/** Over MCP a change needs an agent, and the error says how to become one. */
export async function unidentified(
  { ancestors = [] }: Credentials,
  project: Project,
  ports: RegistryPorts,
): Promise<DomainError> {
  const rivals = (await agentsOfProcess(ancestors, project, ports)).filter(isNoSubAgent);
  const why =
    rivals.length === 0
      ? "This call does not say which agent makes it"
      : `${rivals.map(({ name }) => name).join(" and ")} share the process that makes this call`;
  return new DomainError(
    "agent.unidentified",
    `${why}, so it may only read. Call agent_register (through sylk_more) with the session key that you were told when your session began; or give the server its agent's token: SYLK_TOKEN, over HTTP the header Authorization`,
    { details: { candidates: rivals.map(refOf), suggestedAction: "agent_register" } },
  );
}

function onlyOne(sharing: readonly AgentRecord[]): AgentRecord | undefined {
  const sessions = sharing.filter(isNoSubAgent);
  return sessions.length === 1 ? sessions[0] : undefined;
}

function isNoSubAgent({ parent }: AgentRecord): boolean {
  return parent === undefined;
}

async function agentNamed(
  text: string,
  project: Project | undefined,
  byHandleOnly: boolean,
  { store }: RegistryPorts,
): Promise<AgentRecord> {
  const start = hashStartOf(text);
  const known = start === undefined ? undefined : await store.reader.tokens.findByHashStart(start);
  if (known === undefined && (start !== undefined || byHandleOnly)) throw unknownHandle();
  const id = AgentId.safeParse(known ?? text);
  const record = id.success
    ? await store.reader.agents.find(id.data)
    : project && (await store.reader.agents.findByName(project.id, text));
  if (record === undefined)
    throw new DomainError(
      "agent.not-found",
      `No agent "${text}" here; "sylk who" lists them, "sylk agent register" makes one`,
      { details: { id: text } },
    );
  if (project !== undefined && record.project.id !== project.id) {
    throw new DomainError("caller.denied", `${record.name} belongs to ${record.project.name}, not to ${project.name}`, {
      details: { needed: "an agent of this project" },
    });
  }
  return record;
}

function unknownHandle(): DomainError {
  return new DomainError(
    "agent.not-found",
    'No agent has this handle any more; call agent_register again and give its "handle" as "as"',
    { details: { suggestedAction: "agent_register" } },
  );
}

async function attached(
  { key, client, pid }: ClientSession,
  path: string,
  ports: RegistryPorts,
): Promise<AgentRecord | undefined> {
  const wanted = { sessionKey: key, client, project: { path }, ...defined({ pid }) };
  const { agent } = await attachSession(wanted, ports.store, ports);
  return ports.store.reader.agents.find(agent.id);
}

/** It was first seen by a call that knew no process of it, and this one does: its end is to be noticed from now on. */
async function isUnwatched(
  { processStart, endedAt, parent }: AgentRecord,
  { pid }: ClientSession,
  { startTimeOf }: RegistryPorts,
): Promise<boolean> {
  if (pid === undefined || processStart !== undefined || endedAt !== undefined || parent !== undefined) return false;
  return (await startTimeOf(pid)) !== undefined;
}

/** Of the nearest registered process; the same process, not a later one that got its pid. */
async function agentsOfProcess(
  pids: readonly number[],
  project: Project,
  { store, startTimeOf }: RegistryPorts,
): Promise<readonly AgentRecord[]> {
  for (const pid of pids) {
    const records = await store.reader.agents.listByProcess(project.id, pid);
    if (records.length === 0) continue;
    const start = await startTimeOf(pid);
    const same = records.filter(({ processStart }) => processStart === start);
    if (same.length > 0) return same;
  }
  return [];
}

/** Neither in a repository, whose path is its git directory, nor known as a project itself. */
export async function isOutsideProjects(path: string, { store }: RegistryPorts): Promise<boolean> {
  const place = await locateKnown(path, store.reader);
  return place.path === place.tree && (await store.reader.projects.findByPath(place.path)) === undefined;
}

export async function projectAt(path: string, ports: RegistryPorts): Promise<Project> {
  const place = await locateKnown(path, ports.store.reader);
  const known = await ports.store.reader.projects.findByPath(place.path);
  return known ?? ports.store.transact(place.path, (tx) => ensureProject(place, tx, ports));
}

/** The one human agent of this OS user in a project; made when first needed. */
export async function humanAgent(path: string, project: Project, ports: RegistryPorts): Promise<AgentRecord> {
  const user = userName();
  const { tree } = await locateKnown(path, ports.store.reader);
  const sessionKey = `human:${user}`;
  const known = await ports.store.reader.agents.findBySessionKey(project.id, sessionKey);
  if (known !== undefined && known.endedAt === undefined && known.tree === tree) return known;
  const name =
    user
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, "-")
      .replace(/^[^a-z]+/, "")
      .slice(0, 40) || "human";
  const wanted = { sessionKey, client: "human", project: { path }, name } as const;
  const { agent } = await attachSession(wanted, ports.store, ports);
  return (await ports.store.reader.agents.find(agent.id))!;
}

/** A user may have no entry in the machine's list, as in a container that runs under any number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 0}`;
  }
}
