/** The agents that are alive: of a caller's project, and the projects that have any. */
import type { AgentRef, Caller, ProjectId } from "../../contract/index.ts";
import { refOf } from "./agent-view.ts";
import type { Liveness } from "./liveness.ts";
import type { AgentRepository } from "./store.ts";

type Reader = { readonly reader: { readonly agents: AgentRepository } };

/** The user without a project sees those of all projects. */
export async function agentsNow(
  { project }: Caller,
  { store, liveness }: { readonly store: Reader; readonly liveness: Liveness },
): Promise<readonly { readonly agent: AgentRef; readonly lastSeenAt: number }[]> {
  const listed = await store.reader.agents.list({ project: project?.id, includeGone: false });
  return listed
    .filter((record) => liveness.statusOf(record) !== "offline")
    .map((record) => ({ agent: refOf(record), lastSeenAt: liveness.lastSeenAt(record) }));
}

export async function projectsWithAgents({ reader }: Reader): Promise<readonly ProjectId[]> {
  const agents = await reader.agents.list({ project: undefined, includeGone: false });
  return [...new Set(agents.map(({ project }) => project.id))];
}
