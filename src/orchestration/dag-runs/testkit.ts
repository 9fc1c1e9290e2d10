/** DAG runs over a real SQLite file, with commands that a test carries out itself. */
import { join } from "node:path";
import { dag as contract, type DagId, type LogEvent, type RawInputOf, type UserCaller } from "../../contract/index.ts";
import { sqliteProjects } from "../../coordination/registry/index.ts";
import { sqliteAudit } from "../../platform/audit/index.ts";
import { type Clock, systemClock } from "../../platform/clock/index.ts";
import { sqliteEvents } from "../../platform/event-log/index.ts";
import { type IdSource, randomIds } from "../../platform/ids/index.ts";
import { createPool } from "../../platform/pool/index.ts";
import { openSqliteStore, readMigrations, type Store } from "../../platform/store/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { sqliteApprovals } from "../approvals/index.ts";
import {
  type CommandPort,
  type CommandRequest,
  type CommandResult,
  createProcessRecorder,
  type PromptPort,
  sqliteProcesses,
} from "../executors/index.ts";
import { newSession, sqliteSessions } from "../sessions/index.ts";
import { carryOutNode, type NodePorts } from "./carry-out-node.ts";
import { createDagHost } from "./dag-host.ts";
import type { DagHost, HostPorts } from "./dag-host-port.ts";
import { acceptGraph, type GraphRules } from "./graph.ts";
import type { DagPorts, DagRepositories } from "./start-dag-run.ts";
import { sqliteDags } from "./store.sqlite.ts";
import type { DagRecord } from "./store.ts";

export type NodeTerms = RawInputOf<"dag.run">["nodes"];
export type Policy = NonNullable<RawInputOf<"dag.run">["policy"]>;
export const user: UserCaller = { kind: "user", project: undefined };

export function openDagStore(file: string, clock: Clock, { durable = true } = {}): Store<DagRepositories> {
  const ids = randomIds(clock);
  return openSqliteStore({
    file,
    migrations: readMigrations(),
    repositories: {
      events: sqliteEvents({ clock, ids, onAppended: () => {} }),
      projects: sqliteProjects,
      sessions: sqliteSessions,
      dags: sqliteDags,
      approvals: sqliteApprovals,
      processes: sqliteProcesses,
      audit: sqliteAudit({ clock, clean: (value) => value, onAppended: () => {} }),
    },
    clock,
    durable,
    onDefect(error) {
      throw error;
    },
  });
}

const rules: GraphRules = {
  splitCommand: () => undefined,
  clean: (value) => value,
  pathProblem: () => undefined,
};

/** Inserts runs without starting them; all belong to one session. */
export async function addDags(
  store: Store<DagRepositories>,
  ids: IdSource,
  graphs: readonly { readonly nodes: NodeTerms; readonly policy?: Policy; readonly tree?: string }[],
): Promise<readonly DagRecord[]> {
  return store.transact("add", async (tx) => {
    const project = ids.next("prj");
    await tx.projects.insert({ id: project, name: "shop", path: `/srv/${project}/.git` }, 1);
    const session = { ...newSession({ id: ids.next("ses"), project, name: "Session" }, 1), state: "active" as const };
    await tx.sessions.insert(session);
    const records: DagRecord[] = [];
    for (const { nodes, policy: given = {}, tree = "/" } of graphs) {
      const terms = Object.fromEntries(
        Object.entries(nodes).map(([name, node]) => [name, contract.DagNodeTerms.parse(node)]),
      );
      const policy = contract.DagPolicy.parse(given);
      const change = acceptGraph("dag.run", { nodes: terms, policy, mode: "eager" }, rules);
      const record: DagRecord = {
        id: ids.next("dag"),
        session: session.id,
        project,
        name: "graph",
        status: "running",
        reason: undefined,
        options: { tree, mode: "eager", policy, provider: undefined, rehearse: undefined, environment: {} },
        version: 1,
        nodes: Object.keys(nodes).length,
        since: 0,
        createdAt: 1,
        updatedAt: 1,
      };
      await tx.dags.insert(record, change);
      records.push(record);
    }
    return records;
  });
}

export type Carried = { readonly node: string; readonly attempt: number; readonly request: CommandRequest };
export type CarryOut = (carried: Carried) => Promise<Partial<CommandResult>>;

const nobodyAsks: PromptPort = { answer: () => Promise.reject(new Error("nobody is asked here")) };

/** Commands of a host: what each does is the caller's; by default it succeeds at once. */
export function playedCommands(carryOut: CarryOut = async () => ({})): CommandPort & { readonly ended: number[] } {
  const ended: number[] = [];
  let pid = 100;
  return {
    ended,
    async run(request) {
      const { SYLK_DAG_NODE: node = "", SYLK_DAG_ATTEMPT: attempt = "" } = request.env;
      await request.onStarted?.({ pid: ++pid, startedAt: `start-${pid}` });
      const result = await carryOut({ node, attempt: Number(attempt), request });
      return { end: "exited", exitCode: 0, output: "", truncated: false, durationMs: 0, ...result };
    },
    endGroup: async (process) => void ended.push(process.pid),
  };
}

type HostChanges = Partial<HostPorts & NodePorts>;

export function hostOver(
  store: Store<DagRepositories>,
  clock: Clock,
  { commands, ...changes }: HostChanges & { readonly commands: CommandPort },
): DagHost {
  const pool = createPool({ clock, limits: { all: 1e6, perGroup: 1e6 }, queue: { all: 1e6, perGroup: 1e6 } });
  const ports = { pool, commands, prompts: nobodyAsks, clean: <T>(value: T): T => value, ...changes };
  return createDagHost({
    store,
    clock,
    log: { error: (event, facts) => Promise.reject(new Error(`${event}: ${JSON.stringify(facts)}`)) as never },
    random: () => 0,
    carryOut: (attempt) => carryOutNode(attempt, ports),
    ids: randomIds(clock),
    processes: createProcessRecorder({ store, endGroup: commands.endGroup, log: { error: () => "" } }),
    ...changes,
  });
}

export type ScratchDags = Disposable & {
  readonly store: Store<DagRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  add(nodes: NodeTerms, policy?: Policy): Promise<DagRecord>;
  host(commands?: CommandPort, changes?: HostChanges): DagHost;
  /** As a daemon does before it takes requests. */
  endLeftovers(commands: CommandPort): Promise<void>;
  ports(host: DagHost): DagPorts;
  statesOf(id: DagId): Promise<Readonly<Record<string, string>>>;
  statusOf(id: DagId): Promise<string | undefined>;
  events(): Promise<readonly LogEvent[]>;
};

export function scratchDags(clock: Clock = systemClock()): ScratchDags {
  const folder = scratchFolder();
  const ids = randomIds(clock);
  const store = openDagStore(join(folder.path, "sylk.db"), clock, { durable: false });
  return {
    store,
    clock,
    ids,
    add: async (nodes, policy = {}) => (await addDags(store, ids, [{ nodes, policy, tree: folder.path }]))[0]!,
    host: (commands = playedCommands(), changes = {}) => hostOver(store, clock, { commands, ...changes }),
    endLeftovers: ({ endGroup }) => createProcessRecorder({ store, endGroup, log: { error: () => "" } }).endLeftovers(),
    ports: (host) => ({
      store,
      clock,
      ids,
      host,
      log: { error: () => "" },
      rules,
      checkModel: async () => {},
    }),
    statesOf: async (id) =>
      Object.fromEntries((await store.reader.dags.nodesOf(id)).map(({ node, record }) => [node, record.state])),
    statusOf: async (id) => (await store.reader.dags.find(id))?.status,
    async events() {
      const query = { after: 0, limit: 10_000, types: undefined, project: undefined };
      return (await store.reader.events.page(query)).events;
    },
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}
