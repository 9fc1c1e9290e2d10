/** The legal moves between session states, and their effects. Completed and failed are final. */
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

/** The command that brings a session into each state. */
const commands: Readonly<Record<SessionState, string>> = {
  created: "sylk session new",
  active: "sylk session resume",
  paused: "sylk session pause",
  suspended: "sylk session suspend",
  completed: "sylk session close",
  failed: "sylk session close --failed",
};

/** States in which a session is in memory. */
export const inMemory: ReadonlySet<SessionState> = new Set(["created", "active", "paused"]);

/** Returns the session after a legal move. Throws for any other move. */
export function moveSession(session: Session, to: SessionState, now: number, reason?: string): Session {
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

/** A row may contain an unknown state. */
function successorsOf({ state }: Session): readonly SessionState[] {
  return Object.hasOwn(successors, state) ? successors[state] : [];
}

function notPossible(session: Session, to: SessionState): DomainError {
  const { id, state } = session;
  const allowed = successorsOf(session);
  const wayOut =
    allowed.length === 0
      ? 'It has ended. Create another with "sylk session new".'
      : `Possible now: ${allowed.map((next) => `"${commands[next]}"`).join(", ")}.`;
  const problem = state === to ? `is already ${state}` : `is ${state}, so it cannot become ${to}`;
  return new DomainError("session.not-possible", `Session ${id} ${problem}. ${wayOut}`, {
    details: { session: id, state, wanted: to, allowed },
  });
}
