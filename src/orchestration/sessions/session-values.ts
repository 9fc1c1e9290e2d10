/**
 * Notes and preferences of a session. Both are its own; a preference can be given to all sessions of the project, and the
 * session's own then stays stronger.
 *
 *   set -> one transaction: row, what is saved of the session, event -> memory follows
 *
 * Invariant: what was set is there after a crash, whatever state the session was in.
 */
import {
  DomainError,
  invalidInput,
  type Session,
  type SessionId,
  sessionValues as contract,
} from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Store, Transaction } from "../../platform/store/index.ts";
import type { LoadedSessions } from "./loaded-sessions.ts";
import type { NamedValues, SessionPart } from "./session-context.ts";
import { findSession, type SessionTx } from "./session-for.ts";
import { isOver } from "./session-states.ts";
import type { By, ChangedValues, SessionValues } from "./sessions-port.ts";
import { seal, type SnapshotContent, unseal } from "./snapshot.ts";

type Values = Readonly<Record<string, string>>;
/** What a step that changes kept and loaded sessions works on. */
export type StepPorts<Tx, Parts extends Record<string, SessionPart>> = {
  readonly store: Store<Tx>;
  readonly clock: Clock;
  readonly loaded: LoadedSessions<Parts>;
  readonly inTurn: <T>(names: readonly string[], step: () => Promise<T>) => Promise<T>;
  readonly plain: By<Tx>;
};

export function sessionValues<Tx extends SessionTx, Parts extends Record<string, SessionPart>>({
  store,
  clock,
  loaded,
  inTurn,
  plain,
}: StepPorts<Tx, Parts>) {
  /** All that there is of the session, in memory or put down. */
  async function contentOf(session: Session, tx: SessionTx): Promise<SnapshotContent> {
    const known = loaded.entry(session.id);
    if (known !== undefined) return { context: known.context.serialize(), held: known.held };
    const snapshot = await tx.sessions.findSnapshot(session.id);
    if (snapshot !== undefined) return unseal(snapshot);
    return { context: { agents: [], metadata: session.metadata, preferences: {}, parts: {} }, held: {} };
  }

  async function ownIn(session: Session, tx: SessionTx): Promise<Values> {
    return loaded.find(session.id)?.preferences.all() ?? (await contentOf(session, tx)).context.preferences;
  }

  async function preferencesIn(session: Session, tx: SessionTx): Promise<Values> {
    return { ...(await tx.sessions.promotedPreferences(session.project)), ...(await ownIn(session, tx)) };
  }

  async function change(id: SessionId, { notes = {}, preferences = {} }: ChangedValues, tx: Tx & Transaction) {
    const before = await open(id, tx);
    const { context, held } = await contentOf(before, tx);
    const changed = {
      ...context,
      metadata: withChanges(context.metadata, notes),
      preferences: withChanges(context.preferences, preferences),
    };
    const session = { ...before, metadata: changed.metadata, updatedAt: clock.now() };
    await tx.sessions.update(session);
    await tx.sessions.saveSnapshot(seal(id, { context: changed, held }, clock.now()));
    await tx.events.append(
      session.project,
      contract.SessionNoted.of(id, { session, preferences: { ...changed.preferences } }),
    );
    tx.afterCommit(() => {
      const known = loaded.find(id);
      if (known === undefined) return;
      follow(known.metadata, notes);
      follow(known.preferences, preferences);
    });
    return told(session, changed.preferences, tx);
  }

  async function give(id: SessionId, name: string, tx: Tx): Promise<SessionValues> {
    const session = await open(id, tx);
    const own = await ownIn(session, tx);
    const value = own[name];
    if (value === undefined)
      throw invalidInput("name", "no such preference", {
        sentence: `${id} has no preference "${name}" of its own to promote; "sylk session set ${name} …" sets it`,
      });
    await tx.sessions.promote(session.project, name, value);
    await tx.events.append(session.project, contract.SessionPreferencePromoted.of(id, { session: id, name, value }));
    return told(session, own, tx);
  }

  async function takeBack(id: SessionId, name: string, tx: Tx): Promise<SessionValues> {
    const session = await findSession(id, tx);
    const { project } = session;
    if ((await tx.sessions.promotedPreferences(project))[name] !== undefined) {
      await tx.sessions.withdraw(project, name);
      await tx.events.append(project, contract.SessionPreferencePromoted.of(id, { session: id, name }));
    }
    return told(session, await ownIn(session, tx), tx);
  }

  return {
    preferencesIn,
    set: (id: SessionId, changes: ChangedValues, by = plain): Promise<SessionValues> =>
      inTurn([id], () => by.transact(id, (tx) => change(id, changes, tx))),
    promote: (id: SessionId, name: string, by = plain): Promise<SessionValues> =>
      inTurn([id], () => by.transact(id, (tx) => give(id, name, tx))),
    withdraw: (id: SessionId, name: string, by = plain): Promise<SessionValues> =>
      by.transact(id, (tx) => takeBack(id, name, tx)),
    preferences: async (id: SessionId): Promise<Values> =>
      preferencesIn(await findSession(id, store.reader), store.reader),
  };
}

async function told(session: Session, own: Values, { sessions }: SessionTx): Promise<SessionValues> {
  const promoted = await sessions.promotedPreferences(session.project);
  return { session, preferences: { ...promoted, ...own }, promoted };
}

async function open(id: SessionId, tx: SessionTx): Promise<Session> {
  const session = await findSession(id, tx);
  if (!isOver(session)) return session;
  throw new DomainError(
    "session.not-possible",
    `${id} is ${session.state} and cannot change; "sylk session new" makes another`,
    { details: { session: id, state: session.state, allowed: ["created", "active", "paused", "suspended"] } },
  );
}

type Changes = Readonly<Record<string, string | undefined>>;

function withChanges(values: Values, changes: Changes): Values {
  const all = Object.entries({ ...values, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function follow(values: NamedValues, changes: Changes): void {
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) values.remove(name);
    else values.set(name, value);
}
