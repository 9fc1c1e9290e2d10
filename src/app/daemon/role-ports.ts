/**
 * What roles can look at and check outside of runs: a tree, what its project has kept, and the runs of a session.
 *
 *   at { session, tree, project } -> files, search, latest run, checks, archive -> skills and slash commands of roles
 */
import { join } from "node:path";
import { createGit, createWorkspaces } from "../../adapters/git/index.ts";
import { searchCode } from "../../agents/shared/answers/index.ts";
import type { ArchivalistPorts } from "../../agents/archivalist/index.ts";
import { checksHere } from "../../agents/shared/checks/index.ts";
import type { InspectorPorts } from "../../agents/inspector/index.ts";
import type { LibrarianPorts } from "../../agents/librarian/index.ts";
import { knownFiles } from "../../agents/shared/known-files/index.ts";
import type { TesterPorts } from "../../agents/tester/index.ts";
import { DomainError, type ProjectId, type Run, RunId, type SessionId } from "../../contract/index.ts";
import type { Parts, Terms } from "./parts.ts";
import type { CheckCommands } from "../../orchestration/quality/index.ts";
import { commandEnvironment, viewRun } from "../../orchestration/runs/index.ts";

export type At = { readonly session: SessionId; readonly tree: string; readonly project: ProjectId | undefined };
export type RolePorts = LibrarianPorts & InspectorPorts & TesterPorts & ArchivalistPorts;
export type RolePortsAt = (at: At) => RolePorts;

/** As far back as skills look; the history itself has pages. */
const mostEntries = 500;
const mostRuns = 100;

export function composeRolePorts(
  parts: Parts,
  { clock, env, paths, redactor }: Terms,
  checks: Pick<CheckCommands, "run">,
): RolePortsAt {
  const git = createGit(clock, env);
  const workspaces = createWorkspaces(git, join(paths.home, "worktrees"), clock);
  const listFiles = filesKnownTo(git);
  return (at) => {
    const { session, tree, project } = at;
    const files = knownFiles(tree, listFiles);
    return {
      files,
      search: async (question, among) => searchCode(question, tree, among ?? (await files.list())),
      run: (id?: string) => runOf(id, at, parts),
      entries: async (words) =>
        project === undefined
          ? []
          : parts.store.reader.archive.list({ project, words, before: undefined, limit: mostEntries }),
      ...checksHere({
        ...parts,
        tree,
        committedFile: (path) =>
          workspaces.baseFile({ tree, baseCommit: "HEAD", branch: "HEAD", repository: tree }, path),
        contentHash: () => workspaces.contentHash(tree),
        async command(request) {
          const result = await checks.run({ ...request, env: commandEnvironment({}, env) }, session);
          return { ...result, output: redactor.text(result.output) };
        },
      }),
    };
  };
}

export function filesKnownTo(git: ReturnType<typeof createGit>): (tree: string) => Promise<readonly string[]> {
  return async (tree) => {
    const listed = await git(tree, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).catch(
      noRepository,
    );
    return listed.split("\0").filter(Boolean);
  };
}

function noRepository(cause: unknown): never {
  if (cause instanceof DomainError) throw cause;
  throw new DomainError("workspace.unavailable", "The librarian knows files by git, and this folder is no repository", {
    cause,
  });
}

/** The named one; else the session's latest, or the project's where the session has none. */
async function runOf(id: string | undefined, { session, project }: At, { store: { reader } }: Parts): Promise<Run> {
  if (project === undefined) throw noRun(id);
  if (id !== undefined) {
    const { data } = RunId.safeParse(id);
    const named = data === undefined ? undefined : await reader.runs.find(data);
    if (named?.project !== project) throw noRun(id);
    return viewRun(named, reader.runs);
  }
  const recent = await reader.runs.list({ project, status: undefined, before: undefined, limit: mostRuns });
  const latest = recent.find((run) => run.session === session) ?? recent[0];
  if (latest === undefined) throw noRun(undefined);
  return viewRun(latest, reader.runs);
}

function noRun(id: string | undefined): DomainError {
  const what = id === undefined ? "no run yet" : `no run ${id}`;
  return new DomainError("run.not-found", `This project has ${what}; "sylk history" lists them, sylk run starts one`, {
    details: id === undefined ? {} : { id },
  });
}
