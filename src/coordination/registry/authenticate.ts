/**
 * Authentication: credentials off the wire -> a caller.
 *
 *   agent token            -> that agent alone, in its own project
 *   user token             -> the user, or who the user's call is for: see find-actor.ts
 *   key in MCP's address   -> the user for a registration, else the agent whose handle the call gives
 *
 * Every authenticated call renews the agent's liveness.
 */
import {
  DomainError,
  type AgentCaller,
  type AgentId,
  type Authenticate,
  type Caller,
  type Credentials,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { hashToken, mcpKeyPrefix } from "../../platform/tokens.ts";
import { agentEnded } from "./agent-ended.ts";
import { refOf } from "./agent-view.ts";
import { findActor, humanAgent, isOutsideProjects, projectAt, unidentified } from "./find-actor.ts";
import { locateKnown } from "./locate-known.ts";
import type { RegistryPorts } from "./ports.ts";
import { renewAgent } from "./renew-agent.ts";
import type { AgentRecord } from "./store.ts";

export function createAuthenticate(ports: RegistryPorts): Authenticate {
  return async (credentials, actor) => {
    const owner = await ownerOf(credentials, ports);
    if (owner.agent === undefined) return userCaller(credentials, actor, ports);
    const record = await ports.store.reader.agents.find(owner.agent);
    if (record === undefined) throw unknownToken();
    await refuseForeign(record, credentials, ports);
    return agentCaller(record, ports);
  };
}

async function ownerOf(
  { token, inAddress = false }: Credentials,
  { store, mcpKey }: RegistryPorts,
): Promise<{ readonly agent: AgentId | undefined }> {
  if (inAddress || token?.startsWith(mcpKeyPrefix) === true) {
    const key = mcpKey?.();
    // By their hashes, so that the time it takes tells nothing of the key.
    if (inAddress && key !== undefined && hashToken(token ?? "") === hashToken(key)) return { agent: undefined };
    throw unknownToken();
  }
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

async function refuseForeign(
  record: AgentRecord,
  { projectPath, actAs }: Credentials,
  { store }: RegistryPorts,
): Promise<void> {
  if (actAs !== undefined && actAs !== record.id && actAs !== record.name) {
    throw new DomainError("caller.denied", `The token belongs to ${record.name}; it cannot act for ${actAs}`, {
      details: { needed: "that agent's own token" },
    });
  }
  if (projectPath !== undefined && (await locateKnown(projectPath, store.reader)).path !== record.project.path) {
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
  credentials: Credentials,
  actor: "user" | "agent" | "anyone",
  ports: RegistryPorts,
): Promise<Caller> {
  const { projectPath } = credentials;
  if (actor === "user") return { kind: "user", project: undefined, ...defined({ folder: projectPath }) };
  // A model's look stays where it is.
  const isOutside =
    credentials.coversAll === true &&
    credentials.needsAgent === undefined &&
    projectPath !== undefined &&
    (await isOutsideProjects(projectPath, ports));
  const project = projectPath === undefined || isOutside ? undefined : await projectAt(projectPath, ports);
  const found = await findActor(credentials, project, { attach: actor === "agent" }, ports);
  if (found !== undefined) return agentCaller(found, ports);
  if (actor === "anyone") return { kind: "user", project };
  if (projectPath === undefined || project === undefined) throw projectNeeded();
  if (credentials.needsAgent !== undefined) throw await unidentified(credentials, project, ports);
  const person = await agentCaller(await humanAgent(projectPath, project, ports), ports);
  return { ...person, ...defined({ descends: credentials.ancestors }) };
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

async function agentCaller(record: AgentRecord, ports: RegistryPorts): Promise<AgentCaller> {
  if (record.endedAt !== undefined) throw agentEnded(record);
  await renewAgent(record, ports);
  return { kind: "agent", agent: refOf(record), project: record.project, tree: record.tree };
}
