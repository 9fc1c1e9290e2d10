/**
 * The context of one session while it is in memory.
 *
 *   openContext(session) -> bus, router and other parts, metadata, preferences -> serialize -> … -> restore
 *
 * Contexts share only the bus, on which each has its own topics. The code that composes the sessions plugs in the parts. A
 * part is anything that can be saved, restored and closed. The workflow is not part of a context: it is read from the
 * session's runs and graphs.
 */
import { DomainError, type Session, type SessionId, type SessionState } from "../../contract/index.ts";
import { type SessionBus } from "../guide/index.ts";

export type SessionPart = { serialize(): unknown; restore(saved: unknown): void; close(): void };
export type PartFactories<Parts> = { readonly [Name in keyof Parts]: (session: Session) => Parts[Name] };

/** A status message of a session on its topic `session.{id}.status`. */
export type SessionMessage = {
  readonly session: SessionId;
  readonly type: string;
  readonly priority: number;
  readonly payload: unknown;
};

export type SavedContext = {
  readonly agents: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly preferences: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, unknown>>;
};

export type NamedValues = {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  remove(name: string): void;
  all(): Readonly<Record<string, string>>;
};

export type SessionContext<Parts extends Record<string, SessionPart> = Record<string, SessionPart>> = {
  readonly id: SessionId;
  readonly state: SessionState;
  readonly bus: SessionBus<SessionMessage>;
  readonly parts: Parts;
  /** The part named `router`, if there is one. */
  readonly router: Parts["router"] | undefined;
  readonly metadata: NamedValues;
  /** Local to the session. `Sessions.promote` shares one with all sessions of the project. */
  readonly preferences: NamedValues;
  addAgent(agent: string): void;
  serialize(): SavedContext;
  restore(saved: SavedContext): void;
  close(): void;
};

/** For the code that moves sessions: `follow` updates the state after a commit. */
export type MovableContext<Parts extends Record<string, SessionPart>> = SessionContext<Parts> & {
  follow(session: Session): void;
};

export type ContextPorts<Parts> = {
  readonly openBus: (session: SessionId) => SessionBus<SessionMessage>;
  readonly parts: PartFactories<Parts>;
};

export function openContext<Parts extends Record<string, SessionPart>>(
  session: Session,
  { openBus, parts: factories }: ContextPorts<Parts>,
): MovableContext<Parts> {
  const { id } = session;
  let state = session.state;
  const agents = new Set<string>();
  const metadata = namedValues(session.metadata);
  const preferences = namedValues({});
  const bus = openBus(id);
  const parts = Object.fromEntries(
    Object.entries(factories).map(([name, make]) => [name, (make as (session: Session) => SessionPart)(session)]),
  ) as Parts;
  const addAgent = (agent: string): void => {
    bus.addAgent(agent);
    agents.add(agent);
  };
  return {
    id,
    bus,
    parts,
    metadata,
    preferences,
    addAgent,
    get state() {
      return state;
    },
    get router() {
      return parts.router as Parts["router"] | undefined;
    },
    follow: (changed) => void (state = changed.state),
    serialize: () => ({
      agents: [...agents],
      metadata: metadata.all(),
      preferences: preferences.all(),
      parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.serialize()])),
    }),
    restore(saved) {
      saved.agents.forEach(addAgent);
      metadata.replace(saved.metadata);
      preferences.replace(saved.preferences);
      for (const [name, content] of Object.entries(saved.parts)) {
        if (!Object.hasOwn(parts, name)) throw unknownPart(id, name);
        parts[name]!.restore(content);
      }
    },
    close() {
      bus.close();
      for (const part of Object.values(parts)) part.close();
    },
  };
}

function namedValues(given: Readonly<Record<string, string>>) {
  let values = new Map(Object.entries(given));
  return {
    get: (name: string) => values.get(name),
    set: (name: string, value: string) => void values.set(name, value),
    remove: (name: string) => void values.delete(name),
    all: () => Object.fromEntries(values),
    replace: (saved: Readonly<Record<string, string>>) => void (values = new Map(Object.entries(saved))),
  };
}

/** Refuses an unknown part, because the next save would lose it. */
function unknownPart(session: SessionId, name: string): DomainError {
  return new DomainError(
    "session.snapshot-newer",
    `${session} was saved with a part "${name}" that this program does not have; open it with the program that saved it`,
    { details: { session, part: name } },
  );
}
