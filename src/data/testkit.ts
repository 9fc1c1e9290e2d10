/**
 * A home with everything in it that can be kept, over a real SQLite file, with a clock moved by hand.
 *
 *   using world = scratchRecords();
 *   const heron = await world.agent("heron");            // in the repository "shop"
 *   await world.item(heron, { closed: true });
 *   await world.run("shop", { status: "verified" });
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { AgentCaller, LogEvent, RunId, WorkItem } from "../contract/index.ts";
import { endAgent } from "../coordination/agent-end/index.ts";
import { sqliteFileVersions } from "../coordination/file-history/index.ts";
import { addFinding, markFinding } from "../coordination/findings/index.ts";
import { sendMail } from "../coordination/mail/index.ts";
import { ensureProject, locateProject, registerAgent } from "../coordination/registry/index.ts";
import { acquireReservation, releaseReservation } from "../coordination/reservations/index.ts";
import {
  coordinationParts,
  coordinationRepositories,
  repository,
  type ScratchRepositories,
} from "../coordination/testkit.ts";
import { claimWorkItem, closeWorkItem, createWorkItem } from "../coordination/work-items/index.ts";
import { sqliteArchive } from "../knowledge/archive/index.ts";
import { sqliteSources } from "../knowledge/sources/index.ts";
import { createBus } from "../platform/bus/index.ts";
import { manualClock, type ManualClock } from "../platform/clock/index.ts";
import { randomIds } from "../platform/ids/index.ts";
import type { Call } from "../platform/operations/index.ts";
import { openSqliteStore, type Store } from "../platform/store/index.ts";
import { createHealthTracker, sqliteHealth } from "../oversight/health/index.ts";
import { migratedFile, scratchFolder, type ScratchFolder } from "../platform/store/testkit.ts";
import { sqliteApprovals } from "../orchestration/approvals/index.ts";
import { type GraphRecord, type GraphStoredStatus, sqliteDags } from "../orchestration/graphs/index.ts";
import { sqliteRuns, type RunRecord } from "../orchestration/runs/index.ts";
import { newSession, sqliteSessions } from "../orchestration/sessions/index.ts";
import { sqliteNamedThings } from "./named-things.sqlite.ts";
import type { RecordPorts, RecordRepositories } from "./data-ports.ts";

export const dayMs = 24 * 3_600_000;

type Repositories = RecordRepositories & ScratchRepositories;
export type AgentCall = Call<Repositories, AgentCaller>;

export type ScratchRecords = Disposable &
  Omit<RecordPorts, "store" | "clock"> & {
    readonly store: Store<Repositories>;
    readonly clock: ManualClock;
    readonly folder: ScratchFolder;
    readonly file: string;
    /** What a handler of a user's operation is given. */
    readonly user: Call<Repositories>;
    agent(name: string, project?: string): Promise<AgentCall>;
    end(agent: AgentCall): Promise<void>;
    item(by: AgentCall, terms?: ItemTerms): Promise<WorkItem>;
    reserve(by: AgentCall, path: string, terms?: { readonly released?: boolean }): Promise<void>;
    mail(by: AgentCall, to: AgentCall, body: string): Promise<void>;
    finding(by: AgentCall, summary: string, terms?: { readonly fixed?: boolean }): Promise<void>;
    /** Enough for an incident. */
    failures(of: AgentCall, error: string): Promise<void>;
    run(project: string, changes?: Partial<RunRecord>): Promise<RunId>;
    events(): Promise<readonly LogEvent[]>;
    /** A version of a file, in a pack of its agent's own. */
    fileVersion(by: AgentCall, path: string): Promise<void>;
    /** A source of research with one passage. */
    source(by: AgentCall, text: string): Promise<void>;
    /** Every row of every table that Sylk has, in a fixed order; without the search index, which SQLite keeps. */
    dump(): Readonly<Record<string, readonly unknown[]>>;
    /** Trees that were put into quarantine. */
    readonly quarantined: readonly string[];
  };
type ItemTerms = {
  readonly title?: string;
  readonly dependsOn?: readonly WorkItem[];
  readonly claimed?: boolean;
  readonly closed?: boolean;
};

const settings = {
  maxPerMinute: 10_000,
  maxPerPairPerMinute: 10_000,
  ttlMs: 3_600_000,
  maxPerAgent: 1_000,
  claimTtlMs: 3_600_000,
  maxClaimsPerAgent: 1_000,
};

export function scratchRecords(terms: { readonly file?: string } = {}): ScratchRecords {
  const folder = scratchFolder();
  const file = terms.file ?? join(folder.path, "sylk.db");
  const clock = manualClock({ wall: Date.UTC(2026, 10, 15) });
  const ids = randomIds(clock);
  const bus = createBus<LogEvent>({ onSubscriberError() {} });
  const store: Store<Repositories> = openSqliteStore({
    ...migratedFile(file),
    repositories: {
      ...coordinationRepositories({ clock, ids, bus }),
      sessions: sqliteSessions,
      runs: sqliteRuns,
      dags: sqliteDags,
      approvals: sqliteApprovals,
      archive: sqliteArchive,
      sources: sqliteSources,
      named: sqliteNamedThings,
      health: sqliteHealth,
      fileVersions: sqliteFileVersions,
    },
  });
  const quarantined: string[] = [];
  const workspaces = {
    async quarantine({ tree }: { readonly tree: string }) {
      quarantined.push(tree);
      return { reference: `refs/sylk/quarantine/${tree}` };
    },
  };
  const parts = coordinationParts(store, { clock, ids, bus }, settings);
  const health = createHealthTracker({
    ...parts,
    clean: (text) => text,
    liveProjects: async () => [],
    onFailed(error) {
      throw error;
    },
  });
  const call = (caller: AgentCaller): AgentCall => ({ caller, transact: store.transact });
  return {
    ...parts,
    health,
    folder,
    file,
    workspaces,
    fileHistory: { alone: (work) => work(), forget() {}, sweep: async () => {} },
    codeIndex: { forget: async () => {} },
    quarantined,
    user: { caller: { kind: "user", project: undefined }, transact: store.transact },
    async agent(name, project = "shop") {
      const wanted = {
        sessionKey: name,
        client: "other",
        project: { path: repository(folder, project) },
        name,
      } as const;
      const { agent } = await registerAgent(wanted, store, parts);
      const { id, tree } = agent;
      return call({ kind: "agent", agent: { id, name, client: "other" }, project: agent.project, tree });
    },
    async end(by) {
      await endAgent(by.caller.agent.id, by, parts);
    },
    async fileVersion({ caller: { agent, project, tree } }, path) {
      const [pack, hash] = [`pack-of-${agent.id}`, `content-of-${agent.id}`];
      await store.transact(project.id, async ({ fileVersions }) => {
        await fileVersions.addPack({ name: pack, bytes: 3 }, [{ hash, pack, start: 0, stored: 3, bytes: 3 }]);
        await fileVersions.add({
          id: ids.next("ver"),
          project: project.id,
          tree,
          path,
          seenAt: clock.now(),
          seen: "watcher",
          state: "kept",
          hash,
          bytes: 3,
          mode: 0o644,
          author: agent,
          knownBy: "named",
          command: undefined,
        });
      });
    },
    async source({ caller: { project } }, text) {
      const source = {
        id: ids.next("src"),
        project: project.id,
        kind: "file",
        location: "/notes.md",
        title: "Notes",
        documents: 1,
        passages: 1,
        bytes: text.length,
        quality: 0.7,
        notes: [],
        addedAt: clock.now(),
      } as const;
      await store.transact(project.id, async ({ sources }) => {
        await sources.begin({ ...source, notes: [] });
        const document = await sources.addDocument(source.id, { location: "/notes.md", title: "Notes", quality: 0.7 });
        const passage = { heading: "", start: 0, line: 1, text };
        await sources.addPassages(document, { project: project.id, title: "Notes" }, [passage]);
        await sources.finish({ ...source, notes: [] });
      });
    },
    async item(by, { title = "Item", dependsOn = [], claimed = false, closed = false } = {}) {
      const wanted = {
        title,
        type: "task",
        priority: 2,
        labels: [],
        dependsOn: dependsOn.map(({ id }) => id),
        relatesTo: [],
        discoveredFrom: [],
      };
      const { workItem } = await createWorkItem(wanted, by, parts);
      if (claimed) return (await claimWorkItem(workItem.id, by, parts)).workItem;
      return closed ? (await closeWorkItem({ id: workItem.id, reason: "done" }, by, parts)).workItem : workItem;
    },
    async reserve(by, path, { released = false } = {}) {
      const wanted = { mode: "exclusive", scope: "tree", waitMs: 0 } as const;
      const { reservation } = await acquireReservation({ ...wanted, patterns: [], paths: [path] }, by, parts);
      if (released) await releaseReservation(reservation.id, by, parts);
    },
    async mail(by, to, body) {
      const wanted = {
        content: { kind: "text" },
        importance: "normal",
        ackRequired: false,
        ackWithinMs: 60_000,
      } as const;
      await sendMail({ ...wanted, to: [to.caller.agent.id], subject: "Hello", body }, by, parts);
    },
    async finding(by, summary, { fixed = false } = {}) {
      const ports = { ...parts, sessionKeysOfRun: async () => [], workItems: parts };
      const wanted = {
        summary,
        severity: "important" as const,
        category: "bug",
        files: [{ path: "a.ts", line: 1 }],
        evidence: summary,
      };
      const { finding } = await addFinding(wanted, by, ports);
      if (fixed) await markFinding({ id: finding.id, status: "fixed", why: "done" }, by, ports);
    },
    async failures({ caller: { agent, project } }, error) {
      const failed = { kind: "tool", component: "Edit", agent, project: project.id, outcome: "failed", error } as const;
      health.report(failed, failed, failed, failed);
      await health.flush();
    },
    run: (project, changes = {}) => insertRun(project, changes),
    async events() {
      const query = { after: 0, limit: 100_000, types: undefined, project: undefined };
      return (await store.reader.events.page(query)).events;
    },
    dump: () => dumpOf(file),
    [Symbol.dispose]() {
      parts.liveness.stop();
      health.stop();
      store.close();
      folder[Symbol.dispose]();
    },
  };

  async function insertRun(name: string, changes: Partial<RunRecord>): Promise<RunId> {
    const place = await locateProject(repository(folder, name));
    const id = ids.next("run");
    const at = clock.now();
    return store.transact("run", async (tx) => {
      const project = (await ensureProject(place, tx, parts)).id;
      const session = {
        ...newSession({ id: ids.next("ses"), project, name: "S", implicit: true }, at),
        state: "active" as const,
      };
      await tx.sessions.insert(session);
      await tx.runs.insert({ ...plainRun, id, session: session.id, project, createdAt: at, updatedAt: at, ...changes });
      const graph = graphOf({
        ...plainRun,
        id,
        session: session.id,
        project,
        createdAt: at,
        updatedAt: at,
        ...changes,
      });
      const node = ids.next("nod");
      const spec = { kind: "engineer", title: "N", role: "engineer", prompt: "P", dependsOn: [], round: 0 } as const;
      await tx.dags.insert(graph, { nodes: { [node]: spec }, remove: [] });
      const record = { state: "running", attempt: 1, retries: 0 } as const;
      await tx.dags.saveNode(id, { node, state: record.state, record, endedAt: undefined });
      const check = { kind: "tests", round: 0, outcome: "pass", summary: "2 passed", at } as const;
      await tx.runs.addCheck(id, check, []);
      await tx.approvals.insert(project, {
        id: ids.next("apr"),
        run: id,
        kind: "plan",
        question: "Go on?",
        details: [],
        status: "approved",
        createdAt: at,
      });
      if (!["running", "paused"].includes(changes.status ?? plainRun.status))
        await tx.archive.keep(project, {
          id,
          session: session.id,
          category: "run",
          title: "Change",
          content: { status: "verified" },
          at,
        });
      return id;
    });
  }
}

/** The graph that a run's nodes are in. */
function graphOf({ id, session, project, status, since, createdAt, updatedAt }: RunRecord): GraphRecord {
  const policy = { maxConcurrency: 1, failFast: false, retry: { max: 0, backoffMs: 1 }, timeoutMs: 1 };
  const options = { tree: "/srv/tree", mode: "eager", policy, provider: undefined, rehearse: undefined } as const;
  const stored: Partial<Record<RunRecord["status"], GraphStoredStatus>> = {
    verified: "succeeded",
    unverified: "succeeded",
  };
  return {
    id,
    session,
    project,
    name: "Change the shop",
    status:
      stored[status] ??
      (["paused", "failed", "cancelled"].includes(status) ? (status as GraphStoredStatus) : "running"),
    reason: undefined,
    options: { ...options, environment: {} },
    version: 1,
    nodes: 1,
    since,
    createdAt,
    updatedAt,
  };
}

const plainRun: Omit<RunRecord, "id" | "session" | "project" | "createdAt" | "updatedAt"> = {
  request: "Change the shop",
  status: "running",
  reason: undefined,
  label: undefined,
  model: undefined,
  options: {
    repository: "/srv/shop",
    approve: true,
    budget: undefined,
    provider: undefined,
    rehearse: undefined,
    testCommand: undefined,
    lintCommand: undefined,
    environment: { PATH: "/usr/bin" },
  },
  plan: undefined,
  workspace: { tree: "/srv/tree", branch: "sylk/run-1", baseCommit: "c0ffee", repository: "/srv/shop" },
  commit: undefined,
  cleared: false,
  mergedAs: undefined,
  outcome: "open",
  since: 0,
  cost: { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0 },
};

export function dumpOf(file: string): Readonly<Record<string, readonly unknown[]>> {
  const connection = new Database(file, { readonly: true });
  try {
    const tables = connection
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_search%' ORDER BY name",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(tables.map((table) => [table, rowsOf(connection, table)]));
  } finally {
    connection.close();
  }
}

function rowsOf(connection: Database.Database, table: string): readonly unknown[] {
  const rows = connection.prepare(`SELECT * FROM ${table}`).all();
  return rows.map((row) => JSON.stringify(row)).sort();
}
