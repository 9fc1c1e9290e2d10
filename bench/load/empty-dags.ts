/** Graphs whose nodes do nothing, run by the engine in memory: what is left is the engine's own cost. */
import { type Dag, type DagNode, startDag } from "../../src/orchestration/dag/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";

const policy = {
  maxConcurrency: 50,
  failFast: false,
  defaultRetry: { max: 0, backoffMs: 1 },
  defaultTimeoutMs: 60_000,
};

function node(id: string, dependsOn: readonly string[]): DagNode {
  return { id, role: "engineer", title: id, prompt: "", dependsOn };
}

export function emptyChain(size: number): Dag {
  const nodes = Array.from({ length: size }, (_, index) => node(`n${index}`, index === 0 ? [] : [`n${index - 1}`]));
  return { nodes, policy };
}

/** One node, all but two below it, one below them all. */
export function emptyFan(size: number): Dag {
  const middle = Array.from({ length: size - 2 }, (_, index) => node(`m${index}`, ["root"]));
  const end = middle.map(({ id }) => id);
  return { nodes: [node("root", []), ...middle, node("end", end)], policy };
}

export type EmptyRun = { readonly dispatched: number; readonly recorded: number };

/** Throws unless every node succeeded. */
export async function runEmpty(dag: Dag): Promise<EmptyRun> {
  let [dispatched, recorded] = [0, 0];
  const { outcome } = await startDag({
    dag,
    journal: {
      async record(entries) {
        recorded += entries.length;
      },
    },
    async dispatch() {
      dispatched++;
    },
    clock: systemClock(),
    random: () => 0,
    signal: new AbortController().signal,
  }).finished;
  if (outcome !== "succeeded" || dispatched !== dag.nodes.length)
    throw new Error(`${dispatched} of ${dag.nodes.length} nodes ran, and the run ${outcome}`);
  return { dispatched, recorded };
}

/** The same number of empty calls with no order, no record, no state: what any scheduler must cost more than. */
export async function barePromiseAll(size: number): Promise<number> {
  let dispatched = 0;
  const call = async (): Promise<void> => void dispatched++;
  await Promise.all(Array.from({ length: size }, call));
  return dispatched;
}
