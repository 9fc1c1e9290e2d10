import { describe, expect, it } from "vitest";
import type { RunNodeKind, RunStatus } from "../../contract/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import { graphsOfSessions } from "../graphs/index.ts";
import { describeRun, phaseOf } from "./describe-run.ts";
import { nodesOfPlan } from "./run-graph.ts";
import type { KnownNode } from "./run-nodes.ts";
import { planOf, playedRuns } from "./testkit.ts";

type Phased = Parameters<typeof phaseOf>[1][number];
const node = (kind: RunNodeKind, state: NodeRecord["state"], round = 0, check?: "inspection" | "tests"): Phased => ({
  spec: { kind, round, ...(check && { check }) } as KnownNode["spec"],
  record: { state, attempt: 1, retries: 0 },
});
const planned = [node("plan", "succeeded"), node("conclude", "pending")];
const checks = (inspection: NodeRecord["state"], tests: NodeRecord["state"], round = 0) => [
  node("check", inspection, round, "inspection"),
  node("check", tests, round, "tests"),
];
const fixing = [...planned, node("engineer", "succeeded"), ...checks("succeeded", "succeeded")];

describe("the phase of a run", () => {
  it.each<[string, RunStatus, readonly Phased[]]>([
    ["planning", "planning", [node("plan", "running"), node("conclude", "pending")]],
    ["planning", "awaiting_approval", [...planned, node("approval", "blocked"), node("engineer", "pending")]],
    ["planning", "paused", [node("plan", "queued")]],
    ["execution", "running", [...planned, node("engineer", "succeeded"), node("engineer", "running")]],
    ["execution", "paused", [...planned, node("engineer", "succeeded"), node("engineer", "pending")]],
    ["execution", "blocked", [...planned, node("engineer", "blocked")]],
    ["inspection", "running", [...planned, node("engineer", "succeeded"), ...checks("running", "pending")]],
    ["inspection", "running", [...planned, node("engineer", "skipped"), ...checks("pending", "pending")]],
    ["testing", "running", [...planned, node("engineer", "succeeded"), ...checks("succeeded", "running")]],
    ["testing", "paused", [...planned, node("engineer", "succeeded"), ...checks("succeeded", "pending")]],
    ["execution", "running", [...fixing, node("engineer", "queued", 1), ...checks("pending", "pending", 1)]],
    ["inspection", "running", [...fixing, node("engineer", "succeeded", 1), ...checks("pending", "pending", 1)]],
    ["complete", "verified", fixing],
    ["complete", "unverified", planned],
    ["complete", "failed", [...planned, node("engineer", "failed")]],
    ["complete", "cancelled", []],
  ])("is %s when it is %s [SM-14]", (phase, status, nodes) => {
    expect(phaseOf(status, nodes)).toBe(phase);
  });
});

it("says of a session's runs the newest unfinished one, else the newest, and of no other session's [SM-14, SM-23]", async () => {
  using at = playedRuns();
  const { current } = graphsOfSessions({ host: at.host, describeRun });
  const { reader } = at.store;
  const first = await at.add({ status: "verified", request: "Add a cart" });
  const { session, project } = first;
  const work = nodesOfPlan(planOf(at.ids, "one", "two"), { after: "nod_plan", approved: true }, at.ids);
  await at.addGraph(first, work, { status: "succeeded" });
  const inSession = { session, project } as const;
  expect(await current!(session, reader)).toMatchObject({
    dag: first.id,
    objective: "Add a cart",
    status: "verified",
    phase: "complete",
    progress: { done: 0, total: 2 },
    unfinished: 0,
  });
  const add = async (changes: Parameters<typeof at.add>[0], status: "running" | "failed" = "running") => {
    at.clock.advance(1);
    const run = await at.add(changes);
    await at.addGraph(run, undefined, { status });
    return run;
  };
  const waits = await add({ ...inSession, status: "awaiting_approval", reason: "the plan waits for approval" });
  const runs = await add({ ...inSession, status: "running" });
  await add({ ...inSession, status: "failed" }, "failed");
  await add({ status: "running" });
  expect(await current!(session, reader)).toMatchObject({ dag: runs.id, status: "running", unfinished: 2 });
  await at.store.transact("end", async (tx) => {
    await tx.runs.update({ ...runs, status: "cancelled" });
    await tx.dags.setStatus(runs.id, "cancelled", undefined, 1);
  });
  expect(await current!(session, reader)).toMatchObject({
    dag: waits.id,
    phase: "planning",
    reason: "the plan waits for approval",
    unfinished: 1,
  });
  expect(await current!(at.ids.next("ses"), reader)).toBeUndefined();
});
