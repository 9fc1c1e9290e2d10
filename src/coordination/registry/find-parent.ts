/** The parent a sub-agent names, by id or session key: known, of the same project, and not ended. */
import { AgentId, DomainError, type Project } from "../../contract/index.ts";
import { agentEnded } from "./agent-ended.ts";
import type { AgentRecord, AgentRepository } from "./store.ts";

export async function findParent(
  text: string,
  project: Project,
  { agents }: { readonly agents: AgentRepository },
): Promise<AgentRecord> {
  const id = AgentId.safeParse(text);
  const parent = id.success ? await agents.find(id.data) : await agents.findBySessionKey(project.id, text);
  if (parent === undefined)
    throw new DomainError(
      "agent.not-found",
      `No agent of ${project.name} has the id or session key ${JSON.stringify(text)}; register the parent first`,
      { details: { id: text } },
    );
  if (parent.project.id !== project.id)
    throw new DomainError(
      "caller.denied",
      `${parent.name} belongs to ${parent.project.name} and cannot have a sub-agent in ${project.name}`,
      { details: { needed: "a parent of the same project" } },
    );
  if (parent.endedAt !== undefined) throw agentEnded(parent);
  return parent;
}
