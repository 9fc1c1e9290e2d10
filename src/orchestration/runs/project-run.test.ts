import { expect, it } from "vitest";
import type { RunNodeKind, RunStatus } from "../../contract/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import { type Conclusion, projectRun } from "./project-run.ts";
import type { KnownNode } from "./run-nodes.ts";

type Known = Parameters<typeof projectRun>[0];
type Node = readonly [RunNodeKind, NodeRecord["state"], Partial<NodeRecord>?];

const nodes = (...given: readonly Node[]): Known["nodes"] =>
  given.map(([kind, state, more = {}]) => ({
    spec: { kind } as KnownNode["spec"],
    record: { state, attempt: 1, retries: 0, ...more } as NodeRecord,
  }));
const known = (given: readonly Node[], more: { graph?: Partial<Known["graph"]>; run?: Partial<Known["run"]> } = {}) =>
  projectRun({
    nodes: nodes(...given),
    graph: { status: "running", reason: undefined, ...more.graph },
    run: { status: "running", reason: undefined, commit: undefined, ...more.run },
  });
const concluded = (result: Conclusion): Node => ["conclude", "succeeded", { result }];

const planned: Node = ["plan", "succeeded"];
const open: Node = ["conclude", "pending"];
const done: readonly Node[] = [planned, ["engineer", "succeeded"], ["check", "succeeded"], ["judge", "succeeded"]];

it.each<[RunStatus, string | undefined, readonly Node[], Parameters<typeof known>[1]?]>([
  ["planning", undefined, [["plan", "queued"], open]],
  [
    "planning",
    "2 files stay behind",
    [["plan", "running"], open],
    { run: { status: "planning", reason: "2 files stay behind" } },
  ],
  ["planning", undefined, [["plan", "blocked"], open], { run: { status: "paused", reason: "the daemon ended" } }],
  [
    "awaiting_approval",
    "the plan waits for approval",
    [planned, ["approval", "blocked"], ["engineer", "pending"], open],
  ],
  ["running", undefined, [planned, ["approval", "succeeded"], ["engineer", "running"], open]],
  ["running", undefined, [planned, ["engineer", "blocked"], open], { run: { commit: "c0ffee" } }],
  ["running", undefined, [["plan", "failed"], open]],
  ["running", undefined, [...done, ["conclude", "running"]]],
  ["running", "judging again", [...done, ["conclude", "running"]], { run: { commit: "c0ffee" } }],
  [
    "paused",
    "interrupted",
    [planned, ["approval", "blocked"], open],
    { graph: { status: "paused", reason: "interrupted" } },
  ],
  ["paused", "rest", [...done, concluded({ status: "verified" })], { graph: { status: "paused", reason: "rest" } }],
  ["verified", undefined, [...done, concluded({ status: "verified" })], { graph: { status: "succeeded" } }],
  ["unverified", "no tests", [...done, concluded({ status: "unverified", reason: "no tests" })]],
  [
    "failed",
    "a node failed",
    [planned, ["engineer", "failed"], concluded({ status: "failed", reason: "a node failed" })],
  ],
  ["cancelled", "rejected", [planned, ["approval", "failed"], concluded({ status: "cancelled", reason: "rejected" })]],
  [
    "cancelled",
    "its session was closed",
    [planned, ["engineer", "running"], open],
    { graph: { status: "cancelled", reason: "its session was closed" } },
  ],
  ["failed", "no room", [...done, ["conclude", "failed", { error: { class: "permanent", message: "no room" } }]]],
  ["unverified", "its conclusion was skipped", [...done, ["conclude", "skipped"]]],
])("a run is %s (%s)", (status, reason, given, more) => {
  expect(known(given, more)).toEqual({ status, reason });
});
