/** Reviewers that plugins of a project's live agents brought along: an agent says so by the capability reviewer:<name>. */
import type { AgentRepository, ProjectRepository } from "./store.ts";

type Reader = { readonly projects: ProjectRepository; readonly agents: AgentRepository };

export async function knownReviewers(
  path: string,
  { projects, agents }: Reader,
): Promise<readonly { readonly name: string; readonly agent: string }[]> {
  const project = await projects.findByPath(path);
  if (project === undefined) return [];
  return (await agents.list({ project: project.id, includeGone: false })).flatMap(({ name: agent, capabilities }) =>
    capabilities.flatMap((capability) => {
      const [, name] = /^reviewer:(.+)$/.exec(capability) ?? [];
      return name === undefined ? [] : [{ name, agent }];
    }),
  );
}
