/** DAG runs over a real SQLite file. The test decides the outcome of each command. */
import { join } from "node:path";
import {
  type Caller,
  dag as contract,
  type DagId,
  type LogEvent,
  operations,
  type OutputOf,
  type RawInputOf,
  type UserCaller,
} from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
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
import { type Attempt, carryOutNode, type NodePorts } from "./carry-out-node.ts";
import { createGraphHost } from "./graph-host.ts";
import type { GraphHost, HostPorts } from "./graph-host-port.ts";
import { acceptGraph, type GraphRules } from "./graph.ts";
export { engineDag } from "./graph.ts";
export { recordBatch } from "./record-batch.ts";
import { dagHandlers } from "./handlers.ts";
import type { DagPorts, DagRepositories } from "./start-dag-run.ts";
import { sqliteDags } from "./store.sqlite.ts";
import type { GraphRecord, WrittenSpec } from "./store.ts";

export type NodeTerms = RawInputOf<"dag.run">["nodes"];
export type Policy = NonNullable<RawInputOf<"dag.run">["policy"]>;
export const user: UserCaller = { kind: "user", project: undefined };

export function openDagStore(
  file: string,
  clock: Clock,
  { durable = true }: { readonly durable?: boolean | "at-checkpoints" } = {},
): Store<DagRepositories> {
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
): Promise<readonly (GraphRecord & { readonly id: DagId })[]> {
  return store.transact("add", async (tx) => {
    const project = ids.next("prj");
    await tx.projects.insert({ id: project, name: "shop", path: `/srv/${project}/.git` }, 1);
    const session = { ...newSession({ id: ids.next("ses"), project, name: "Session" }, 1), state: "active" as const };
    await tx.sessions.insert(session);
    const records: (GraphRecord & { readonly id: DagId })[] = [];
    for (const { nodes, policy: given = {}, tree = "/" } of graphs) {
      const terms = Object.fromEntries(
        Object.entries(nodes).map(([name, node]) => [name, contract.DagNodeTerms.parse(node)]),
      );
      const policy = contract.DagPolicy.parse(given);
      const change = acceptGraph("dag.run", { nodes: terms, policy, mode: "eager" }, rules);
      const record = {
        id: ids.next("dag"),
        session: session.id,
        project,
        name: "graph",
        status: "running" as const,
        reason: undefined,
        options: { tree, mode: "eager" as const, policy, provider: undefined, rehearse: undefined, environment: {} },
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

const noPrompts: PromptPort = { answer: () => Promise.reject(new Error("this test has no model")) };

/** Commands whose outcome the test decides. By default each succeeds at once. */
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
): GraphHost {
  const pool = createPool({ clock, limits: { all: 1e6, perGroup: 1e6 }, queue: { all: 1e6, perGroup: 1e6 } });
  const ports = { pool, commands, prompts: noPrompts, clean: <T>(value: T): T => value, ...changes };
  return createGraphHost({
    store,
    clock,
    log: { error: (event, facts) => Promise.reject(new Error(`${event}: ${JSON.stringify(facts)}`)) as never },
    random: () => 0,
    carryOut: (attempt) => carryOutNode(attempt as Attempt<WrittenSpec>, ports),
    ids: randomIds(clock),
    processes: createProcessRecorder({ store, endGroup: commands.endGroup, log: { error: () => "" } }),
    ...changes,
  });
}

export type Calls<Noun extends string> = <Name extends OperationsOn<Noun>>(
  name: Name,
  input: RawInputOf<Name>,
) => Promise<OutputOf<Name>>;

/** Calls operations as this caller, with raw input like that of a surface. */
export function calledBy<Tx, Noun extends "dag" | "run" | "approval">(
  caller: Caller,
  handlers: OperationHandlers<Tx, OperationsOn<Noun>>,
  transact: Store<Tx>["transact"],
): Calls<Noun> {
  return async (name, input) => {
    const handle = handlers[name] as (parsed: unknown, call: object) => Promise<never>;
    return handle(operations[name].input.parse(input), { caller, transact });
  };
}

export type ScratchDags = Disposable & {
  readonly store: Store<DagRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  add(nodes: NodeTerms, policy?: Policy): Promise<GraphRecord & { readonly id: DagId }>;
  host(commands?: CommandPort, changes?: HostChanges): GraphHost;
  /** Like a daemon before it takes requests. */
  endLeftovers(commands: CommandPort): Promise<void>;
  ports(host: GraphHost): DagPorts;
  /** The operations on graphs, called by the user. */
  operations(host: GraphHost): Calls<"dag">;
  statesOf(id: DagId): Promise<Readonly<Record<string, string>>>;
  statusOf(id: DagId): Promise<string | undefined>;
  events(): Promise<readonly LogEvent[]>;
};

export function scratchDags(clock: Clock = systemClock()): ScratchDags {
  const folder = scratchFolder();
  const ids = randomIds(clock);
  const store = openDagStore(join(folder.path, "sylk.db"), clock, { durable: false });
  const ports = (host: GraphHost): DagPorts => ({
    store,
    clock,
    ids,
    host,
    log: { error: () => "" },
    rules,
    checkModel: async () => {},
    commandEnvironment: (given) => given,
  });
  return {
    store,
    clock,
    ids,
    add: async (nodes, policy = {}) => (await addDags(store, ids, [{ nodes, policy, tree: folder.path }]))[0]!,
    host: (commands = playedCommands(), changes = {}) => hostOver(store, clock, { commands, ...changes }),
    endLeftovers: ({ endGroup }) => createProcessRecorder({ store, endGroup, log: { error: () => "" } }).endLeftovers(),
    ports,
    operations: (host) => calledBy(user, dagHandlers(ports(host)), store.transact),
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
