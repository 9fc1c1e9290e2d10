/** Sessions over a real SQLite file, with a routing part that the test plays. `again` is the next process. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { LogEvent, Session, SessionId } from "../../contract/index.ts";
import { type ProjectRepository, sqliteProjects } from "../../coordination/registry/index.ts";
import { type ArchiveRepository, sqliteArchive } from "../../knowledge/archive/index.ts";
import { createBus } from "../../platform/bus/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { openSqliteStore } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { openSessionBus } from "../guide/index.ts";
import type { SessionMessage, SessionPart } from "./session-context.ts";
import type { SessionTx } from "./session-for.ts";
import type { SessionWork } from "./session-work.ts";
import { createSessions } from "./sessions.ts";
import type { SessionPorts } from "./sessions-port.ts";
import { sqliteSessions } from "./store.sqlite.ts";

export type ScratchTx = SessionTx & { readonly projects: ProjectRepository; readonly archive: ArchiveRepository };
export type RoutesPart = SessionPart & {
  readonly agents: Set<string>;
  readonly learnt: Map<string, string>;
  readonly pending: Map<string, unknown>;
};
export type ScratchParts = { readonly router: RoutesPart };
type Changes = Partial<Omit<SessionPorts<ScratchTx, ScratchParts>, "store" | "clock" | "ids" | "context">>;

export async function scratchSessions(changes: Changes = {}) {
  const folder = scratchFolder();
  const clock = manualClock();
  const ids = randomIds(clock);
  const file = join(folder.path, "sylk.db");
  const open = () =>
    openSqliteStore<ScratchTx>({
      ...migratedFile(file),
      durable: false,
      repositories: {
        events: sqliteEvents({ clock, ids, onAppended: () => {} }),
        projects: sqliteProjects,
        sessions: sqliteSessions,
        archive: sqliteArchive,
      },
      onDefect(error) {
        throw error;
      },
    });
  let store = open();
  const project = ids.next("prj");
  await store.transact("project", (tx) => tx.projects.insert({ id: project, name: "shop", path: "/srv/shop" }, 1));
  const life = () => {
    const bus = createBus<SessionMessage>({
      onSubscriberError: ({ error }) => {
        throw error;
      },
    });
    const sessions = createSessions<ScratchTx, ScratchParts>({
      store,
      clock,
      ids,
      limits: { max: 1_000, maxWaiting: 10 },
      onBlur: "pause",
      work: [],
      ...changes,
      context: { openBus: (id) => openSessionBus(bus, id, ["architect"]), parts: { router: routesPart } },
    });
    return { bus, sessions };
  };
  let current = life();
  return {
    clock,
    ids,
    project,
    get store() {
      return store;
    },
    get bus() {
      return current.bus;
    },
    get sessions() {
      return current.sessions;
    },
    /** Like a new process, without the old one's memory. */
    again() {
      store.close();
      store = open();
      current = life();
    },
    create: (name = "checkout"): Promise<Session> => current.sessions.create({ project, name }),
    async active(name = "checkout"): Promise<SessionId> {
      const { id } = await current.sessions.create({ project, name });
      await current.sessions.resume(id);
      return id;
    },
    async events(): Promise<readonly LogEvent[]> {
      const query = { after: 0, limit: 100_000, types: undefined, project: undefined };
      return (await store.reader.events.page(query)).events;
    },
    /** Deletes the row, as `sylk project forget` does with a project. */
    forget(id: SessionId): void {
      const connection = new Database(file);
      connection.prepare("DELETE FROM sessions WHERE id = ?").run(id);
      connection.close();
    },
    /** Changes a snapshot on disk directly. */
    spoil: (id: SessionId, change: (row: { schema: number; checksum: string; content: string }) => object) =>
      store.transact("spoil", async (tx) => {
        const snapshot = (await tx.sessions.findSnapshot(id))!;
        await tx.sessions.saveSnapshot({ ...snapshot, ...change(snapshot) });
      }),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A small routing part: registered agents, learned routes, open questions. */
function routesPart(): RoutesPart {
  const agents = new Set<string>();
  const learnt = new Map<string, string>();
  const pending = new Map<string, unknown>();
  return {
    agents,
    learnt,
    pending,
    serialize: () => ({ agents: [...agents], learnt: [...learnt], pending: [...pending] }),
    restore(saved) {
      const given = saved as { agents: string[]; learnt: [string, string][]; pending: [string, unknown][] };
      for (const agent of given.agents) agents.add(agent);
      for (const [input, to] of given.learnt) learnt.set(input, to);
      for (const [id, request] of given.pending) pending.set(id, request);
    },
    close() {
      agents.clear();
      learnt.clear();
      pending.clear();
    },
  };
}

/** Work that the test starts; `deeds` lists what happened to it, in order. */
export function playedWork(deeds: string[]): SessionWork<object> & {
  start(session: SessionId, id: string): void;
  finish(id: string): void;
} {
  const running = new Map<string, { session: SessionId; held: boolean }>();
  const of = (session: SessionId) => [...running].filter(([, each]) => each.session === session).map(([id]) => id);
  return {
    kind: "played",
    start: (session, id) => void running.set(id, { session, held: false }),
    finish: (id) => void running.delete(id),
    busy: async () => [...running.values()].map(({ session }) => session),
    async hold(session, tx) {
      const held = of(session).filter((id) => !running.get(id)!.held);
      tx.afterCommit(() => {
        for (const id of held) {
          running.get(id)!.held = true;
          deeds.push(`held ${id}`);
        }
      });
      return held;
    },
    resume: async (held, tx) =>
      tx.afterCommit(() =>
        held.forEach((id) => {
          if (!running.has(id)) return;
          running.get(id)!.held = false;
          deeds.push(`resumed ${id}`);
        }),
      ),
    async end(session, tx) {
      const ended = of(session);
      tx.afterCommit(() => ended.forEach((id) => running.delete(id) && deeds.push(`ended ${id}`)));
      return ended;
    },
    stopped: async (ids) => ids.forEach((id) => deeds.push(`stopped ${id}`)),
  };
}
