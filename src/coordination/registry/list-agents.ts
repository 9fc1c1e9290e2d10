/** Lists the live agents, the most recently active first. */
import { DomainError, type Agent, type Caller, type InputOf, type OutputOf } from "../../contract/index.ts";
import { viewAgent } from "./agent-view.ts";
import type { RegistryPorts } from "./ports.ts";
import type { AgentRecord } from "./store.ts";

type Ports = Pick<RegistryPorts, "store" | "liveness">;

export async function listAgents(
  query: InputOf<"agent.list">,
  caller: Caller,
  { store, liveness }: Ports,
): Promise<{ readonly items: readonly Agent[]; readonly nextCursor?: string }> {
  const { status, capability, language, cursor, limit } = query;
  const records = await store.reader.agents.list({
    project: caller.project?.id,
    includeGone: status === "offline" || status === "ended",
    withWork: true,
    capabilities: [capability, language && `lang:${language}`].filter((wanted) => wanted !== undefined),
  });
  const wanted = (agent: Agent): boolean =>
    status === undefined ? agent.status === "active" || agent.status === "idle" : agent.status === status;
  const agents = records
    .map((record) => viewAgent(record, liveness))
    .filter(wanted)
    .sort((a, b) => b.lastSeenAt - a.lastSeenAt || (a.id < b.id ? 1 : -1));
  const start = cursor === undefined ? 0 : positionAfter(agents, cursor);
  const items = agents.slice(start, start + limit);
  return start + limit < agents.length ? { items, nextCursor: items.at(-1)!.id } : { items };
}

function positionAfter(agents: readonly Agent[], cursor: string): number {
  return agents.findIndex(({ id }) => id === cursor) + 1;
}

export async function getAgent(
  id: AgentRecord["id"],
  caller: Caller,
  { store, liveness }: Ports,
): Promise<OutputOf<"agent.get">> {
  const record = await findAgent(id, caller, { store });
  return { agent: viewAgent((await store.reader.agents.findWithWork(id)) ?? record, liveness) };
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
