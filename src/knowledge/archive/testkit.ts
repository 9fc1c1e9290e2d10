/** A real store with the archive's handlers, and callers that each act in a session of one project. */
import {
  type AgentCaller,
  type ArchiveSession,
  type Caller,
  operations,
  type OperationName,
  type OutputOf,
  parseInput,
  type ProjectId,
  type RawInputOf,
  type SessionId,
} from "../../contract/index.ts";
import { sqliteAudit } from "../../platform/audit/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import type { OperationsOn } from "../../platform/operations/index.ts";
import { openSqliteStore, type Sql } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { historyHandlers } from "./handlers.ts";
import { createArchiveMemory } from "./archive-memory.ts";
import { createQueryCounts } from "./query-counts.ts";
import { hashingVectors } from "./hashing-vectors.ts";
import { sqliteArchive } from "./store.sqlite.ts";

export const shop = "prj_0000000000000000000001" as ProjectId;
export const otherProject = "prj_0000000000000000000002" as ProjectId;

export function sessionOf(number: number): SessionId {
  return `ses_${String(number).padStart(22, "0")}` as SessionId;
}

/** An agent of a session; the session travels in its tree, as the port of these tests reads it. */
export function agentIn(
  session: ArchiveSession,
  { project = shop, client = "codex", name = "heron" } = {},
): AgentCaller {
  const agent = { id: `agt_${name}`, name, client };
  return { kind: "agent", agent, project: { id: project, path: "/srv", name: "shop" }, tree: session } as never;
}

/** The registry's table, as far as the archive needs it. */
function sqliteProjects(sql: Sql) {
  return {
    see: async (id: ProjectId) =>
      void sql.run("INSERT OR IGNORE INTO projects (id, path, name, first_seen_at) VALUES (?, ?, 'shop', 1)", id, id),
  };
}

export async function scratchArchive({ maxTokens = 200_000, withVectors = false } = {}) {
  const folder = scratchFolder();
  const clock = manualClock();
  const ids = randomIds(clock);
  const memory = createArchiveMemory();
  const store = openSqliteStore({
    ...migratedFile(`${folder.path}/sylk.db`),
    repositories: {
      archive: (sql: Sql) => sqliteArchive(sql, memory.hooks.postStore),
      events: sqliteEvents({ clock, ids, onAppended: () => {} }),
      audit: sqliteAudit({ clock, clean: (value) => value, onAppended: () => {} }),
      projects: sqliteProjects,
    },
    onDefect: () => {},
  });
  await store.transact("projects", async (tx) => {
    for (const id of [shop, otherProject]) await tx.projects.see(id);
  });
  const counts = createQueryCounts(store, { now: clock.now, onFailed: () => {} });
  memory.hooks.add("post-query", counts.count);
  const handlers = historyHandlers({
    ...memory,
    counts,
    ...(withVectors ? { embedder: hashingVectors } : {}),
    store,
    clock,
    ids,
    currentSession: async (caller: Caller) => (caller.kind === "agent" ? (caller.tree as SessionId) : undefined),
    projectOf: store.reader.archive.projectOf,
    maxTokens,
  });
  return {
    ...memory,
    store,
    clock,
    ids,
    handlers,
    folder: folder.path,
    call<Name extends OperationsOn<"history">>(
      name: Name,
      input: RawInputOf<Name>,
      caller: Caller,
    ): Promise<OutputOf<Name>> {
      const handler = handlers[name] as (input: unknown, call: unknown) => Promise<never>;
      return handler(parseInput(operations[name as OperationName], input), { caller, transact: store.transact });
    },
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}
export type ScratchArchive = Awaited<ReturnType<typeof scratchArchive>>;
