/**
 * The agent card (A2A 1.0) at /.well-known/agent-card.json: who answers here and what for. Everyone may read it, so it
 * holds nothing of any project: it is made of the contract alone. Our bindings are not A2A's own, so URIs name them.
 */
import type { FastifyInstance } from "fastify";
import { allOperations } from "../../contract/index.ts";
import { version } from "../../platform/version.ts";

const skills = [
  {
    id: "agents",
    name: "Who is here",
    description: "One identity per client session, with sub-agents, liveness, capabilities and handoff records.",
    tags: ["registry", "presence", "discovery"],
    nouns: ["agent"],
  },
  {
    id: "files",
    name: "File reservations",
    description: "Reserve paths or globs, shared or exclusive, until a time limit; a conflict names the holder.",
    tags: ["coordination", "locking"],
    nouns: ["reservation"],
  },
  {
    id: "work",
    name: "Work items",
    description: "Tracked work with dependencies; exactly one of any number of racing agents wins a claim.",
    tags: ["coordination", "tasks"],
    nouns: ["work-item"],
  },
  {
    id: "runs",
    name: "Requests to verified changes",
    description: "Plan a request, let engineers work on it in parallel, check every step, merge or discard the result.",
    tags: ["orchestration", "planning"],
    nouns: ["run", "approval", "session", "history"],
  },
] as const;

/** `url` is where the reader found us: the daemon may be reached by several names. */
function agentCard(url: string): object {
  return {
    name: "Sylk",
    description: "Local-first control plane for coding agents: many agents, one repository, nothing lost.",
    version,
    supportedInterfaces: [
      { url: `${url}/mcp`, protocolBinding: "https://modelcontextprotocol.io/specification", protocolVersion: "1.0" },
      { url: `${url}/v1`, protocolBinding: "urn:sylk:http:v1", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: skills.map(({ nouns, ...skill }) => ({ ...skill, tags: [...skill.tags], examples: examplesOf(nouns) })),
  };
}

function examplesOf(nouns: readonly string[]): readonly string[] {
  return allOperations()
    .filter(({ name }) => nouns.includes(name.slice(0, name.indexOf("."))))
    .map(({ summary }) => summary);
}

export function addAgentCard(app: FastifyInstance): void {
  app.get("/.well-known/agent-card.json", async (request, reply) => {
    reply.header("cache-control", "no-cache");
    return agentCard(`http://${request.host || "localhost"}`);
  });
}
