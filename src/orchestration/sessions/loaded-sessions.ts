/** The sessions in memory, each with its context. Other sessions are loaded from their snapshots. */
import type { Session, SessionId } from "../../contract/index.ts";
import { type ContextPorts, type MovableContext, openContext, type SessionPart } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import type { Held } from "./session-work.ts";
import { unseal } from "./snapshot.ts";

type Loaded<Parts extends Record<string, SessionPart>> = {
  readonly context: MovableContext<Parts>;
  readonly held: Held;
};

export type LoadedSessions<Parts extends Record<string, SessionPart>> = ReturnType<typeof loadedSessions<Parts>>;

export function loadedSessions<Parts extends Record<string, SessionPart>>(ports: ContextPorts<Parts>) {
  const loaded = new Map<SessionId, Loaded<Parts>>();

  function drop(id: SessionId): void {
    const known = loaded.get(id);
    loaded.delete(id);
    known?.context.close();
  }

  return {
    open(session: Session): void {
      if (!loaded.has(session.id)) loaded.set(session.id, { context: openContext(session, ports), held: {} });
    },
    /** Returns the session, loaded from its snapshot if needed. Throws, and changes nothing, when the snapshot is unusable. */
    async take(session: Session, tx: Pick<SessionTx, "sessions">): Promise<Loaded<Parts>> {
      const known = loaded.get(session.id);
      if (known !== undefined) return known;
      const snapshot = await tx.sessions.findSnapshot(session.id);
      const saved = snapshot && unseal(snapshot);
      const context = openContext(session, ports);
      try {
        if (saved !== undefined) context.restore(saved.context);
      } catch (error) {
        context.close();
        throw error;
      }
      const taken = { context, held: saved?.held ?? {} };
      loaded.set(session.id, taken);
      return taken;
    },
    /** Updates the session in memory after a commit. */
    follow(session: Session, held: Held): void {
      const known = loaded.get(session.id);
      if (known === undefined) return;
      known.context.follow(session);
      loaded.set(session.id, { context: known.context, held });
      const payload = { state: session.state };
      known.context.bus.publishStatus({ session: session.id, type: "SESSION_STATUS", priority: 50, payload });
    },
    /** If the change fails, a session that it loaded leaves memory again. */
    async safely<T>(id: SessionId, change: () => Promise<T>): Promise<T> {
      const wasThere = loaded.has(id);
      try {
        return await change();
      } catch (error) {
        if (!wasThere) drop(id);
        throw error;
      }
    },
    find: (id: SessionId): MovableContext<Parts> | undefined => loaded.get(id)?.context,
    entry: (id: SessionId): Loaded<Parts> | undefined => loaded.get(id),
    ids: (): readonly SessionId[] => [...loaded.keys()],
    all: () => [...loaded].map(([id, { context, held }]) => ({ id, context, held })),
    drop,
    dropAll(): void {
      for (const id of loaded.keys()) drop(id);
    },
    get size(): number {
      return loaded.size;
    },
  };
}
