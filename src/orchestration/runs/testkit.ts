/** Runs over a real SQLite file with a real graph host. The test plays models, checks and git. */
import { join } from "node:path";
import type {
  AgentCaller,
  Approval,
  AuditEntry,
  Caller,
  Check,
  LogEvent,
  Plan,
  RunId,
  RunStatus,
} from "../../contract/index.ts";
import { sqliteProjects } from "../../coordination/registry/index.ts";
import { sqliteArchive } from "../../knowledge/archive/index.ts";
import { sqliteAudit } from "../../platform/audit/index.ts";
import { type ManualClock, manualClock } from "../../platform/clock/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { type IdSource, randomIds } from "../../platform/ids/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import { openSqliteStore, type Store } from "../../platform/store/index.ts";
import { migratedFile, scratchFolder } from "../../platform/store/testkit.ts";
import { approvalHandlers, sqliteApprovals } from "../approvals/index.ts";
import { type NodeRecord, succeedWith } from "../dag/index.ts";
import { createProcessRecorder, sqliteProcesses } from "../executors/index.ts";
import {
  carryOutByKind,
  createGraphHost,
  type Executors,
  type GraphHost,
  type GraphRecord,
  type HostPorts,
  sqliteDags,
} from "../graphs/index.ts";
import { calledBy, type Calls, user } from "../graphs/testkit.ts";
import { newSession, sqliteSessions, type WorkspacePort } from "../sessions/index.ts";
import { approvalEffects } from "./approval-effects.ts";
import { approvePlan } from "./approve-plan.ts";
import { concludeRun } from "./conclude-run.ts";
import { followRuns } from "./follow-run.ts";
import { runHandlers } from "./handlers.ts";
import { type CheckResult, judgeRound } from "./judge-round.ts";
import { adding, firstGraph, graphOptions, nodesOfPlan, type RunNodes } from "./run-graph.ts";
import { type KnownNode, nodesOf } from "./run-nodes.ts";
import type { RunPorts, RunRepositories } from "./run-ports.ts";
import { sqliteRuns } from "./store.sqlite.ts";
import type { RunRecord } from "./store.ts";

export type ScratchRuns = Disposable & {
  readonly store: Store<RunRepositories>;
  readonly clock: ManualClock;
  readonly ids: IdSource;
  readonly folder: string;
  /** A run without a graph, as an older Sylk wrote it. */
  add(changes?: Partial<RunRecord>): Promise<RunRecord>;
  /** The graph of a run, with records. Without nodes, it is the graph that every run begins with. */
  addGraph(
    run: RunRecord,
    nodes?: RunNodes,
    terms?: { readonly records?: Readonly<Record<string, NodeRecord>>; readonly status?: GraphRecord["status"] },
  ): Promise<GraphRecord>;
  addApproval(run: RunRecord, changes?: Partial<Approval>): Promise<Approval>;
  nodesOf(run: RunId): Promise<readonly KnownNode[]>;
  statusOf(id: RunId): Promise<readonly [RunStatus, string | undefined]>;
  approvalsOf(run: RunId): Promise<readonly Approval[]>;
  events(type?: string): Promise<readonly LogEvent[]>;
  /** The privileged acts in the audit, oldest first. */
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
      dags: sqliteDags,
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
    folder: folder.path,
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
    addGraph: (run, nodes = firstGraph(ids).nodes as RunNodes, { records = {}, status = "running" } = {}) =>
      store.transact("graph", async (tx) => {
        const graph = graphOf(run, Object.keys(nodes).length, status);
        await tx.dags.insert(graph, { nodes, remove: [] });
        for (const [node, record] of Object.entries(records))
          await tx.dags.saveNode(run.id, { node, state: record.state, record, endedAt: undefined });
        return graph;
      }),
    async addApproval({ id: run, project }, changes = {}) {
      const base = { id: ids.next("apr"), run, kind: "command" as const, question: "?", details: [] };
      const approval: Approval = { ...base, status: "waiting" as const, createdAt: 1, ...changes };
      await store.transact("approval", async (tx) => {
        await tx.approvals.insert(project, approval);
        await tx.approvals.update(approval);
      });
      return approval;
    },
    nodesOf: (run) => nodesOf(run, store.reader.dags),
    async statusOf(id) {
      const { status, reason } = (await store.reader.runs.find(id))!;
      return [status, reason];
    },
    approvalsOf: (graph) => store.reader.approvals.list({ graph, project: undefined, waitingOnly: false }),
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

function graphOf({ id, session, project, request, options }: RunRecord, nodes: number, status: GraphRecord["status"]) {
  const terms = { session, project, name: request, status, reason: undefined, version: 1, nodes };
  return {
    id,
    ...terms,
    options: graphOptions({ ...options, tree: "/srv/tree" }),
    since: 0,
    createdAt: 1,
    updatedAt: 1,
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
  cleared: false,
  mergedAs: undefined,
  outcome: "open",
  cost: { calls: 0, inputTokens: 0, outputTokens: 0, unknownCalls: 0 },
  since: 0,
  createdAt: 1,
  updatedAt: 1,
};

export type Played = Partial<Omit<Executors, "command" | "prompt">> & {
  readonly workspaces?: Partial<WorkspacePort>;
  readonly companionOf?: HostPorts["companionOf"];
};

export type PlayedRuns = ScratchRuns & {
  readonly host: GraphHost<RunRepositories>;
  readonly ports: RunPorts;
  /** Attempts by kind and git calls, in order. */
  readonly deeds: string[];
  readonly archived: unknown[];
  /** A run that a real host executes. */
  begin(changes?: Partial<RunRecord>): Promise<RunRecord>;
  readonly call: Calls<"run" | "approval">;
  callAs(caller: Caller): Calls<"run" | "approval">;
  /** The last node of this kind. */
  nodeOf(run: RunId, kind: KnownNode["spec"]["kind"]): Promise<KnownNode>;
  /** Resolves once the run has this status. */
  reaches(run: RunId, status: RunStatus): Promise<void>;
};

/** A plan of two nodes, each approved before it runs unless the run says otherwise; checks pass, git says yes. Over the store of another one it is the next daemon. */
export function playedRuns({ workspaces, companionOf, ...played }: Played = {}, at = scratchRuns()): PlayedRuns {
  const { store, clock, ids } = at;
  const deeds: string[] = [];
  const archived: unknown[] = [];
  const git = { ...playedGit(deeds), ...workspaces } as WorkspacePort;
  const executors: Omit<Executors, "command" | "prompt"> = {
    async plan({ dag, node }) {
      const { options } = (await store.reader.runs.find(dag as RunId))!;
      const plan = planOf(ids, "One", "Two");
      return succeedWith(
        { plan: plan.id, outline: plan.summary },
        adding(nodesOfPlan(plan, { after: node, approved: options.approve }, ids)),
      );
    },
    approval: (attempt) => approvePlan(attempt, { store }),
    engineer: async ({ spec }) => ({ summary: `did ${spec.title}` }),
    check: async ({ spec }) => checkOf(spec.check!, spec.round),
    judge: (attempt) => judgeRound(attempt, { ids }),
    conclude: (attempt) =>
      concludeRun(attempt, {
        store,
        workspaces: git,
        restWorker: async () => {},
        archive: async (_, entry) => void archived.push(entry),
      }),
  };
  const carryOut = carryOutByKind({ ...executors, ...played } as Executors);
  const host = createGraphHost<RunRepositories>({
    store,
    clock,
    ids,
    log: { error: (event, facts) => (deeds.push(`${event}: ${JSON.stringify(facts)}`), "") },
    random: () => 0,
    carryOut(attempt) {
      deeds.push(attempt.spec.kind ?? "?");
      return carryOut(attempt);
    },
    processes: createProcessRecorder({ store, endGroup: async () => {}, log: { error: () => "" } }),
    followerOf: () => followRuns({ ids }),
    companionOf,
  });
  const ports: RunPorts = {
    store,
    clock,
    ids,
    host,
    log: { error: () => "" },
    workspaces: git,
    mergeChange: async ({ commit }) => (deeds.push(`merge ${commit}`), { commit: "merged1", paths: [], told: [] }),
    checkModel: async () => {},
    commandEnvironment: (given) => given,
  };
  const noHolds = { waiting: async () => [], decide: () => Promise.reject(new Error("no hold is asked for")) };
  const handlers = mergeHandlers(
    runHandlers(ports),
    approvalHandlers({ store, clock, ...approvalEffects(ports), holds: noHolds, installs: noInstalls }),
  );
  const callAs = (caller: Caller) => calledBy<RunRepositories, "run" | "approval">(caller, handlers, store.transact);
  return {
    ...at,
    host,
    ports,
    deeds,
    archived,
    async begin(changes = {}) {
      const run = await at.add({ status: "planning", ...changes });
      await at.addGraph(run);
      await host.launch(run.id);
      return run;
    },
    call: callAs(user),
    callAs,
    nodeOf: async (run, kind) => (await at.nodesOf(run)).findLast(({ spec }) => spec.kind === kind)!,
    async reaches(run, status) {
      await until(async () => (await at.statusOf(run))[0] === status);
      await host.recorded(run);
    },
    [Symbol.dispose]: () => at[Symbol.dispose](),
  };
}

function playedGit(deeds: string[]): Partial<WorkspacePort> {
  return {
    ensure: async () => {},
    contentHash: async () => "hash",
    changes: async () => [{ path: "src/shop.ts", kind: "modified" }],
    commit: async () => (deeds.push("commit"), "c0ffee1"),
    clear: async () => (deeds.push("clear"), { kept: undefined }),
    quarantine: async () => (deeds.push("quarantine"), { reference: "refs/sylk/quarantine/x" }),
  };
}

export function planOf(ids: IdSource, ...titles: readonly string[]): Plan {
  const nodes = titles.map((title) => ({
    id: ids.next("nod"),
    title,
    role: "engineer",
    prompt: `Do ${title}`,
    dependsOn: [],
  }));
  return { id: ids.next("pln"), summary: "A plan", nodes };
}

export function checkOf(kind: Check["kind"], round: number, changes: Partial<Check> = {}): CheckResult {
  const check: Check = { kind, round, outcome: "pass", summary: "2 passed", contentHash: "hash", at: 1, ...changes };
  return { check, findings: [] };
}

export function agentOf({ project }: RunRecord): AgentCaller {
  const agent = { id: "agt_0000000000000000000001", name: "heron", client: "other" };
  const place = { id: project, name: "shop", path: `/srv/${project}/.git` };
  return { kind: "agent", agent, project: place, tree: "/srv/tree" } as unknown as AgentCaller;
}

/** Checks again after each event-loop turn. */
export async function until<T>(probe: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let looks = 0; looks < 20_000; looks++) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it did not happen");
}

export const noInstalls = {
  waiting: () => [],
  find: () => undefined,
  decide: () => Promise.reject(new Error("no installation is asked for")),
};
