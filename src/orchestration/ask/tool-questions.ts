/**
 * Questions about tools, as messages of the asking session: each passes the Guide.
 *
 *   TOOLS_REQUEST -> the Librarian's scan_tools      -> the Academic, in sessions where one answers
 */
import {
  type Caller,
  DomainError,
  type ProjectId,
  type SessionId,
  type ToolScan,
  type ToolScanRequest,
} from "../../contract/index.ts";
import { locateProject } from "../../coordination/registry/index.ts";
import { type Guide, type SessionRouter, Unanswered } from "../guide/index.ts";
import type { AskTx } from "./ports.ts";
import { questionSessions } from "./question-session.ts";

type Terms = { readonly session: string; readonly limitMs: number; readonly signal: AbortSignal };
type Ports = {
  readonly guide: Pick<Guide, "active">;
  readonly reader: Pick<AskTx, "sessions" | "projects">;
  readonly routerFor: (session: SessionId) => Promise<SessionRouter>;
  /** The promoted preferences, overridden by the session's own. */
  readonly preferences: (session: SessionId) => Promise<Readonly<Record<string, string>>>;
  /** What the archive keeps of tools that were chosen, for a session of a project. */
  readonly remembered: (
    project: ProjectId | undefined,
    session: SessionId,
  ) => Promise<Readonly<Record<string, string>>>;
};

export function toolQuestions({ guide, reader, routerFor, preferences, remembered }: Ports) {
  const sessions = questionSessions(guide, reader);
  async function ask(
    to: "librarian" | "academic",
    request: ToolScanRequest,
    terms: Terms,
  ): Promise<ToolScan | undefined> {
    const { limitMs: deadlineMs, signal } = terms;
    const router = await routerFor(terms.session as SessionId);
    if (!router.agents().some(({ name }) => name === to)) return undefined;
    const asked = { ...request, text: textOf(request) };
    try {
      return (await router.ask("user", to, "TOOLS_REQUEST", asked, { deadlineMs, signal })).payload;
    } catch (error) {
      throw asTold(error);
    }
  }
  return {
    async scan(request: ToolScanRequest, terms: Terms): Promise<ToolScan> {
      const scan = await ask("librarian", request, terms);
      if (scan !== undefined) return scan;
      throw new DomainError("role.unavailable", "The Librarian does not answer in this session", {
        details: { role: "librarian", reason: "absent" },
      });
    },
    research: (request: ToolScanRequest, terms: Terms) => ask("academic", request, terms),
    /** The session that asks: the one named, else the caller's current one. */
    sessionOf(caller: Caller, wanted: SessionId | undefined): Promise<SessionId> {
      const { path = "/", id: project } = caller.project ?? {};
      return wanted === undefined ? sessions.current({ path, project }, caller) : sessions.known(wanted, project);
    },
    /** Of the session; of the project, if the session does not exist yet. */
    async preferencesOf(session: string, path: string): Promise<Readonly<Record<string, string>>> {
      const id = session as SessionId;
      const known = await reader.sessions.find(id);
      const project = known?.project ?? (await reader.projects.findByPath((await locateProject(path)).path))?.id;
      const promoted = project === undefined ? {} : await reader.sessions.promotedPreferences(project);
      const set = known === undefined ? promoted : await preferences(id);
      return { ...(await remembered(project, id)), ...set };
    },
  };
}

/** For people who read the messages of a session. */
function textOf({ agent, category, path, languages = [] }: ToolScanRequest): string {
  const kind = category === "all" ? "tools" : category.replace("_", " ");
  return `${agent} asks for the ${kind} of ${path}${languages.length > 0 ? `, ${languages.join(", ")}` : ""}`;
}

function asTold(error: unknown): unknown {
  if (!(error instanceof Unanswered)) return error;
  return new DomainError("role.unavailable", `${error.message}; ask again`, {
    details: { reason: "timeout" },
    cause: error,
  });
}
