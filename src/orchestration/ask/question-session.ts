/** The session a question is asked in: the one it names, else the caller's current one, else the project's own. */
import { type AgentCaller, type Caller, DomainError, type ProjectId, type SessionId } from "../../contract/index.ts";
import type { Guide } from "../guide/index.ts";
import { focusClient } from "../sessions/index.ts";
import type { AskTx } from "./ports.ts";
import type { Place } from "./question-place.ts";
import { standingSession } from "./standing-session.ts";

type AskedAt = Pick<Place, "path" | "project">;

export function questionSessions(guide: Pick<Guide, "active">, reader: Pick<AskTx, "sessions">) {
  /** The caller's current session, if it is one of this project. */
  async function current({ path, project }: AskedAt, caller: Caller): Promise<SessionId> {
    const active = project === undefined ? undefined : await guide.active(focusClient(caller, project));
    return active ?? standingSession(path);
  }

  /** Refuses a session of another project as if it were not there. */
  async function known(id: SessionId, project: ProjectId | undefined): Promise<SessionId> {
    const session = await reader.sessions.find(id);
    if (session !== undefined && (project === undefined || session.project === project)) return id;
    throw new DomainError(
      "session.not-found",
      `There is no session ${id} in this project; leave it out to ask in the project's own`,
      { details: { id } },
    );
  }

  return {
    current,
    known,
    of: (wanted: SessionId | undefined, place: AskedAt, caller: Caller): Promise<SessionId> =>
      wanted === undefined ? current(place, caller) : known(wanted, place.project ?? unknownProject),
    /** Undefined for a person outside of projects. */
    ofCaller: async (caller: Caller): Promise<SessionId | undefined> =>
      caller.project && current({ path: caller.project.path, project: caller.project.id }, caller),
    /** Where the questions of an agent belong that name no session. */
    ofAgent: (caller: AgentCaller): Promise<SessionId> =>
      current({ path: caller.project.path, project: caller.project.id }, caller),
  };
}

/** No session belongs to a project that is not there. */
const unknownProject = "" as ProjectId;
