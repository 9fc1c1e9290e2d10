/** Finds the session for new work: the named one, or a new one. */
import {
  DomainError,
  session as contract,
  type Project,
  type ProjectId,
  type Session,
  type SessionId,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { moveSession } from "./session-states.ts";
import type { SessionRepository } from "./store.ts";

export type SessionTx = { readonly sessions: SessionRepository; readonly events: EventRepository };
type Ports = {
  readonly ids: IdSource;
  readonly clock: Clock;
  /** Throws when the limit of sessions is reached. */
  readonly sessionRoom?: ((tx: never) => Promise<void>) | undefined;
};

export async function sessionFor(
  { session: wanted }: { readonly session?: SessionId | undefined },
  name: string,
  project: Pick<Project, "id">,
  tx: SessionTx,
  { ids, clock, sessionRoom }: Ports,
): Promise<Session> {
  if (wanted !== undefined) return awake(await ofProject(wanted, project, tx), tx, clock);
  await sessionRoom?.(tx as never);
  const session = moveSession(
    newSession({ id: ids.next("ses"), project: project.id, name: name.slice(0, 120), implicit: true }, clock.now()),
    "active",
    clock.now(),
  );
  await tx.sessions.insert(session);
  await tx.events.append(project.id, contract.SessionCreated.of(session.id, { session }));
  return session;
}

async function ofProject(id: SessionId, project: Pick<Project, "id">, tx: SessionTx): Promise<Session> {
  const known = await tx.sessions.find(id);
  if (known?.project === project.id) return known;
  throw new DomainError(
    "session.not-found",
    `There is no session ${id} in this project; leave it out to start a new one`,
    { details: { id } },
  );
}

/** Work activates a session that was just created. It does not wake a paused or suspended one. */
async function awake(session: Session, tx: SessionTx, clock: Clock): Promise<Session> {
  refuseAtRest(session);
  if (session.state === "active") return session;
  return recordMove(session, moveSession(session, "active", clock.now()), tx);
}

/** Refuses new work in a session that is paused, suspended or closed. */
export function refuseAtRest({ id, state }: Session): void {
  if (state === "active" || state === "created") return;
  const wayOut =
    state === "paused" || state === "suspended"
      ? `resume it with "sylk session resume ${id}"`
      : "it has ended; leave it out to start a new one";
  throw new DomainError("session.not-possible", `${id} is ${state}; ${wayOut}`, {
    details: { session: id, state, allowed: ["active", "created"] },
  });
}

export async function recordMove(before: Session, after: Session, tx: SessionTx): Promise<Session> {
  await tx.sessions.update(after);
  await tx.events.append(
    after.project,
    contract.SessionChanged.of(after.id, { session: after, from: before.state, to: after.state }),
  );
  return after;
}

export type NewSession = {
  readonly id: SessionId;
  readonly project: ProjectId;
  readonly name: string;
  readonly description?: string | undefined;
  readonly branch?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly implicit?: boolean;
};

export function newSession(
  { id, project, name, description = "", branch, metadata = {}, implicit = false }: NewSession,
  now: number,
): Session {
  return {
    id,
    project,
    name,
    description,
    ...defined({ branch }),
    state: "created",
    metadata: { ...metadata },
    implicit,
    createdAt: now,
    updatedAt: now,
  };
}

export async function findSession(id: SessionId, tx: SessionTx): Promise<Session> {
  const session = await tx.sessions.find(id);
  if (session !== undefined) return session;
  throw new DomainError("session.not-found", `There is no session ${id}; "sylk session list" shows them`, {
    details: { id },
  });
}
