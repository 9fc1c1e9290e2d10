/** The projects of a home with what is kept of each. */
import { existsSync } from "node:fs";
import type { OutputOf, Project, ProjectSummary } from "../contract/index.ts";
import type { RecordPorts, RecordRepositories } from "./data-ports.ts";

type Ports = Pick<RecordPorts, "store" | "liveness">;

export async function listProjects({ store: { reader }, liveness }: Ports): Promise<OutputOf<"project.list">> {
  const items: ProjectSummary[] = [];
  for (const { firstSeenAt, ...project } of await reader.projects.list())
    items.push(await summaryOf(project, firstSeenAt, reader, liveness));
  return { items: items.sort((a, b) => b.lastActivityAt - a.lastActivityAt || (a.id < b.id ? 1 : -1)) };
}

async function summaryOf(
  project: Project,
  firstSeenAt: number,
  reader: RecordRepositories,
  liveness: Ports["liveness"],
): Promise<ProjectSummary> {
  const agents = await reader.agents.list({ project: project.id, includeGone: true });
  const [events, items, mail, runs] = await Promise.all([
    reader.events.tally(project.id),
    reader.workItems.tally(project.id),
    reader.mail.tally(project.id),
    reader.runs.tally(project.id),
  ]);
  return {
    ...project,
    exists: existsSync(project.path),
    agents: agents.length,
    liveAgents: agents.filter((agent) => ["active", "idle"].includes(liveness.statusOf(agent))).length,
    workItems: items.total,
    openWorkItems: items.open,
    runs: runs.total,
    unfinishedRuns: runs.unfinished,
    events: events.total,
    bytes: events.bytes + items.bytes + mail.bytes + runs.bytes,
    firstSeenAt,
    lastActivityAt: Math.max(firstSeenAt, events.lastAt ?? 0, ...agents.map((agent) => liveness.lastSeenAt(agent))),
  };
}
