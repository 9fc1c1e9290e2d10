/** Graphs whose commands do nothing, carried by the daemon's own host over a real store: what is left is durability's cost. */
import { join } from "node:path";
import {
  addDags,
  hostOver,
  type NodeTerms,
  openDagStore,
  playedCommands,
} from "../../src/orchestration/graphs/testkit.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { randomIds } from "../../src/platform/ids/index.ts";

export type DurableShape = "chain" | "fan-out";
/** Before each step waits for the disk, as the daemon does; or at checkpoints alone, as SQLite does for the peers. */
export type Durability = true | "at-checkpoints";
export type DurableRun = {
  /** Processor time from the launch to the recorded outcome, in microseconds. */
  readonly micros: number;
  /** Changes of the store, each one on disk before it counts. */
  readonly changes: number;
  readonly rows: number;
};

const maxConcurrency = 50;

/** A step starts no process here, so none is recorded: it is compared with steps that are functions. */
const nothing = playedCommands();
const commands: typeof nothing = {
  ...nothing,
  run: ({ argv, cwd, env, timeoutMs }) => nothing.run({ argv, cwd, env, timeoutMs }),
};

/** Throws unless every node succeeded. */
export async function runDurable(
  folder: string,
  shape: DurableShape,
  size: number,
  durable: Durability = true,
): Promise<DurableRun> {
  const clock = systemClock();
  const store = openDagStore(join(folder, `${shape}-${size}.db`), clock, { durable });
  try {
    const graph = { nodes: graphOf(shape, size), policy: { maxConcurrency, failFast: false } };
    const [dag] = await addDags(store, randomIds(clock), [graph]);
    let changes = 0;
    const counting: typeof store = {
      ...store,
      transact(scope, work) {
        changes++;
        return store.transact(scope, work);
      },
    };
    const host = hostOver(counting, clock, { commands });
    const before = process.cpuUsage();
    await host.launch(dag!.id);
    await host.over(dag!.id);
    const { user, system } = process.cpuUsage(before);
    const rows = (await store.reader.dags.nodesOf(dag!.id)).filter(({ record }) => record.state === "succeeded").length;
    if (rows !== size) throw new Error(`${rows} of ${size} nodes succeeded`);
    return { micros: user + system, changes, rows };
  } finally {
    store.close();
  }
}

/** The least that anything durable costs: so many changes of one row, one after the other; processor time of each. */
export async function changeOneRow(folder: string, changes: number): Promise<number> {
  const clock = systemClock();
  const store = openDagStore(join(folder, "floor.db"), clock);
  try {
    const [dag] = await addDags(store, randomIds(clock), [{ nodes: graphOf("chain", 1) }]);
    const before = process.cpuUsage();
    for (let change = 0; change < changes; change++)
      await store.transact(dag!.id, (tx) => tx.dags.setStatus(dag!.id, "running", undefined, change));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / changes;
  } finally {
    store.close();
  }
}

function graphOf(shape: DurableShape, size: number): NodeTerms {
  const names = Array.from({ length: size }, (_, index) => `n${index}`);
  const parentsOf = (index: number): string[] =>
    index === 0 ? [] : [shape === "chain" ? names[index - 1]! : names[0]!];
  return Object.fromEntries(names.map((name, index) => [name, { run: ["nothing"], dependsOn: parentsOf(index) }]));
}
