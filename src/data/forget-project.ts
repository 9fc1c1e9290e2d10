/**
 * Forgetting a project: everything that is kept of it goes in one transaction, or nothing does.
 *
 *   id or path -> known here? -> no agent at work there? -> remove, audit -> COMMIT -> working trees, when asked to
 *
 * The audit stays: it holds ids and counts, none of the project's content.
 */
import { lstat, rm } from "node:fs/promises";
import { DomainError, messageOf, type AgentRef, type InputOf, type OutputOf, type Project } from "../contract/index.ts";
import { findProject, possiblePaths, refOf, type AgentRecord } from "../coordination/registry/index.ts";
import { actorOf } from "../platform/audit/index.ts";
import { defined } from "../platform/defined.ts";
import type { Call } from "../platform/operations/index.ts";
import type { Workspace } from "../orchestration/sessions/index.ts";
import { perhapsUndone } from "./dry-run.ts";
import type { RecordPorts, RecordRepositories, Tx } from "./data-ports.ts";

type Answer = OutputOf<"project.forget">;
type Removed = { readonly counts: Answer["removed"]; readonly workspaces: readonly Workspace[] };

export async function forgetProject(
  { target, dryRun, worktrees }: InputOf<"project.forget">,
  { caller, transact }: Call<RecordRepositories>,
  ports: RecordPorts,
): Promise<Answer> {
  const paths = await possiblePaths(target);
  const forget = async (tx: Tx) => {
    const project = await findProject(target, paths, tx.projects);
    const agents = await agentsOf(project, tx);
    await refuseInUse(project, agents, tx, ports);
    const held = await tx.reservations.live(project.id);
    const { counts, workspaces } = await perhapsUndone(tx, dryRun, () => removeProject(project, agents, tx));
    if (!dryRun) {
      await tx.audit.append({
        actor: actorOf(caller),
        action: "project.forgotten",
        subject: project.id,
        project: project.id,
        details: { ...counts, worktrees },
      });
      tx.afterCommit(() => {
        for (const { id } of agents) ports.liveness.forget(id);
        for (const { id } of held) ports.leases.end(id);
        ports.health.forget(project.id);
        ports.fileHistory.forget(project.id);
      });
    }
    return { dryRun, project, removed: counts, workspaces };
  };
  // A version that waits to be written would come back after its project is gone.
  const { workspaces, ...answer } = await ports.fileHistory.alone(() => transact(target, forget));
  if (!dryRun) {
    ports.store.emptyLog();
    await ports.fileHistory.sweep();
    await forgetCode(answer.project, ports);
  }
  return { ...answer, worktrees: await putAway(workspaces, worktrees && !dryRun, ports) };
}

async function forgetCode(project: Project, { codeIndex }: RecordPorts): Promise<void> {
  try {
    await codeIndex.forget(project);
  } catch (cause) {
    throw new DomainError(
      "store.unavailable",
      `${project.name} is forgotten, but its code index could not be removed: ${messageOf(cause)}. Delete the folders index/ and scip/ of the home while no daemon runs`,
      { cause },
    );
  }
}

async function agentsOf({ id }: Project, tx: Tx): Promise<readonly AgentRecord[]> {
  return tx.agents.list({ project: id, includeGone: true });
}

/** The user's own agent does not count: the user who forgets a project has just been there. */
async function refuseInUse(
  { id, name }: Project,
  agents: readonly AgentRecord[],
  tx: Tx,
  { liveness }: RecordPorts,
): Promise<void> {
  const live = agents.filter(
    (agent) => agent.client !== "human" && ["active", "idle"].includes(liveness.statusOf(agent)),
  );
  const unfinished = (await tx.runs.tally(id)).unfinished + (await tx.dags.unfinishedOf(id));
  if (live.length === 0 && unfinished === 0) return;
  const names: readonly AgentRef[] = live.map(refOf);
  const who = [
    ...(live.length === 0 ? [] : [`live agents (${names.map((agent) => agent.name).join(", ")})`]),
    ...(unfinished === 0 ? [] : [`${unfinished} unfinished runs`]),
  ].join(" and ");
  throw new DomainError(
    "project.in-use",
    `${name} has ${who}; end them first ("sylk agent end", "sylk cancel", "sylk dag cancel"), then forget it`,
    { details: { agents: names, runs: unfinished } },
  );
}

async function removeProject({ id }: Project, agents: readonly AgentRecord[], tx: Tx): Promise<Removed> {
  const ids = agents.map((agent) => agent.id);
  const mentioned = [id, ...(await tx.dags.idsOf(id)), ...(await tx.runs.idsOf(id)), ...(await tx.workItems.idsOf(id))];
  const dags = await tx.dags.removeProject(id);
  const { runs, sessions, workspaces } = await tx.runs.removeProject(id);
  const history = await tx.archive.removeProject(id);
  const sources = await tx.sources.removeProject(id);
  const findings = await tx.findings.removeProject(id);
  const fileVersions = await tx.fileVersions.removeProject(id);
  const messages = await tx.mail.removeProject(id);
  await tx.health.removeProject(id);
  await tx.unguardedCalls.removeProject(id);
  const workItems = await tx.workItems.removeProject(id);
  const reservations = await tx.reservations.removeProject(id);
  const removedAgents = await tx.agents.remove(ids);
  const events = await tx.events.removeProject(id);
  await tx.idempotency.removeAbout(ids, mentioned);
  await tx.projects.remove(id);
  return {
    counts: {
      events,
      agents: removedAgents,
      reservations,
      workItems,
      messages,
      findings,
      sessions,
      runs: runs + dags,
      history,
      sources,
      fileVersions,
    },
    workspaces,
  };
}

async function putAway(
  workspaces: readonly Workspace[],
  wanted: boolean,
  ports: RecordPorts,
): Promise<Answer["worktrees"]> {
  const answer: Answer["worktrees"] = [];
  for (const workspace of workspaces) {
    const { tree, branch } = workspace;
    const why = wanted ? await removeTree(workspace, ports) : undefined;
    answer.push({ tree, branch, removed: wanted && why === undefined, ...defined({ why }) });
  }
  return answer;
}

/** Why it stays. Where the repository itself is gone there is nothing to keep it in, and nothing that it could be merged into. */
async function removeTree(workspace: Workspace, { workspaces }: RecordPorts): Promise<string | undefined> {
  try {
    await workspaces.quarantine(workspace);
  } catch (error) {
    if (!(await isGone(workspace.repository))) return messageOf(error);
    await rm(workspace.tree, { recursive: true, force: true });
  }
  return undefined;
}

/** A repository that only cannot be read now is not gone. */
function isGone(repository: string): Promise<boolean> {
  return lstat(repository).then(
    () => false,
    (error: unknown) => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""),
  );
}
