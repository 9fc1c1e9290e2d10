import fc from "fast-check";
import { expect, it } from "vitest";
import { layOutTimeline } from "./lay-out-timeline.ts";
import type { Graph } from "./read-graph.ts";
import { graphs, nodeOf } from "./testkit.ts";

const graph = (nodes: Graph["nodes"], more: Partial<Graph> = {}): Graph => ({
  id: "dag_1",
  kind: "dag",
  name: "graph",
  status: "running",
  version: 1,
  since: 0,
  nodes,
  createdAt: 0,
  updatedAt: 100,
  hasEnded: false,
  ...more,
});

it("shows when each node waited for its turn and when it ran [DASH-3]", () => {
  const build = nodeOf("build", [], { state: "succeeded", attempt: 1, startedAt: 10, endedAt: 50 });
  const test = nodeOf("test", ["build"], { state: "running", attempt: 2, startedAt: 60 });
  const docs = nodeOf("docs", ["build"], { state: "queued" });
  const ship = nodeOf("ship", ["test", "docs"]);
  const { rows, startAt, endAt } = layOutTimeline(graph([ship, docs, test, build]), 100);
  expect([startAt, endAt]).toEqual([0, 100]);
  expect(rows.map(({ node, waiting, running }) => [node.id, waiting, running])).toEqual([
    ["build", { from: 0, to: 0.1 }, { from: 0.1, to: 0.5 }],
    ["docs", { from: 0.5, to: 1 }, undefined],
    ["test", { from: 0.5, to: 0.6 }, { from: 0.6, to: 1 }],
    ["ship", undefined, undefined],
  ]);
});

it("ends with the last node once the graph has ended, and stays still", () => {
  const done = nodeOf("build", [], { state: "succeeded", attempt: 1, startedAt: 10, endedAt: 50 });
  expect(layOutTimeline(graph([done], { hasEnded: true }), 9_999_999).endAt).toBe(50);
});

it("keeps every bar inside the time shown, and the ticks few and in order", () => {
  const time = fc.option(fc.nat(1e9), { nil: undefined });
  fc.assert(
    fc.property(graphs, fc.array(fc.tuple(time, time)), fc.nat(1e9), (nodes, times, now) => {
      const timed = nodes.map((node, place) => {
        const [startedAt, endedAt] = times[place] ?? [];
        return {
          ...node,
          startedAt,
          endedAt,
          state: startedAt === undefined ? ("pending" as const) : ("running" as const),
        };
      });
      const { rows, ticks } = layOutTimeline(graph(timed), now);
      for (const span of rows.flatMap(({ waiting, running }) => [waiting, running]))
        if (span !== undefined) expect(0 <= span.from && span.from <= span.to && span.to <= 1).toBe(true);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.map(({ at }) => at)).toEqual(ticks.map(({ at }) => at).toSorted((a, b) => a - b));
    }),
  );
});
