import { expect, it } from "vitest";
import type { AgentId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createRecentReads } from "./recent-reads.ts";

const [heron, otter] = ["agt_heron", "agt_otter"] as AgentId[] as [AgentId, AgentId];

it("knows who has read a file lately, for as long as asked, and forgets an agent [GIT-13]", () => {
  const clock = manualClock();
  const reads = createRecentReads(clock);
  reads.remember(heron, ["a.ts", "b.ts"]);
  clock.advance(60_000);
  reads.remember(otter, ["a.ts"]);
  expect(reads.readersOf(new Set(["a.ts", "z.ts"]), 120_000)).toEqual([heron, otter]);
  expect(reads.readersOf(new Set(["a.ts"]), 30_000)).toEqual([otter]);
  expect(reads.readersOf(new Set(["b.ts"]), 30_000)).toEqual([]);
  reads.remember(heron, ["b.ts"]);
  expect(reads.readersOf(new Set(["b.ts"]), 30_000)).toEqual([heron]);
  reads.forget(heron);
  expect(reads.readersOf(new Set(["a.ts", "b.ts"]), 120_000)).toEqual([otter]);
});

it("keeps the newest of very many", () => {
  const reads = createRecentReads(manualClock());
  reads.remember(
    heron,
    Array.from({ length: 5_000 }, (_, index) => `${index}.ts`),
  );
  expect(reads.readersOf(new Set(["0.ts"]), 1_000)).toEqual([]);
  expect(reads.readersOf(new Set(["4999.ts"]), 1_000)).toEqual([heron]);
  for (let index = 0; index < 1_500; index++) reads.remember(`agt_${index}` as AgentId, ["x.ts"]);
  expect(reads.readersOf(new Set(["x.ts"]), 1_000)).toHaveLength(1_000);
});
