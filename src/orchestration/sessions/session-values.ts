/**
 * Notes and preferences of a session. A preference can be promoted to all sessions of the project; a session's own value
 * overrides it.
 *
 *   set -> one transaction: row, snapshot, event -> memory is updated
 *
 * Invariant: a value that was set survives a crash in every state of the session.
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
/** The ports of a step that changes sessions in the store and in memory. */
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
  /** The whole content of the session, from memory or from its snapshot. */
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
    const before = await findOpenSession(id, tx);
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
    return describeValues(session, changed.preferences, tx);
  }

  async function promote(id: SessionId, name: string, tx: Tx): Promise<SessionValues> {
    const session = await findOpenSession(id, tx);
    const own = await ownIn(session, tx);
    const value = own[name];
    if (value === undefined)
      throw invalidInput("name", "no such preference", {
        sentence: `${id} has no preference "${name}" to promote. Set it with "sylk session set ${name} <value>".`,
      });
    await tx.sessions.promote(session.project, name, value);
    await tx.events.append(session.project, contract.SessionPreferencePromoted.of(id, { session: id, name, value }));
    return describeValues(session, own, tx);
  }

  async function withdraw(id: SessionId, name: string, tx: Tx): Promise<SessionValues> {
    const session = await findSession(id, tx);
    const { project } = session;
    if ((await tx.sessions.promotedPreferences(project))[name] !== undefined) {
      await tx.sessions.withdraw(project, name);
      await tx.events.append(project, contract.SessionPreferencePromoted.of(id, { session: id, name }));
    }
    return describeValues(session, await ownIn(session, tx), tx);
  }

  return {
    preferencesIn,
    set: (id: SessionId, changes: ChangedValues, by = plain): Promise<SessionValues> =>
      inTurn([id], () => by.transact(id, (tx) => change(id, changes, tx))),
    promote: (id: SessionId, name: string, by = plain): Promise<SessionValues> =>
      inTurn([id], () => by.transact(id, (tx) => promote(id, name, tx))),
    withdraw: (id: SessionId, name: string, by = plain): Promise<SessionValues> =>
      by.transact(id, (tx) => withdraw(id, name, tx)),
    preferences: async (id: SessionId): Promise<Values> =>
      preferencesIn(await findSession(id, store.reader), store.reader),
  };
}

async function describeValues(session: Session, own: Values, { sessions }: SessionTx): Promise<SessionValues> {
  const promoted = await sessions.promotedPreferences(session.project);
  return { session, preferences: { ...promoted, ...own }, promoted };
}

async function findOpenSession(id: SessionId, tx: SessionTx): Promise<Session> {
  const session = await findSession(id, tx);
  if (!isOver(session)) return session;
  throw new DomainError(
    "session.not-possible",
    `Session ${id} is ${session.state}, so it cannot change. Create another with "sylk session new".`,
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
