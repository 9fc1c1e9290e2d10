/**
 * Names and ids -> agents, also those who are away; unknown ones are refused with the nearest name. A name means an agent of
 * the sender's project, or of the one that the message names; `otter@shop` is the agent otter of the project shop.
 */
import { AgentId, DomainError, type Project } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import { type AgentRecord, type AgentRepository, findProject, type ProjectRepository } from "../registry/index.ts";

type Tx = { readonly agents: AgentRepository; readonly projects: ProjectRepository };

export async function findReceivers(
  wanted: readonly string[],
  project: Project,
  tx: Tx,
): Promise<readonly AgentRecord[]> {
  const found = new Map<string, AgentRecord>();
  for (const text of wanted) {
    const record = await findReceiver(text, project, tx);
    found.set(record.id, record);
  }
  return [...found.values()];
}

async function findReceiver(text: string, project: Project, tx: Tx): Promise<AgentRecord> {
  const [, local, elsewhere] = /^([^@]+)@(.+)$/s.exec(text) ?? [];
  if (local !== undefined && elsewhere !== undefined)
    return findReceiver(local, await findProject(elsewhere, [elsewhere], tx.projects), tx);
  const id = AgentId.safeParse(text);
  const record = id.success ? await tx.agents.find(id.data) : await tx.agents.findByName(project.id, text);
  if (record !== undefined) return record;
  const names = (await tx.agents.list({ project: project.id, includeGone: true })).map(({ name }) => name);
  throw new DomainError(
    "agent.not-found",
    `There is no agent "${text}" in ${project.name}; "sylk who" lists the live ones${suggestion(text, names)}`,
    { details: { id: text } },
  );
}
