import { expect, it } from "vitest";
import { barePromiseAll, emptyChain, emptyFan, runEmpty } from "../../../bench/load/empty-dags.ts";

it("runs what the bench measures: 100 nodes, three records each, beside as many bare calls [BENCH-2]", async () => {
  expect([await runEmpty(emptyFan(100)), await runEmpty(emptyChain(100)), await barePromiseAll(100)]).toEqual([
    { dispatched: 100, recorded: 300 },
    { dispatched: 100, recorded: 300 },
    100,
  ]);
});
