/** Which state of a session may follow which, and what a move changes. Completed and failed are for good. */
import { DomainError, type Session, type SessionState } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";

const successors: Readonly<Record<SessionState, readonly SessionState[]>> = {
  created: ["active", "failed"],
  active: ["paused", "suspended", "completed", "failed"],
  paused: ["active", "suspended", "completed", "failed"],
  suspended: ["active", "completed", "failed"],
  completed: [],
  failed: [],
};

/** What brings a session into each state. */
const commands: Readonly<Record<SessionState, string>> = {
  created: "sylk session new",
  active: "sylk session resume",
  paused: "sylk session pause",
  suspended: "sylk session suspend",
  completed: "sylk session close",
  failed: "sylk session close --failed",
};

/** States in which a session is held in memory. */
export const inMemory: ReadonlySet<SessionState> = new Set(["created", "active", "paused"]);

/** The session after a legal move; refuses every other. */
export function moved(session: Session, to: SessionState, now: number, reason?: string): Session {
  if (!successorsOf(session).includes(to)) throw notPossible(session, to);
  const next: Session = { ...session, state: to, updatedAt: now };
  if (to === "active") return { ...next, startedAt: session.startedAt ?? now };
  if (to === "paused") return { ...next, pausedAt: now };
  if (to === "suspended") return { ...next, suspendedAt: now };
  return { ...next, endedAt: now, ...defined({ reason }) };
}

export function isOver(session: Session): boolean {
  return successorsOf(session).length === 0;
}

/** A row may hold anything. */
function successorsOf({ state }: Session): readonly SessionState[] {
  return Object.hasOwn(successors, state) ? successors[state] : [];
}

function notPossible(session: Session, to: SessionState): DomainError {
  const { id, state } = session;
  const allowed = successorsOf(session);
  const wayOut =
    allowed.length === 0
      ? 'it has ended; "sylk session new" makes another'
      : `possible now: ${allowed.map((next) => `"${commands[next]}"`).join(", ")}`;
  return new DomainError("session.not-possible", `${id} is ${state} and cannot become ${to}; ${wayOut}`, {
    details: { session: id, state, wanted: to, allowed },
  });
}
