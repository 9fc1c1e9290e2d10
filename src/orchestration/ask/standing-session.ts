/** The session of a project for questions that name none. */
import { hash } from "node:crypto";
import { type ProjectId, session as contract, type SessionId } from "../../contract/index.ts";
import { ensureProject } from "../../coordination/registry/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { newSession } from "../sessions/index.ts";
import type { AskTx } from "./ports.ts";
import type { Place } from "./question-place.ts";

/**
 * Each project has a session of its own for questions that name none, known by the project's path: so that a question that
 * is refused leaves nothing behind, not even a project. Ids sort by time; this one is older than all others.
 */
export function standingSession(path: string): SessionId {
  return `ses_${"0".repeat(10)}${hash("sha256", path, "hex").slice(0, 12)}` as SessionId;
}

export function isStanding(session: SessionId): boolean {
  return session.startsWith(`ses_${"0".repeat(10)}`);
}

/** Project and standing session exist from the first question that was answered. */
export async function ensureStanding(
  session: SessionId,
  place: Place,
  tx: AskTx,
  { clock, ids }: { readonly clock: Clock; readonly ids: IdSource },
): Promise<ProjectId> {
  const project = (await ensureProject(place, tx, { clock, ids })).id;
  if ((await tx.sessions.find(session)) !== undefined) return project;
  const made = newSession({ id: session, project, name: "questions", implicit: true }, clock.now());
  await tx.sessions.insert(made);
  await tx.events.append(project, contract.SessionCreated.of(session, { session: made }));
  return project;
}
