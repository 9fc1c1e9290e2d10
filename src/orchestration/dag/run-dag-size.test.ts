import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { manualClock, systemClock } from "../../platform/clock/index.ts";
import type { Dag } from "./dag.ts";
import { runDag, startDag } from "./run-dag.ts";
import { chain, fan } from "./testkit.ts";

/** 100,000 nodes are a second of work, which may be a long one beside other work. */
const busyMachineMs = 60_000;

async function runToEnd(dag: Dag) {
  let [recorded, batches, live, mostLive] = [0, 0, 0, 0];
  const { outcome, nodes } = await runDag({
    dag,
    journal: {
      async record(entries) {
        recorded += entries.length;
        batches++;
      },
    },
    async dispatch() {
      mostLive = Math.max(mostLive, ++live);
      await Promise.resolve();
      live--;
    },
    clock: manualClock(),
    random: () => 0,
    signal: new AbortController().signal,
  });
  return { outcome, size: nodes.size, recorded, batches, mostLive };
}

it(
  "runs a chain of 100,000 nodes, three transitions each",
  async () => {
    const { batches, ...rest } = await runToEnd(chain(100_000));
    expect(rest).toEqual({ outcome: "succeeded", size: 100_000, recorded: 300_000, mostLive: 1 });
    expect(batches).toBeLessThanOrEqual(100_001);
  },
  busyMachineMs,
);

it("runs 1,000 nodes side by side and gathers their ends into few writes", async () => {
  const { batches, ...rest } = await runToEnd(fan(1_000, { maxConcurrency: 50 }));
  expect(rest).toEqual({ outcome: "succeeded", size: 1_002, recorded: 3_006, mostLive: 50 });
  expect(batches).toBeLessThan(500);
});

/** Node's own, without a flag at its start. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** A function of its own, so that no frame holds on to the last run. */
async function runAndForget(signal: AbortSignal, left: WeakRef<object>[]): Promise<void> {
  const run = startDag({
    dag: fan(1_998, { maxConcurrency: 50 }),
    journal: { record: async () => {} },
    async dispatch({ id }) {
      const result = { id };
      if (id.endsWith("0")) left.push(new WeakRef(result));
      return result;
    },
    clock: systemClock(),
    random: () => 0,
    signal,
  });
  left.push(new WeakRef(run));
  run.subscribe(() => {});
  await run.finished;
}

it(
  "leaves nothing behind after 100,000 nodes: no result, no run, no timer, no listener",
  async () => {
    const { signal } = new AbortController();
    const left: WeakRef<object>[] = [];
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    for (let round = 0; round < 50; round++) await runAndForget(signal, left);
    await new Promise((resolve) => void setImmediate(resolve));
    collectGarbage();
    expect([left.length, left.filter((reference) => reference.deref() !== undefined).length]).toEqual([50 * 201, 0]);
    expect([timers() <= before, getEventListeners(signal, "abort").length]).toEqual([true, 0]);
  },
  busyMachineMs,
);
