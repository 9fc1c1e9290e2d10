import { expect, it } from "vitest";
import { countStates, listRuns } from "./list-runs.ts";

const cost = { calls: 2, inputTokens: 10, outputTokens: 5, unknownCalls: 0 };
const run = (id: string, more = {}) => ({
  id,
  request: id,
  status: "running",
  nodes: { total: 3, succeeded: 1 },
  cost,
  outcome: "open",
  createdAt: 1,
  ...more,
});
const graph = (id: string, more = {}) => ({
  id,
  name: id,
  status: "running",
  progress: { done: 1, total: 2 },
  createdAt: 2,
  ...more,
});

it("lists runs and graphs together, the newest first, and says unknown tokens as unknown [DASH-2]", () => {
  const rows = listRuns({
    runs: [
      run("run_1"),
      run("run_3", { createdAt: 3, status: "verified", cost: { ...cost, unknownCalls: 2 } }),
    ] as never,
    graphs: [graph("dag_2")] as never,
  });
  expect(rows.map(({ id, tokens }) => [id, tokens])).toEqual([
    ["run_3", undefined],
    ["dag_2", undefined],
    ["run_1", 15],
  ]);
  expect([...countStates(rows)]).toEqual([
    ["verified", 1],
    ["running", 2],
  ]);
});
