/**
 * Many random DAG runs over one store, each killed by SIGKILL at points of its own; then judged.
 *
 *   graphs -> store -> life (child process) -> SIGKILL -> … -> a life that ends them all -> effects and states compared
 *
 * Lost: a node that counts as done without an effect. Doubled: an attempt that was carried out twice, or one after the
 * node's success was recorded. Wrong: any state or status that the graph does not end in.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DagId } from "../../src/contract/index.ts";
import { addDags, openDagStore } from "../../src/orchestration/graphs/testkit.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";
import { scratchFolder } from "../../src/platform/store/testkit.ts";
import type { ChildRun } from "./dag-child.ts";
import { type CrashGraph, randomGraph } from "./dag-graphs.ts";
import { type Random, seededRandom } from "./random.ts";

export type DagKillTerms = {
  readonly dags: number;
  readonly seed: number;
  /** A number: each run is killed at so many points by chance. "every": each graph has a run for each of its changes, killed there. */
  readonly kills: number | "every";
  readonly onLife?: (figures: DagKillFigures) => void;
};
export type DagKillFigures = {
  readonly runs: number;
  lives: number;
  /** Runs that stood in their middle when the process was killed, all lives together. */
  killedRuns: number;
  effects: number;
  lost: number;
  doubled: number;
  wrong: number;
};
/** `stops`: the change at which it is killed, life by life. */
type Planned = { readonly graph: CrashGraph; readonly stops: readonly number[] };
type Run = Planned & { readonly id: DagId };

const child = join(import.meta.dirname, "dag-child.ts");

export async function killDags({ dags, seed, kills, onLife }: DagKillTerms): Promise<{
  readonly figures: DagKillFigures;
  readonly problems: readonly string[];
}> {
  using folder = scratchFolder();
  const random = seededRandom(seed);
  const files = {
    store: join(folder.path, "sylk.db"),
    effects: join(folder.path, "effects"),
    runs: join(folder.path, "runs.json"),
  };
  writeFileSync(files.effects, "");
  const graphs = Array.from({ length: dags }, () => randomGraph(random));
  const runs = await insert(
    files.store,
    graphs.flatMap((graph) => planned(graph, kills, random)),
  );
  const figures: DagKillFigures = {
    runs: runs.length,
    lives: 0,
    killedRuns: 0,
    effects: 0,
    lost: 0,
    doubled: 0,
    wrong: 0,
  };
  const problems: string[] = [];
  const deaths = kills === "every" ? 1 : kills;
  for (let life = 0; life <= deaths; life++) {
    const isLast = life === deaths;
    const { open, done } = await standing(files.store, runs);
    writeFileSync(
      files.runs,
      JSON.stringify(open.map((run) => childRun(run, isLast ? null : run.stops[life]!, random))),
    );
    const from = readFileSync(files.effects, "utf8").length;
    const ended = await lifeOf(files);
    figures.lives++;
    if (!isLast) figures.killedRuns += (await standing(files.store, open)).open.length;
    if (ended !== (isLast ? 0 : "SIGKILL")) problems.push(`wrong: life ${life} ended with ${ended}`);
    for (const line of linesOf(readFileSync(files.effects, "utf8").slice(from)))
      if (done.has(nameIn(line))) problems.push(`doubled after its success was recorded: ${line}`);
    onLife?.(figures);
  }
  await judge(files, runs, figures, problems);
  return { figures, problems };
}

function planned(graph: CrashGraph, kills: DagKillTerms["kills"], random: Random): readonly Planned[] {
  if (kills !== "every") return [{ graph, stops: Array.from({ length: kills }, () => random.between(1, 14)) }];
  return Array.from({ length: mostChanges(graph) }, (_, at) => ({ graph, stops: [at + 1] }));
}

/** Three for each attempt (its process begins, ends, its result), and what answers and adjustments take. */
function mostChanges({ nodes, failures, added }: CrashGraph): number {
  const perNode = Object.entries(nodes).map(
    ([name, { approve = false }]) => 3 * (1 + Math.min(2, failures[name] ?? 0)) + (approve ? 4 : 0),
  );
  return perNode.reduce((sum, changes) => sum + changes, added === undefined ? 2 : 6);
}

function childRun({ id, graph }: Run, stopAt: number | null, random: Random): ChildRun {
  const failures = Object.fromEntries(
    Object.entries(graph.failures).map(([node, count]) => [node, Number.isFinite(count) ? count : -1]),
  );
  const { rejected, added = null } = graph;
  return { id, failures, rejected, added, stopAt, stopBefore: random.next() < 0.5 };
}

async function insert(file: string, plans: readonly Planned[]): Promise<readonly Run[]> {
  const clock = systemClock();
  const store = openDagStore(file, clock, { durable: false });
  const records = await addDags(
    store,
    randomIds(clock),
    plans.map(({ graph: { nodes, maxConcurrency } }) => ({ nodes, policy: { maxConcurrency, failFast: false } })),
  );
  store.close();
  return records.map(({ id }, at) => ({ id, ...plans[at]! }));
}

function lifeOf({ store, effects, runs }: { store: string; effects: string; runs: string }): Promise<number | string> {
  const life = spawn(process.execPath, [child, store, effects, runs], { stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    life.on("error", reject);
    life.on("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

async function reading<T>(file: string, read: (store: ReturnType<typeof openDagStore>) => Promise<T>): Promise<T> {
  const store = openDagStore(file, systemClock(), { durable: false });
  try {
    return await read(store);
  } finally {
    store.close();
  }
}

/** Which runs are under way, and which nodes count as done. */
function standing(
  file: string,
  runs: readonly Run[],
): Promise<{ readonly open: readonly Run[]; readonly done: ReadonlySet<string> }> {
  return reading(file, async ({ reader }) => {
    const under = new Set((await reader.dags.withStatus("running")).map(({ id }) => id));
    const done = new Set<string>();
    for (const { id } of runs)
      for (const { node, record } of await reader.dags.nodesOf(id))
        if (record.state === "succeeded") done.add(`${id} ${node}`);
    return { open: runs.filter(({ id }) => under.has(id)), done };
  });
}

async function judge(
  { store, effects }: { readonly store: string; readonly effects: string },
  runs: readonly Run[],
  figures: DagKillFigures,
  problems: string[],
): Promise<void> {
  const lines = linesOf(readFileSync(effects, "utf8"));
  const done = new Set(lines.filter((line) => line.endsWith(" done")).map(nameIn));
  const attempts = new Set<string>();
  figures.effects = lines.length;
  for (const line of lines) {
    const attempt = line.split(" ").slice(0, 3).join(" ");
    if (attempts.has(attempt)) problems.push(`doubled: ${attempt}`);
    attempts.add(attempt);
  }
  figures.doubled = problems.filter((problem) => problem.startsWith("doubled")).length;
  await reading(store, async ({ reader }) => {
    for (const { id, graph } of runs) {
      const states = new Map((await reader.dags.nodesOf(id)).map(({ node, record }) => [node, record.state]));
      for (const [node, expected] of Object.entries(graph.expected)) {
        if (states.get(node) !== expected)
          problems.push(`wrong: ${id} ${node} is ${states.get(node)}, not ${expected}`);
        if (expected === "succeeded" && !done.has(`${id} ${node}`)) problems.push(`lost: ${id} ${node}`);
      }
      const status = (await reader.dags.find(id))?.status;
      const end = Object.values(graph.expected).includes("failed") ? "failed" : "succeeded";
      if (status !== end) problems.push(`wrong: ${id} is ${status}, not ${end}`);
      if (states.size !== Object.keys(graph.expected).length) problems.push(`wrong: ${id} has ${states.size} nodes`);
    }
    const left = await reader.processes.list();
    if (left.length > 0) problems.push(`wrong: ${left.length} processes are still recorded`);
  });
  figures.lost = problems.filter((problem) => problem.startsWith("lost")).length;
  figures.wrong = problems.length - figures.lost - figures.doubled;
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function nameIn(line: string): string {
  return line.split(" ").slice(0, 2).join(" ");
}
