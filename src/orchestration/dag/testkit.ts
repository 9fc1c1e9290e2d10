/** Graphs, an in-memory journal, a dispatcher that answers on command, and a clock in steps of a millisecond. */
import fc from "fast-check";
import { type ManualClock, manualClock } from "../../platform/clock/index.ts";
import type { Dispatch } from "./attempts.ts";
import { type Dag, type DagNode, type DagPolicy, type NodeRecord, type NodeTransition, recordAfter } from "./dag.ts";
import type { DagRun, Journal, JournalEntry, RunDagOptions } from "./dag-run.ts";
import type { DispatchContext } from "./dispatch-context.ts";
export { AdjustingSuccess } from "./node-outcomes.ts";
import { startDag } from "./run-dag.ts";

export const policy: DagPolicy = {
  maxConcurrency: 4,
  failFast: false,
  defaultRetry: { max: 0, backoffMs: 100 },
  defaultTimeoutMs: 60_000,
};

export function nodeOf(id: string, dependsOn: readonly string[] = [], more: Partial<DagNode> = {}): DagNode {
  return { id, role: "engineer", title: `Title of ${id}`, prompt: `Do ${id}`, dependsOn, ...more };
}

/** `graph({ a: [], b: ["a"] })`: each node with its dependencies. */
export function graph(shape: Readonly<Record<string, readonly string[]>>, changed: Partial<DagPolicy> = {}): Dag {
  const nodes = Object.entries(shape).map(([id, dependsOn]) => nodeOf(id, dependsOn));
  return { nodes, policy: { ...policy, ...changed } };
}

export function chain(length: number, changed: Partial<DagPolicy> = {}): Dag {
  const nodes = Array.from({ length }, (_, index) => nodeOf(`n${index}`, index === 0 ? [] : [`n${index - 1}`]));
  return { nodes, policy: { ...policy, ...changed } };
}

/** One root, `width` nodes below it, one node below them all. */
export function fan(width: number, changed: Partial<DagPolicy> = {}): Dag {
  const middle = Array.from({ length: width }, (_, index) => nodeOf(`m${index}`, ["root"]));
  const nodes = [
    nodeOf("root"),
    ...middle,
    nodeOf(
      "end",
      middle.map(({ id }) => id),
    ),
  ];
  return { nodes, policy: { ...policy, ...changed } };
}

/** Random acyclic graphs, with ids in random plan order. */
export function acyclicNodes(most: number): fc.Arbitrary<readonly DagNode[]> {
  return fc.array(fc.nat(2 ** 12), { minLength: 1, maxLength: most }).chain((masks) => {
    const nodes = masks.map((mask, index) => {
      const earlier = masks.slice(0, index).map((_, other) => other);
      return nodeOf(
        `n${index}`,
        earlier.filter((other) => (mask >> other) % 3 === 1).map((other) => `n${other}`),
      );
    });
    return fc.shuffledSubarray(nodes, { minLength: nodes.length, maxLength: nodes.length });
  });
}

/** Makes the chosen nodes final, except those that an ordinary node depends on. */
export function withFinals(nodes: readonly DagNode[], chosen: readonly boolean[]): readonly DagNode[] {
  const finals = new Set(nodes.filter((_, index) => chosen[index]).map(({ id }) => id));
  for (let shrunk = true; shrunk;) {
    const needed = nodes.filter(({ id }) => !finals.has(id)).flatMap(({ dependsOn }) => dependsOn);
    shrunk = needed.filter((id) => finals.delete(id)).length > 0;
  }
  return nodes.map((node) => (finals.has(node.id) ? { ...node, final: true } : node));
}

export const chosenFinals = (most: number): fc.Arbitrary<boolean[]> =>
  fc.array(fc.constantFrom(false, false, true), { minLength: most, maxLength: most });

export type MemoryJournal = Journal & { readonly log: NodeTransition[] };

export function memoryJournal(log: NodeTransition[] = []): MemoryJournal {
  return {
    log,
    async record(entries) {
      for (const transition of transitionsOf(entries)) log.push(transition);
    },
  };
}

export function transitionsOf(entries: readonly JournalEntry[]): readonly NodeTransition[] {
  return entries.flatMap((entry) => (entry.kind === "transition" ? [entry.transition] : []));
}

/** Folds a journal as a host does, for a restored run. */
export function foldEntries(
  dag: Dag,
  entries: readonly JournalEntry[],
): Required<Pick<RunDagOptions, "dag" | "version" | "restored">> {
  let [current, version] = [dag, 1];
  const restored = new Map<string, NodeRecord>();
  for (const entry of entries) {
    if (entry.kind === "transition") restored.set(entry.transition.node, recordAfter(entry.transition));
    else {
      const { add = [], remove = [], replace = [] } = entry.adjustment;
      const left = new Set([...remove, ...replace.map(({ id }) => id)]);
      for (const id of left) restored.delete(id);
      const nodes = [...current.nodes.filter(({ id }) => !left.has(id)), ...add, ...replace];
      [current, version] = [{ ...current, nodes }, entry.version];
    }
  }
  return { dag: current, version, restored };
}

export function foldLog(log: readonly NodeTransition[]): Map<string, NodeRecord> {
  return new Map(log.map((transition) => [transition.node, recordAfter(transition)]));
}

export type Call = DispatchContext & {
  readonly node: string;
  succeed(result?: unknown): void;
  fail(reason: unknown): void;
};

/** A dispatcher that answers only when the test says so. */
export function obedientDispatcher(): { readonly dispatch: Dispatch; readonly calls: Call[] } {
  const calls: Call[] = [];
  const dispatch: Dispatch = (node, context) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    calls.push({ ...context, node: node.id, succeed: resolve, fail: reject });
    return promise;
  };
  return { dispatch, calls };
}

export type TestRun = DagRun & {
  readonly clock: ManualClock;
  readonly log: NodeTransition[];
  readonly calls: Call[];
  /** The latest call for this node. */
  call(node: string): Call;
  /** "a:queued a:running …" since the last look. */
  news(): string;
  /** Advances the clock by `ms`, one step at a time. */
  pass(ms: number): Promise<void>;
};

export async function startTestRun(dag: Dag, more: Partial<RunDagOptions> = {}): Promise<TestRun> {
  const clock = manualClock();
  const { log, record } = memoryJournal();
  const { dispatch, calls } = obedientDispatcher();
  const { signal } = new AbortController();
  const run = startDag({ dag, journal: { record }, dispatch, clock, random: () => 1, signal, ...more });
  run.finished.catch(() => {}); // the test checks it
  await settle();
  let seen = 0;
  return {
    ...run,
    clock,
    log,
    calls,
    call(node) {
      const call = calls.findLast((each) => each.node === node);
      if (!call) throw new Error(`${node} was never dispatched`);
      return call;
    },
    news() {
      const fresh = log.slice(seen).map(({ node, to }) => `${node}:${to}`);
      seen = log.length;
      return fresh.join(" ");
    },
    pass: (ms) => pass(clock, ms),
  };
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  await settle();
  for (let passed = 0; passed < ms; passed++) {
    clock.advance(1);
    await settle();
  }
}

/** A macrotask: every promise that can settle has settled. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
