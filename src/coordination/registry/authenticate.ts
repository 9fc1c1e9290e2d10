/**
 * Authentication: credentials off the wire -> a caller.
 *
 *   agent token            -> that agent, in its own project, and nobody else
 *   user token             -> the user; with a project, the user's own ("human") agent there; with `actAs`, that agent
 *
 * Every authenticated call renews the agent's liveness.
 */
import { userInfo } from "node:os";
import {
  AgentId,
  DomainError,
  type Authenticate,
  type Caller,
  type Credentials,
  type Project,
} from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import { locateProject } from "./locate-project.ts";
import { markReturned } from "./mark-returned.ts";
import { ensureProject } from "./projects.ts";
import { attachSession, type RegistryPorts } from "./register-agent.ts";
import type { AgentRecord } from "./store.ts";
import { hashToken } from "../../platform/tokens.ts";

export function createAuthenticate(ports: RegistryPorts): Authenticate {
  return async (credentials, actor) => {
    const owner = await ownerOf(credentials.token, ports);
    if (owner.agent === undefined) return userCaller(credentials, actor, ports);
    const record = await ports.store.reader.agents.find(owner.agent);
    if (record === undefined) throw unknownToken();
    await refuseForeign(record, credentials);
    return agentCaller(record, ports);
  };
}

async function ownerOf(
  token: string | undefined,
  { store }: RegistryPorts,
): Promise<{ readonly agent: AgentId | undefined }> {
  if (token === undefined) {
    throw new DomainError(
      "token.missing",
      'Send "Authorization: Bearer <token>"; the user\'s token is in the file "token" of SYLK_HOME, an agent\'s came with its registration',
    );
  }
  const owner = await store.reader.tokens.find(hashToken(token));
  if (owner === undefined) throw unknownToken();
  return owner;
}

function unknownToken(): DomainError {
  return new DomainError(
    "token.unknown",
    "This token is not valid here or was revoked; register the agent again by its session key to get a new one",
  );
}

async function refuseForeign(record: AgentRecord, { projectPath, actAs }: Credentials): Promise<void> {
  if (actAs !== undefined && actAs !== record.id && actAs !== record.name) {
    throw new DomainError("caller.denied", `The token belongs to ${record.name}; it cannot act for ${actAs}`, {
      details: { needed: "that agent's own token" },
    });
  }
  if (projectPath !== undefined && (await locateProject(projectPath)).path !== record.project.path) {
    throw new DomainError(
      "caller.denied",
      `The token belongs to an agent of ${record.project.name}; register in the other project to work there`,
      {
        details: { needed: "a token of that project" },
      },
    );
  }
}

async function userCaller(
  { projectPath, actAs }: Credentials,
  actor: "user" | "agent" | "anyone",
  ports: RegistryPorts,
): Promise<Caller> {
  if (actor === "user") return { kind: "user", project: undefined };
  const project = projectPath === undefined ? undefined : await projectAt(projectPath, ports);
  if (actAs !== undefined) return agentCaller(await agentNamed(actAs, project, ports), ports);
  if (actor === "anyone") return { kind: "user", project };
  if (projectPath === undefined) throw projectNeeded();
  return humanCaller(projectPath, ports);
}

async function projectAt(path: string, ports: RegistryPorts): Promise<Project> {
  const place = await locateProject(path);
  const known = await ports.store.reader.projects.findByPath(place.path);
  return known ?? ports.store.transact(place.path, (tx) => ensureProject(place, tx, ports));
}

async function agentNamed(text: string, project: Project | undefined, { store }: RegistryPorts): Promise<AgentRecord> {
  const id = AgentId.safeParse(text);
  const record = id.success
    ? await store.reader.agents.find(id.data)
    : project && (await store.reader.agents.findByName(project.id, text));
  if (record === undefined)
    throw new DomainError("agent.not-found", `No agent "${text}" here; "sylk who" lists them`, {
      details: { id: text },
    });
  if (project !== undefined && record.project.id !== project.id) {
    throw new DomainError("caller.denied", `${record.name} belongs to ${record.project.name}, not to ${project.name}`, {
      details: { needed: "an agent of this project" },
    });
  }
  return record;
}

/** The one human agent of this OS user in a project; made when first needed. */
async function humanCaller(path: string, ports: RegistryPorts): Promise<Caller> {
  const user = userName();
  const place = await locateProject(path);
  const project = await projectAt(path, ports);
  const sessionKey = `human:${user}`;
  const known = await ports.store.reader.agents.findBySessionKey(project.id, sessionKey);
  if (known !== undefined && known.endedAt === undefined && known.tree === place.tree) return agentCaller(known, ports);
  const name =
    user
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, "-")
      .replace(/^[^a-z]+/, "")
      .slice(0, 40) || "human";
  const { id } = await attachSession({ sessionKey, client: "human", project: { path }, name }, ports.store, ports);
  return agentCaller((await ports.store.reader.agents.find(id))!, ports);
}

function projectNeeded(): DomainError {
  return new DomainError(
    "agent.unknown-project",
    'This call needs a project: send the folder in the header "sylk-project", or use an agent\'s token',
    {
      details: { header: "sylk-project" },
    },
  );
}

async function agentCaller(record: AgentRecord, ports: RegistryPorts): Promise<Caller> {
  if (record.endedAt !== undefined) {
    throw new DomainError("agent.ended", `${record.name} has ended; register its session key again to go on`, {
      details: { agent: refOf(record) },
    });
  }
  const wasOffline = record.offlineAt !== undefined;
  ports.liveness.touch(record.id);
  if (wasOffline) await markReturned(record, ports);
  return { kind: "agent", agent: refOf(record), project: record.project, tree: record.tree };
}

/** A user may have no entry in the machine's list, as in a container that runs under any number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 0}`;
  }
}
