/**
 * Which sessions a caller looks into or writes to.
 *
 *   no options -> the caller's own session · sessions named -> these · all sessions -> only where the caller says so
 *
 * Invariant: an agent writes into its own session only; a person may write into any session of the project.
 */
import {
  type ArchiveSession,
  type Caller,
  DomainError,
  history as contract,
  invalidInput,
  type ProjectId,
} from "../../contract/index.ts";
import type { ArchiveHooks, PreQuery } from "./archive-hooks.ts";

export type SessionPorts = {
  /** The session that the caller acts in; undefined outside of projects. */
  readonly currentSession: (caller: Caller) => Promise<ArchiveSession | undefined>;
  /** The project of a session that is on record. */
  readonly projectOf: (session: ArchiveSession) => Promise<ProjectId | undefined>;
  readonly hooks: ArchiveHooks;
};
export type ArchiveScope = {
  readonly project: ProjectId | undefined;
  /** Undefined: all of them. */
  readonly sessions: readonly ArchiveSession[] | undefined;
};

export async function scopeOf(
  { session, sessions, allSessions }: PreQuery,
  caller: Caller,
  ports: SessionPorts,
): Promise<ArchiveScope & { readonly own: ArchiveSession | undefined }> {
  const project = caller.project?.id;
  const own = await ports.currentSession(caller);
  const asked = ports.hooks.preQuery({ session, sessions, allSessions }, { own });
  if (asked.allSessions === true) return { project, own, sessions: undefined };
  if (asked.sessions === undefined) throw withoutSession();
  for (const one of asked.sessions) await checkSession(one, own, caller, ports);
  return { project, own, sessions: asked.sessions };
}

/** Without a session of its own and without one that is named nothing is stored. */
export async function targetSession(
  wanted: ArchiveSession | undefined,
  caller: Caller,
  ports: SessionPorts,
): Promise<ArchiveSession> {
  const own = await ports.currentSession(caller);
  return writable(wanted ?? own, { own, caller }, ports);
}

/** The same session, or why the caller cannot write to it. */
export async function writable(
  session: ArchiveSession | undefined,
  { own, caller }: { readonly own: ArchiveSession | undefined; readonly caller: Caller },
  ports: SessionPorts,
): Promise<ArchiveSession> {
  const target = requireSession(session);
  await checkSession(target, own, caller, ports);
  if (!isPerson(caller)) refuseForeign(target, requireSession(own));
  return target;
}

/** Refuses a session of another project as if it were not there. */
async function checkSession(
  session: ArchiveSession,
  current: ArchiveSession | undefined,
  caller: Caller,
  ports: SessionPorts,
): Promise<void> {
  if (session === contract.defaultSession || session === current) return;
  const [project, own] = [await ports.projectOf(session), caller.project?.id];
  if (project !== undefined && (own === undefined || own === project)) return;
  throw new DomainError(
    "session.not-found",
    `There is no session ${session} in this project; "sylk history sessions" shows them`,
    { details: { id: session } },
  );
}

export function requireSession(session: ArchiveSession | undefined): ArchiveSession {
  if (session !== undefined) return session;
  throw withoutSession();
}

function withoutSession(): DomainError {
  return invalidInput("session", "you are in no project, so there is no current session: name one, or all of them", {
    sentence: "You are in no project, so there is no current session; name one with --session, or use --all-sessions",
  });
}

export function refuseForeign(wanted: ArchiveSession, own: ArchiveSession): void {
  if (wanted === own) return;
  throw new DomainError(
    "caller.denied",
    `${wanted} is another session than yours (${own}): you can read it, but only its own agents or the user change it`,
    { details: { needed: `an agent of ${wanted}`, session: wanted } },
  );
}

/** The user, directly or by the agent that stands for them. */
export function isPerson(caller: Caller): boolean {
  return caller.kind === "user" || caller.agent.client === "human";
}
