/** Lists the live agents, the most recently active first. */
import { DomainError, type Agent, type Caller, type InputOf } from "../../contract/index.ts";
import { viewAgent } from "./agent-view.ts";
import type { RegistryPorts } from "./ports.ts";
import type { AgentRecord } from "./store.ts";

type Ports = Pick<RegistryPorts, "store" | "liveness">;

type FoundAgents = {
  readonly found: readonly { readonly record: AgentRecord; readonly agent: Agent }[];
  readonly nextCursor?: string;
};

export async function listAgents(
  query: InputOf<"agent.list">,
  caller: Caller,
  ports: Ports,
): Promise<{ readonly items: readonly Agent[]; readonly nextCursor?: string }> {
  const { found, ...page } = await pageOfAgents(query, caller, ports);
  return { items: found.map(({ agent }) => agent), ...page };
}

/** With their records. */
export async function pageOfAgents(
  query: InputOf<"agent.list">,
  caller: Caller,
  { store, liveness }: Ports,
): Promise<FoundAgents> {
  const { status, capability, language, cursor, limit } = query;
  const records = await store.reader.agents.list({
    project: caller.project?.id,
    includeGone: status === "offline" || status === "ended",
    withWork: true,
    capabilities: [capability, language && `lang:${language}`].filter((wanted) => wanted !== undefined),
  });
  const wanted = ({ agent }: FoundAgents["found"][number]): boolean =>
    status === undefined ? agent.status === "active" || agent.status === "idle" : agent.status === status;
  const agents = records
    .map((record) => ({ record, agent: viewAgent(record, liveness) }))
    .filter(wanted)
    .sort(({ agent: a }, { agent: b }) => b.lastSeenAt - a.lastSeenAt || (a.id < b.id ? 1 : -1));
  const start = cursor === undefined ? 0 : positionAfter(agents, cursor);
  const found = agents.slice(start, start + limit);
  return start + limit < agents.length ? { found, nextCursor: found.at(-1)!.agent.id } : { found };
}

function positionAfter(agents: FoundAgents["found"], cursor: string): number {
  return agents.findIndex(({ agent }) => agent.id === cursor) + 1;
}

/** An agent of the caller's own project; the user may look everywhere. */
export async function findAgent(
  id: AgentRecord["id"],
  caller: Caller,
  { store }: Pick<RegistryPorts, "store">,
): Promise<AgentRecord> {
  const record = await store.reader.agents.find(id);
  if (record === undefined)
    throw new DomainError(
      "agent.not-found",
      `There is no agent ${id}; "sylk who" lists the live ones, "sylk agent register" makes one`,
      {
        details: { id },
      },
    );
  if (caller.kind === "agent" && caller.project.id !== record.project.id) {
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  }
  return record;
}
