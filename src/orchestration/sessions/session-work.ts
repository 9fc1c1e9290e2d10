/** Work that pauses and resumes with its session, such as runs. Both change in one transaction. */
import type { Caller, SessionId, Workflow } from "../../contract/index.ts";
import type { Transaction } from "../../platform/store/index.ts";

export type SessionWork<Tx> = {
  /** The name of this kind of work in snapshots. */
  readonly kind: string;
  /** Sessions with unfinished work. */
  busy(tx: Tx): Promise<readonly SessionId[]>;
  /** Pauses running work. Returns its ids. */
  hold(session: SessionId, tx: Tx & Transaction): Promise<readonly string[]>;
  /** Resumes held work that is still paused. */
  resume(held: readonly string[], tx: Tx & Transaction): Promise<void>;
  /** Cancels unfinished work. Returns its ids. */
  end(session: SessionId, tx: Tx & Transaction, caller: Caller | undefined): Promise<readonly string[]>;
  /** Called after the commit. Resolves when the held or cancelled work has stopped. */
  stopped(ids: readonly string[]): Promise<void>;
  /** The current or last work of the session, from the store. Work without this method is not shown. */
  current?(session: SessionId, tx: Tx): Promise<CurrentWork | undefined>;
};

export type CurrentWork = Workflow & { readonly startedAt: number };

export type Held = Readonly<Record<string, readonly string[]>>;

const nothingYet: Workflow = { phase: "session", progress: { done: 0, total: 0 }, unfinished: 0 };

/** Combines all kinds of work. */
export function allWork<Tx>(kinds: readonly SessionWork<Tx>[]) {
  const ofEach = async (list: (kind: SessionWork<Tx>) => Promise<readonly string[]>): Promise<Held> => {
    const held: Record<string, readonly string[]> = {};
    for (const kind of kinds) {
      const ids = await list(kind);
      if (ids.length > 0) held[kind.kind] = ids;
    }
    return held;
  };
  return {
    async busy(tx: Tx): Promise<ReadonlySet<SessionId>> {
      const busy = new Set<SessionId>();
      for (const kind of kinds) for (const session of await kind.busy(tx)) busy.add(session);
      return busy;
    },
    hold: (session: SessionId, tx: Tx & Transaction) => ofEach((kind) => kind.hold(session, tx)),
    end: (session: SessionId, tx: Tx & Transaction, caller: Caller | undefined) =>
      ofEach((kind) => kind.end(session, tx, caller)),
    async resume(held: Held, tx: Tx & Transaction): Promise<void> {
      for (const kind of kinds) await kind.resume(held[kind.kind] ?? [], tx);
    },
    /** The newest unfinished work, or else the newest of all. */
    async current(session: SessionId, tx: Tx): Promise<Workflow> {
      const known = await Promise.all(kinds.map(async (kind) => kind.current?.(session, tx)));
      const [shown, ...others] = known.filter((each) => each !== undefined).toSorted(byImportance);
      if (shown === undefined) return nothingYet;
      const { startedAt: _, ...workflow } = shown;
      return { ...workflow, unfinished: others.reduce((sum, each) => sum + each.unfinished, shown.unfinished) };
    },
    async stopped(held: Held): Promise<void> {
      await Promise.all(kinds.map((kind) => kind.stopped(held[kind.kind] ?? [])));
    },
  };
}

function byImportance(one: CurrentWork, other: CurrentWork): number {
  return Number(other.unfinished > 0) - Number(one.unfinished > 0) || other.startedAt - one.startedAt;
}
