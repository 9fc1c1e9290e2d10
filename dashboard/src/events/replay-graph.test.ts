import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyReplay, eventsOfGraph, replay } from "./replay-graph.ts";
import { logEvent } from "./testkit.ts";

const states = ["pending", "queued", "running", "succeeded", "failed"];
const event = fc.oneof(
  fc.record({ node: fc.constantFrom("a", "b", "c"), to: fc.constantFrom(...states) }).map(({ node, to }) => ({
    type: "run.node-changed",
    data: { run: "run_1", node, title: node.toUpperCase(), to, attempt: 1 },
  })),
  fc
    .constantFrom("running", "paused", "failed")
    .map((to) => ({ type: "run.status-changed", data: { run: "run_1", to } })),
  fc.nat(100).map((inputTokens) => ({
    type: "run.spent",
    data: { run: "run_1", cost: { calls: 1, inputTokens, outputTokens: 1, unknownCalls: 0 } },
  })),
);

it("comes to the same state from any step on, and each step depends on the events before it alone [DASH-11]", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.nat(40), (drafts, cut) => {
      const events = drafts.map((draft, index) => logEvent(index + 1, draft));
      const prefix = replay(events.slice(0, cut));
      expect(replay(events.slice(cut), prefix)).toEqual(replay(events));
      for (const [id, node] of replay(events).nodes) {
        const last = events.findLast(({ data }) => data["node"] === id);
        expect(node.state).toBe(last?.data["to"]);
      }
    }),
  );
});

it("shows planned nodes before they start, and nothing of another run [DASH-11]", () => {
  const events = [
    logEvent(1, { type: "run.started", data: { run: "run_1" } }),
    logEvent(2, { type: "run.planned", data: { run: "run_1", round: 0, nodes: [{ id: "n1", title: "Price" }] } }),
    logEvent(3, { type: "run.status-changed", data: { run: "run_2", to: "failed" } }),
  ];
  const state = replay(eventsOfGraph("run_1", events));
  expect([state.status, [...state.nodes.values()]]).toEqual([
    "planning",
    [{ id: "n1", title: "Price", state: "pending", attempt: 0 }],
  ]);
});

it("replays a graph whose nodes are known from the beginning [DASH-11]", () => {
  const events = [
    logEvent(1, { type: "dag.started", data: { dag: "dag_1", name: "checks", nodes: 2 } }),
    logEvent(2, {
      type: "dag.changed",
      data: { dag: "dag_1", transitions: [{ node: "lint", to: "succeeded", attempt: 1 }], status: "succeeded" },
    }),
  ];
  const state = replay(
    events,
    emptyReplay([
      { id: "lint", title: "lint" },
      { id: "test", title: "test" },
    ]),
  );
  expect([state.status, [...state.nodes.values()].map((node) => node.state)]).toEqual([
    "succeeded",
    ["succeeded", "pending"],
  ]);
});
