/**
 * Sessions from creation to end. The changes of a session run one after the other.
 *
 *   call -> turn of the session -> one transaction: state, snapshot, runs paused or resumed, event -> memory is updated
 *
 * paused     saved, and still in memory        suspended  saved, and only on disk
 * switch     the focus of a client moves: its session becomes active, the previous one pauses or keeps running, in one step
 *
 * Invariant: another process can resume a session that is reported as paused or suspended. A session that could not be
 * saved keeps its state. Between the check and the change of a decision, only the transaction is awaited.
 */
import { DomainError, session as contract, type Session, type SessionId } from "../../contract/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { loadedSessions } from "./loaded-sessions.ts";
import { createRoom, sessionLimit } from "./room.ts";
import type { SessionContext, SessionPart } from "./session-context.ts";
import { findSession, newSession, recordMove, type SessionTx } from "./session-for.ts";
import { inMemory, isOver, moveSession } from "./session-states.ts";
import { sessionValues } from "./session-values.ts";
import { allWork, type Held } from "./session-work.ts";
import type { By, Outcome, SessionPorts, Sessions, WantedSession } from "./sessions-port.ts";
import { seal } from "./snapshot.ts";
import { focusSwitch } from "./switch-focus.ts";

const noSessions = { created: 0, active: 0, paused: 0, suspended: 0, completed: 0, failed: 0 };

type Answer = { readonly session: Session; readonly held: Held };

export function createSessions<Tx extends SessionTx, Parts extends Record<string, SessionPart>>(
  ports: SessionPorts<Tx, Parts>,
): Sessions<Tx, Parts> {
  const { store, clock, ids, limits } = ports;
  const work = allWork(ports.work);
  const loaded = loadedSessions(ports.context);
  const inTurn = createKeyedQueue();
  const plain: By<Tx> = { transact: store.transact };
  const get = (id: SessionId): Promise<Session> => findSession(id, store.reader);
  const { preferencesIn, ...values } = sessionValues({ store, clock, loaded, inTurn, plain });
  const room = createRoom({ clock, ...limits, used: () => used(store.reader) });

  async function used(tx: Tx): Promise<number> {
    const open = new Set(await tx.sessions.openIds());
    for (const id of await work.busy(tx))
      if (!open.has(id) && (await tx.sessions.find(id))?.state !== "suspended") open.add(id);
    return open.size;
  }

  async function refuseFull(tx: Tx): Promise<void> {
    const count = await used(tx);
    if (count >= limits.max) throw sessionLimit({ limit: limits.max, used: count, waiting: room.waiting });
  }

  function create({ waitMs = 0, ...wanted }: WantedSession, by = plain): Promise<Session> {
    return room.enter(waitMs, by.signal, () =>
      by.transact(wanted.project, async (tx) => {
        await refuseFull(tx);
        const session = newSession({ ...wanted, id: ids.next("ses") }, clock.now());
        await tx.sessions.insert(session);
        await tx.events.append(session.project, contract.SessionCreated.of(session.id, { session }));
        tx.afterCommit(() => loaded.open(session));
        return session;
      }),
    );
  }

  async function saveAs(before: Session, to: "paused" | "suspended", tx: Tx & Transaction): Promise<Answer> {
    const after = moveSession(before, to, clock.now());
    const { context, held: heldBefore } = await loaded.take(before, tx);
    const held = before.state === "active" ? await work.hold(before.id, tx) : heldBefore;
    const session = { ...after, metadata: context.metadata.all() };
    await tx.sessions.saveSnapshot(seal(before.id, { context: context.serialize(), held }, clock.now()));
    await recordMove(before, session, tx);
    tx.afterCommit(() => {
      loaded.follow(session, held);
      if (to === "suspended") loaded.drop(session.id);
      if (to === "suspended") room.freed();
    });
    return { session, held };
  }

  async function activate(before: Session, tx: Tx & Transaction): Promise<Session> {
    const session = moveSession(before, "active", clock.now());
    if (before.state === "suspended") await refuseFull(tx);
    const { held } = await loaded.take(before, tx);
    await work.resume(held, tx);
    await recordMove(before, session, tx);
    tx.afterCommit(() => loaded.follow(session, {}));
    return session;
  }

  async function move(id: SessionId, by: By<Tx>, step: (before: Session, tx: Tx & Transaction) => Promise<Answer>) {
    return inTurn([id], async () => {
      const { session, held } = await loaded.safely(id, () =>
        by.transact(id, async (tx) => step(await findSession(id, tx), tx)),
      );
      await work.stopped(held);
      return session;
    });
  }

  async function close(id: SessionId, { failed = false, reason }: Outcome = {}, by = plain): Promise<Session> {
    return move(id, by, async (before, tx) => {
      const session = moveSession(before, failed ? "failed" : "completed", clock.now(), reason);
      const held = await work.end(id, tx, by.caller);
      await tx.sessions.removeFocusOn(id);
      await tx.sessions.removeSnapshot(id);
      if (!failed) await ports.archive?.(session, tx);
      await recordMove(before, session, tx);
      tx.afterCommit(() => {
        loaded.follow(session, {});
        loaded.drop(id);
        ports.onClosed?.(id);
        room.freed();
      });
      return { session, held };
    });
  }

  async function context(id: SessionId): Promise<SessionContext<Parts>> {
    const known = loaded.find(id);
    if (known !== undefined) return known;
    return inTurn([id], async () => {
      const session = await findSession(id, store.reader);
      if (!inMemory.has(session.state))
        throw new DomainError("session.not-possible", `${id} is ${session.state} and not in memory; resume it first`, {
          details: { session: id, state: session.state, allowed: [...inMemory] },
        });
      return (await loaded.take(session, store.reader)).context;
    });
  }

  return {
    create,
    close,
    switch: focusSwitch({
      store,
      clock,
      loaded,
      inTurn,
      plain,
      onBlur: ports.onBlur,
      preferencesIn,
      pause: (session, tx) => saveAs(session, "paused", tx),
      activate,
      stopped: work.stopped,
    }),
    context,
    refuseFull,
    workEnded: room.freed,
    inMemory: loaded.find,
    busy: () => work.busy(store.reader),
    workflow: (id) => work.current(id, store.reader),
    get,
    ...values,
    list: (query) => store.reader.sessions.list(query),
    pause: (id, by = plain) => move(id, by, (before, tx) => saveAs(before, "paused", tx)),
    suspend: (id, by = plain) => move(id, by, (before, tx) => saveAs(before, "suspended", tx)),
    resume: (id, by = plain) => move(id, by, async (before, tx) => ({ session: await activate(before, tx), held: {} })),
    async getActive(client) {
      const id = await store.reader.sessions.focusOf(client);
      return id === undefined ? undefined : store.reader.sessions.find(id);
    },
    async closeAll(outcome) {
      const all = await store.reader.sessions.list({ project: undefined, before: undefined, limit: -1 });
      const open = all.filter((session) => !isOver(session));
      return Promise.all(
        open.map(({ id, state }) =>
          close(id, state === "created" ? { failed: true, reason: "it was not used" } : outcome),
        ),
      );
    },
    async stats(project) {
      const states = { ...noSessions, ...(await store.reader.sessions.countByState(project)) };
      const open = await used(store.reader);
      return { states, open, limit: limits.max, inMemory: loaded.size, waiting: room.waiting };
    },
    async evictForgotten() {
      for (const id of loaded.ids())
        if ((await store.reader.sessions.find(id)) === undefined) {
          loaded.drop(id);
          ports.onClosed?.(id);
        }
    },
    async shutdown() {
      await inTurn(loaded.ids(), () =>
        store.transact("shutdown", async (tx) => {
          for (const { id, context, held } of loaded.all()) {
            const session = await tx.sessions.find(id);
            if (session === undefined) continue; // deleted with its project
            await tx.sessions.update({ ...session, metadata: context.metadata.all() });
            await tx.sessions.saveSnapshot(seal(id, { context: context.serialize(), held }, clock.now()));
          }
        }),
      );
      loaded.dropAll();
    },
  };
}
