/** The run that a role is asked about: the named one, else the session's latest, else the project's latest. */
import { DomainError, type ProjectId, type Run, RunId, type SessionId } from "../../contract/index.ts";
import { type RunReader, viewRun } from "../../orchestration/runs/index.ts";

type AskedIn = { readonly session: SessionId; readonly project: ProjectId | undefined };

const mostRuns = 100;

export async function findRun(id: string | undefined, { session, project }: AskedIn, reader: RunReader): Promise<Run> {
  if (project === undefined) throw noRun(id);
  if (id !== undefined) {
    const { data } = RunId.safeParse(id);
    const named = data === undefined ? undefined : await reader.runs.find(data);
    if (named?.project !== project) throw noRun(id);
    return viewRun(named, reader);
  }
  const recent = await reader.runs.list({ project, status: undefined, before: undefined, limit: mostRuns });
  const latest = recent.find((run) => run.session === session) ?? recent[0];
  if (latest === undefined) throw noRun(undefined);
  return viewRun(latest, reader);
}

function noRun(id: string | undefined): DomainError {
  const what = id === undefined ? "no run yet" : `no run ${id}`;
  return new DomainError(
    "run.not-found",
    `This project has ${what}; "sylk history --all-sessions" lists them, sylk run starts one`,
    {
      details: id === undefined ? {} : { id },
    },
  );
}
