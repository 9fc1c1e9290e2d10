import { describe, expect, it } from "vitest";
import type { Check, RunStatus } from "../../contract/index.ts";
import { phaseOf, runsOfSessions } from "./runs-of-sessions.ts";
import type { NodeRow } from "./store.ts";
import { scratchRuns } from "./testkit.ts";

const node = (round: number, state: NodeRow["state"]) => ({ round, state });
const check = (round: number, kind: Check["kind"]) => ({ round, kind });

describe("the phase of a run", () => {
  it.each<[string, RunStatus, ReturnType<typeof node>[], ReturnType<typeof check>[]]>([
    ["planning", "planning", [], []],
    ["planning", "awaiting_approval", [node(0, "pending")], []],
    ["planning", "paused", [], []],
    ["execution", "running", [node(0, "succeeded"), node(0, "running")], []],
    ["execution", "paused", [node(0, "succeeded"), node(0, "pending")], []],
    ["execution", "blocked", [node(0, "blocked")], []],
    ["inspection", "running", [node(0, "succeeded")], []],
    ["testing", "running", [node(0, "succeeded")], [check(0, "inspection")]],
    ["testing", "paused", [node(0, "succeeded")], [check(0, "inspection")]],
    ["execution", "running", [node(0, "succeeded"), node(1, "queued")], [check(0, "inspection"), check(0, "tests")]],
    ["inspection", "running", [node(0, "succeeded"), node(1, "succeeded")], [check(0, "inspection")]],
    ["complete", "verified", [node(0, "succeeded")], [check(0, "inspection"), check(0, "tests")]],
    ["complete", "unverified", [node(0, "succeeded")], []],
    ["complete", "failed", [node(0, "failed")], []],
    ["complete", "cancelled", [], []],
  ])("is %s when it is %s [SM-14]", (phase, status, nodes, checks) => {
    expect(phaseOf({ status }, nodes, checks)).toBe(phase);
  });
});

it("says of a session's runs the newest unfinished one, else the newest, and of no other session's [SM-14, SM-23]", async () => {
  using at = scratchRuns();
  const { current } = runsOfSessions({ clock: at.clock, workers: undefined as never });
  const { reader } = at.store;
  const first = await at.add({ status: "verified", request: "Add a cart" });
  const { session, project } = first;
  await at.addNodes(first, "one", "two");
  const inSession = { session, project } as const;
  expect(await current!(session, reader)).toMatchObject({
    dag: first.id,
    objective: "Add a cart",
    status: "verified",
    phase: "complete",
    progress: { done: 0, total: 2 },
    unfinished: 0,
  });
  at.clock.advance(1);
  const waits = await at.add({ ...inSession, status: "awaiting_approval", reason: "the plan waits for approval" });
  at.clock.advance(1);
  const runs = await at.add({ ...inSession, status: "running" });
  at.clock.advance(1);
  await at.add({ ...inSession, status: "failed" });
  await at.add({ status: "running" });
  expect(await current!(session, reader)).toMatchObject({ dag: runs.id, status: "running", unfinished: 2 });
  await at.store.transact("end", (tx) => tx.runs.update({ ...runs, status: "cancelled" }));
  expect(await current!(session, reader)).toMatchObject({
    dag: waits.id,
    phase: "planning",
    reason: "the plan waits for approval",
    unfinished: 1,
  });
  expect(await current!(at.ids.next("ses"), reader)).toBeUndefined();
});
