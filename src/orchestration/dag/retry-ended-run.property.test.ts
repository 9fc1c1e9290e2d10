/** A retry continues a run that had ended. Also when the run is inside a node of another run, and dropped after every entry. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import type { Dispatch } from "./attempts.ts";
import type { Dag, DagOutcome } from "./dag.ts";
import type { JournalEntry, RunDagOptions } from "./dag-run.ts";
import { NodeFailure } from "./node-outcomes.ts";
import { startDag } from "./run-dag.ts";
import { acyclicNodes, chosenFinals, fan, foldEntries, policy, settle, transitionsOf, withFinals } from "./testkit.ts";

type Store = { readonly entries: { readonly dag: string; readonly entry: JournalEntry }[]; left: number };

const entriesOf = ({ entries }: Store, id: string) => entries.flatMap(({ dag, entry }) => (dag === id ? [entry] : []));

/** Nothing answers any more once the store took its last entry: that is how a process looks that was killed. */
function storedRun(store: Store, id: string, dag: Dag, dispatch: Dispatch, more: Partial<RunDagOptions> = {}) {
  return startDag({
    ...foldEntries(dag, entriesOf(store, id)),
    journal: {
      async record(batch) {
        for (const entry of batch) if (store.left-- > 0) store.entries.push({ dag: id, entry });
        if (store.left <= 0) await new Promise<never>(() => {});
      },
    },
    dispatch,
    clock: manualClock(),
    random: () => 0,
    signal: new AbortController().signal,
    ...more,
  });
}

const copyOf = ({ entries }: Store, left = Number.POSITIVE_INFINITY): Store => ({ entries: [...entries], left });

async function endOf({ finished }: { readonly finished: Promise<DagOutcome> }): Promise<DagOutcome | undefined> {
  let end: DagOutcome | undefined;
  finished.then(
    (outcome) => (end = outcome),
    () => {},
  );
  for (let turn = 0; turn < 50 && !end; turn++) await settle();
  return end;
}

const statesOf = (end: DagOutcome | undefined) => end && [...end.nodes].map(([id, { state }]) => `${id} ${state}`);

it("takes an ended run up again after a crash at any entry of that, its final nodes after the rest, a final node alone", async () => {
  let crashes = 0;
  const graphs = fc.tuple(acyclicNodes(6), chosenFinals(6)).map(([nodes, chosen]) => withFinals(nodes, chosen));
  const ending = fc.constantFrom("failure" as const, "cancellation" as const);
  await fc.assert(
    fc.asyncProperty(graphs, fc.boolean(), ending, fc.nat(5), async (nodes, failFast, ending, at) => {
      const dag = { nodes, policy: { ...policy, failFast, maxConcurrency: 2 } };
      const culprit = nodes[at % nodes.length]!.id;
      const ended: Store = { entries: [], left: Number.POSITIVE_INFINITY };
      const first = storedRun(ended, "dag", dag, async ({ id }) => {
        if (id !== culprit) return id;
        if (ending === "cancellation") first.cancel("stop");
        throw new NodeFailure({ class: "permanent", message: "no" });
      });
      await first.finished;
      const again: Dispatch = async ({ id }) => id;
      const whole = copyOf(ended);
      const expected = await endOf(storedRun(whole, "dag", dag, again, { retry: [culprit] }));
      expect(expected?.outcome).toBe("succeeded");
      const isAlone = nodes.some(({ id, final }) => id === culprit && final);
      for (const { id } of nodes.filter(({ final }) => final))
        expect(expected?.nodes.get(id)?.attempt).toBe(isAlone && id !== culprit ? 1 : 2);
      for (let left = 1; left < whole.entries.length - ended.entries.length; left++) {
        const cut = copyOf(ended, left);
        await endOf(storedRun(cut, "dag", dag, again, { retry: [culprit] }));
        const rest = copyOf(cut);
        const done = entriesOf(cut, "dag").length - ended.entries.length;
        expect(done).toBe(left);
        const last = transitionsOf(entriesOf(cut, "dag")).findLast(({ node }) => node === culprit);
        const more = last?.to === "succeeded" ? {} : { retry: [culprit] };
        expect(statesOf(await endOf(storedRun(rest, "dag", dag, again, more)))).toEqual(statesOf(expected));
        crashes++;
      }
    }),
    { numRuns: 60 },
  );
  expect(crashes).toBeGreaterThan(100);
});

it("continues inside a node that is a run of its own, wherever both are dropped", async () => {
  const outer = fan(2, { maxConcurrency: 2 });
  const inner = fan(2, { maxConcurrency: 2 });
  const live = async (store: Store) => {
    const doubled: string[] = [];
    const dispatchInner =
      (run: string): Dispatch =>
      async ({ id }) => {
        const known = transitionsOf(entriesOf(store, run));
        if (known.some(({ node, to }) => node === id && to === "succeeded")) doubled.push(`${run}/${id}`);
        return `${run}/${id}`;
      };
    const dispatchOuter: Dispatch = async ({ id }) => {
      const { outcome } = await storedRun(store, id, inner, dispatchInner(id)).finished;
      return outcome;
    };
    const end = await endOf(storedRun(store, "outer", outer, dispatchOuter));
    return { end, doubled };
  };
  const whole: Store = { entries: [], left: Number.POSITIVE_INFINITY };
  const expected = await live(whole);
  expect([expected.end?.outcome, whole.entries.length]).toEqual(["succeeded", 5 * 12]);
  for (let left = 1; left < whole.entries.length; left++) {
    const store: Store = { entries: [], left };
    const first = await live(store);
    const second = await live(Object.assign(store, { left: Number.POSITIVE_INFINITY }));
    expect([first.doubled, second.doubled]).toEqual([[], []]);
    expect(statesOf(second.end)).toEqual(statesOf(expected.end));
  }
});
