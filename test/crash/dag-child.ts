/**
 * One life of a host that carries many DAG runs, and its death:
 *
 *   node dag-child.ts <store> <effects> <file with the runs>
 *
 * Each run stands still at a point of its own, before or after the store has taken what it gave it. Once all stand still or
 * have ended, the process kills itself with SIGKILL. So every run dies somewhere in its middle, at one start of a process.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { type DagId, operations } from "../../src/contract/index.ts";
import { dagHandlers, type DagPorts, type GraphHost } from "../../src/orchestration/graphs/index.ts";
import {
  type CarryOut,
  hostOver,
  type NodeTerms,
  openDagStore,
  playedCommands,
  user,
} from "../../src/orchestration/graphs/testkit.ts";
import { createProcessRecorder } from "../../src/orchestration/executors/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";

export type ChildRun = {
  readonly id: DagId;
  /** How often each node fails; -1: always. */
  readonly failures: Readonly<Record<string, number>>;
  readonly rejected: readonly string[];
  readonly added: NodeTerms | null;
  /** The change of the store at which it stands still, from 1; null: it goes on to its end. */
  readonly stopAt: number | null;
  readonly stopBefore: boolean;
};
type OpenStore = ReturnType<typeof openDagStore>;

if (process.argv[1] === import.meta.filename) await live();

async function live(): Promise<void> {
  const [, , file = "", effects = "", runsFile = ""] = process.argv;
  const runs = JSON.parse(readFileSync(runsFile, "utf8")) as readonly ChildRun[];
  const byId = new Map<string, ChildRun>(runs.map((run) => [run.id, run]));
  const clock = systemClock();
  let left = runs.length;
  const stands = (): void => {
    if (--left > 0) return;
    if (runs.some(({ stopAt }) => stopAt !== null)) process.kill(process.pid, "SIGKILL");
    process.exit(0);
  };
  const store = stopping(openDagStore(file, clock, { durable: false }), byId, stands);
  const host = hostOver(store, clock, { commands: playedCommands(effectsIn(effects, byId)) });
  const log = { error: () => "" };
  const rules = { splitCommand: () => undefined, clean: <T>(value: T): T => value };
  const checkModel = async (): Promise<void> => {};
  const commandEnvironment = (given: Readonly<Record<string, string>>) => given;
  const ports: DagPorts = { store, clock, ids: randomIds(clock), host, log, rules, checkModel, commandEnvironment };
  await createProcessRecorder({ store, endGroup: async () => {}, log }).endLeftovers();
  await Promise.all(runs.map((run) => carry(run, host, ports, stands)));
}

/** A run that stands still never hears of its change again, whether the store has it or not. */
function stopping(store: OpenStore, byId: ReadonlyMap<string, ChildRun>, stands: () => void): OpenStore {
  const changes = new Map<string, number>();
  return {
    ...store,
    transact(scope, work) {
      const run = byId.get(scope);
      const count = (changes.get(scope) ?? 0) + 1;
      changes.set(scope, count);
      if (run === undefined || run.stopAt === null || count < run.stopAt) return store.transact(scope, work);
      if (count === run.stopAt)
        void (run.stopBefore ? Promise.resolve() : store.transact(scope, work)).then(stands, stands);
      return new Promise(() => {});
    },
  };
}

/** An effect is one line, written at once; what earlier lives wrote counts. */
function effectsIn(file: string, byId: ReadonlyMap<string, ChildRun>): CarryOut {
  const failed = new Map<string, number>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [dag, node, , outcome] = line.split(" ");
    if (outcome === "failed") failed.set(`${dag} ${node}`, (failed.get(`${dag} ${node}`) ?? 0) + 1);
  }
  return async ({ node, attempt, request }) => {
    const { SYLK_DAG_RUN: dag = "" } = request.env;
    const name = `${dag} ${node}`;
    const [before, wanted] = [failed.get(name) ?? 0, byId.get(dag)?.failures[node] ?? 0];
    const fails = wanted === -1 || before < wanted;
    if (fails) failed.set(name, before + 1);
    appendFileSync(file, `${name} ${attempt} ${fails ? "failed" : "done"}\n`);
    return fails ? { exitCode: 1 } : {};
  };
}

async function carry(
  { id, rejected, added, stopAt }: ChildRun,
  host: GraphHost,
  ports: DagPorts,
  stands: () => void,
): Promise<void> {
  const handlers = dagHandlers(ports);
  const call = { caller: user, transact: ports.store.transact };
  const record = await ports.store.reader.dags.find(id);
  if (record?.status !== "running") return stands();
  const run = await host.launch(id, { paused: true });
  const answer = (node: string): void => {
    const decision = rejected.includes(node) ? "reject" : "approve";
    void handlers["dag.answer"](operations["dag.answer"].input.parse({ id, node, decision }), call);
  };
  run.subscribe(({ node, to }) => void (to === "blocked" && answer(node)));
  for (const [node, { state }] of run.status().nodes) if (state === "blocked") answer(node);
  if (added !== null && record.version === 1)
    await handlers["dag.adjust"](operations["dag.adjust"].input.parse({ id, nodes: added }), call);
  run.unpause();
  await host.over(id);
  // The end of a run is a change too: one that stands still there has said so.
  if (stopAt === null || (await ports.store.reader.dags.find(id))?.status !== "running") stands();
}
