/** Runs over a real SQLite file in a scratch folder, and workers that a test plays itself. */
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import type { AuditEntry, LogEvent, NodeId, PlanNode, RunId, RunStatus } from "../../contract/index.ts";
import { sqliteProjects } from "../../coordination/registry/index.ts";
import { sqliteArchive } from "../../knowledge/archive/index.ts";
import { sqliteAudit } from "../../platform/audit/index.ts";
import { type ManualClock, manualClock } from "../../platform/clock/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { type IdSource, randomIds } from "../../platform/ids/index.ts";
import { openSqliteStore, type Store } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { sqliteApprovals } from "../approvals/index.ts";
import { sqliteProcesses } from "../executors/index.ts";
import { newSession, sqliteSessions } from "../sessions/index.ts";
import type { RunRepositories } from "./start-run.ts";
import { sqliteRuns } from "./store.sqlite.ts";
import type { RunRecord } from "./store.ts";
import type { ToDaemon, ToWorker } from "./worker-protocol.ts";

export type ScratchRuns = Disposable & {
  readonly store: Store<RunRepositories>;
  readonly clock: ManualClock;
  readonly ids: IdSource;
  add(changes?: Partial<RunRecord>): Promise<RunRecord>;
  addNodes(run: RunRecord, ...titles: readonly string[]): Promise<readonly NodeId[]>;
  statusOf(id: RunId): Promise<readonly [RunStatus, string | undefined]>;
  events(type?: string): Promise<readonly LogEvent[]>;
  /** What the audit says of privileged acts, oldest first. */
  acts(): Promise<readonly AuditEntry[]>;
  /** Everything the store has written, as text. */
  bytes(): string;
};

export function scratchRuns(): ScratchRuns {
  const folder = scratchFolder();
  const clock = manualClock();
  const ids = randomIds(clock);
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: {
      events: sqliteEvents({ clock, ids, onAppended: () => {} }),
      projects: sqliteProjects,
      sessions: sqliteSessions,
      runs: sqliteRuns,
      archive: sqliteArchive,
      approvals: sqliteApprovals,
      processes: sqliteProcesses,
      audit: sqliteAudit({ clock, clean: (value) => value, onAppended: () => {} }),
    },
    onDefect(error) {
      throw error;
    },
  });
  return {
    store,
    clock,
    ids,
    add: (changes = {}) =>
      store.transact("add", async (tx) => {
        const project = ids.next("prj");
        await tx.projects.insert({ id: project, name: "shop", path: `/srv/${project}/.git` }, clock.now());
        const session = {
          ...newSession({ id: ids.next("ses"), project, name: "Session" }, 1),
          state: "active" as const,
        };
        await tx.sessions.insert(session);
        const record: RunRecord = { ...plainRun, id: ids.next("run"), session: session.id, project, ...changes };
        await tx.runs.insert(record);
        return record;
      }),
    addNodes: (run, ...titles) =>
      store.transact("nodes", async (tx) => {
        const nodes = titles.map((title): PlanNode => ({
          id: ids.next("nod"),
          title,
          role: "engineer",
          prompt: title,
          dependsOn: [],
        }));
        await tx.runs.insertNodes(run.id, 0, nodes);
        return nodes.map(({ id }) => id);
      }),
    async statusOf(id) {
      const { status, reason } = (await store.reader.runs.find(id))!;
      return [status, reason];
    },
    async events(type) {
      const query = { after: 0, limit: 10_000, types: undefined, project: undefined };
      const { events } = await store.reader.events.page(query);
      return events.filter((event) => type === undefined || event.type === type);
    },
    acts: async () =>
      (
        await store.reader.audit.page({ action: undefined, since: undefined, before: undefined, limit: 100 })
      ).toReversed(),
    bytes: () => folder.content(),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

const plainRun: Omit<RunRecord, "id" | "session" | "project"> = {
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
    rehearse: "scenario.yaml",
    testCommand: undefined,
    lintCommand: undefined,
    environment: {},
  },
  plan: undefined,
  workspace: { tree: "/srv/tree", branch: "sylk/run-1", baseCommit: "c0ffee", repository: "/srv/shop" },
  commit: undefined,
  outcome: "open",
  cost: { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0 },
  since: 0,
  createdAt: 1,
  updatedAt: 1,
};

/** A worker process as its daemon sees it; the test decides what it says and when it ends. */
export type PlayedWorker = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly heard: ToWorker[];
  readonly signals: string[];
  say(message: ToDaemon): void;
  exit(): void;
};

export function playedWorker(pid: number): PlayedWorker {
  const emitter = new EventEmitter();
  const heard: ToWorker[] = [];
  const signals: string[] = [];
  const exit = (): void => void emitter.emit("exit", 0, null);
  const child = Object.assign(emitter, {
    pid,
    connected: true,
    send: (message: ToWorker) => heard.push(message),
    kill(signal: string) {
      signals.push(signal);
      setImmediate(exit);
    },
  });
  return {
    child: child as unknown as ChildProcess,
    pid,
    heard,
    signals,
    say: (message) => void emitter.emit("message", message),
    exit,
  };
}
