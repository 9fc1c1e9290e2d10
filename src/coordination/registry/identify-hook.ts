/** Finds the agent and the project that a hook named while no daemon ran. */
import type { AgentRef, ProjectId } from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import { locateProject } from "./locate-project.ts";
import type { AgentRepository, ProjectRepository } from "./store.ts";

type Reader = { readonly reader: { readonly agents: AgentRepository; readonly projects: ProjectRepository } };
type Named = { readonly agentKey: string | undefined; readonly project: string | undefined };
type Identified = {
  readonly project: ProjectId | undefined;
  readonly agent: AgentRef | { readonly id: string; readonly name: string } | undefined;
};

/** A session key that the registry does not know is passed on as the agent's name. */
export async function identifyHook({ agentKey, project }: Named, { reader }: Reader): Promise<Identified> {
  const known = project === undefined ? undefined : await projectAt(project, reader.projects);
  if (agentKey === undefined) return { project: known, agent: undefined };
  const record = known === undefined ? undefined : await reader.agents.findBySessionKey(known, agentKey);
  return { project: known, agent: record === undefined ? { id: agentKey, name: agentKey } : refOf(record) };
}

/** Named by its id or by any folder in it. */
async function projectAt(place: string, projects: ProjectRepository): Promise<ProjectId | undefined> {
  if (/^prj_\w+$/.test(place)) return (await projects.find(place as ProjectId))?.id;
  const located = await locateProject(place).catch(() => undefined);
  return located === undefined ? undefined : (await projects.findByPath(located.path))?.id;
}
