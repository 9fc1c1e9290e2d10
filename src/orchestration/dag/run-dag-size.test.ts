import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import type { Dag } from "./dag.ts";
import { runDag } from "./run-dag.ts";
import { chain, fan } from "./testkit.ts";

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

it("runs a chain of 100,000 nodes, three transitions each", async () => {
  const { batches, ...rest } = await runToEnd(chain(100_000));
  expect(rest).toEqual({ outcome: "succeeded", size: 100_000, recorded: 300_000, mostLive: 1 });
  expect(batches).toBeLessThanOrEqual(100_001);
});

it("runs 1,000 nodes side by side and gathers their ends into few writes", async () => {
  const { batches, ...rest } = await runToEnd(fan(1_000, { maxConcurrency: 50 }));
  expect(rest).toEqual({ outcome: "succeeded", size: 1_002, recorded: 3_006, mostLive: 50 });
  expect(batches).toBeLessThan(500);
});
