import { describe, expect, it } from "vitest";
import type { Approval, Finding, NodeId } from "../../contract/index.ts";
import type { JournalEntry, NodeTransition } from "../dag/index.ts";
import { recordBatch } from "../graphs/testkit.ts";
import { followRuns } from "./follow-run.ts";
import { adding, firstGraph, nodesOfPlan, nodesOfRound, type RunNodes } from "./run-graph.ts";
import { checkOf, planOf, scratchRuns } from "./testkit.ts";

async function world() {
  const at = scratchRuns();
  const run = await at.add({ status: "planning" });
  const first = firstGraph(at.ids).nodes as RunNodes;
  const graph = await at.addGraph(run, first);
  const [start, end] = Object.keys(first) as [string, string];
  const record = (...entries: readonly JournalEntry[]) =>
    at.store.transact("batch", (tx) =>
      recordBatch(graph, { entries, outputs: new Map(), now: 7, ids: at.ids }, tx, followRuns(at)),
    );
  const move = (
    node: string,
    from: NodeTransition["from"],
    to: NodeTransition["to"],
    more: object = {},
  ): JournalEntry => ({
    kind: "transition",
    transition: { node, from, to, attempt: 1, retries: 0, at: 7, ...more },
  });
  const plan = planOf(at.ids, "One", "Two");
  const planned = (approve: boolean) => {
    const nodes = nodesOfPlan(plan, { after: start, approved: approve }, at.ids);
    const result = { plan: plan.id, outline: plan.summary };
    const entries: JournalEntry[] = [
      { kind: "adjusted", adjustment: adding(nodes), version: 2 },
      move(start, "running", "succeeded", { result }),
    ];
    return { nodes, entries };
  };
  const told = async () => (await at.events()).map(({ type }) => type);
  const found = async () => (await at.store.reader.runs.find(run.id))!;
  return {
    ...at,
    run,
    graph,
    start,
    end,
    plan,
    record,
    move,
    planned,
    told,
    found,
    [Symbol.dispose]: () => at[Symbol.dispose](),
  };
}

const idOf = (nodes: RunNodes, kind: string, check?: string) =>
  Object.keys(nodes).find((id) => nodes[id]!.kind === kind && nodes[id]!.check === check)!;

describe("a change of a run's graph", () => {
  it("that is a plan keeps it with its own dependencies only, and tells the nodes, the move and the status [RUN-1]", async () => {
    using at = await world();
    await at.record(at.move(at.start, "queued", "running"));
    await at.record(...at.planned(true).entries);
    const { plan, status } = await at.found();
    expect([plan, status]).toEqual([at.plan, "running"]);
    expect(await at.told()).toEqual(["run.node-changed", "run.planned", "run.node-changed", "run.status-changed"]);
    const [planned] = await at.events("run.planned");
    expect(planned!.data).toMatchObject({ round: 0, nodes: at.plan.nodes });
  });

  it("that blocks the approval makes the run wait for it, and tells that once", async () => {
    using at = await world();
    const { nodes, entries } = at.planned(false);
    const block = { on: "approval", question: "Carry out this plan?" };
    const approval = idOf(nodes, "approval");
    await at.record(...entries, at.move(approval, "running", "blocked", { block }));
    expect(await at.statusOf(at.run.id)).toEqual(["awaiting_approval", "the plan waits for approval"]);
    await at.record(at.move(at.end, "pending", "queued"));
    const changes = await at.events("run.status-changed");
    expect(changes.map(({ data }) => [data.from, data.to])).toEqual([["planning", "awaiting_approval"]]);
  });

  it("that is a check keeps it with its findings; a round of corrections is told with its number", async () => {
    using at = await world();
    const { nodes, entries } = at.planned(true);
    const finding = {
      id: at.ids.next("fnd"),
      severity: "blocking",
      category: "lint",
      summary: "any",
      files: [],
      by: "inspector",
    };
    const findings = [finding as Finding];
    const inspection = idOf(nodes, "check", "inspection");
    const result = { ...checkOf("inspection", 0, { outcome: "fail", summary: "1 problem" }), findings };
    await at.record(...entries, at.move(inspection, "running", "succeeded", { result }));
    expect(await at.store.reader.runs.checksOf(at.run.id)).toEqual([result.check]);
    expect(await at.store.reader.runs.findingsOf(at.run.id)).toEqual(findings);
    expect(await at.events("run.checked")).toMatchObject([{ data: { check: { outcome: "fail" }, findings } }]);
    const judge = idOf(nodes, "judge");
    const [fix] = planOf(at.ids, "Correct").nodes;
    const next = nodesOfRound({ round: 1, nodes: [fix!], after: judge, lastJudge: judge }, at.ids);
    await at.record({ kind: "adjusted", adjustment: adding(next), version: 3 });
    expect((await at.events("run.planned")).map(({ data }) => data.round)).toEqual([0, 1]);
    expect((await at.found()).plan, "the plan stays what it was").toEqual(at.plan);
  });

  it("that is its conclusion keeps commit and status, and asks for evidence", async () => {
    using at = await world();
    const evidence = { question: "Accept the evidence?", details: ["modified package.json", "content x"] };
    const result = { status: "unverified", reason: "it touches its checks", commit: "c0ffee1", evidence };
    await at.record(at.move(at.start, "running", "succeeded", { result: { plan: at.plan.id, outline: "A plan" } }));
    await at.record(at.move(at.end, "running", "succeeded", { result }));
    expect(await at.found()).toMatchObject({
      commit: "c0ffee1",
      status: "unverified",
      reason: "it touches its checks",
    });
    expect(await at.approvalsOf(at.run.id), "it waits: the run is not over for it").toMatchObject([
      { kind: "evidence", status: "waiting", ...evidence },
    ]);
  });

  it("that fails is told with error and cause", async () => {
    using at = await world();
    const error = { class: "permanent", message: "no plan" };
    await at.record(at.move(at.start, "running", "failed", { error }));
    await at.record(at.move(at.end, "running", "queued", { cause: "interrupted" }));
    const told = (await at.events("run.node-changed")).map(({ data }) => [data.to, data.error, data.cause]);
    expect(told).toEqual([
      ["failed", "no plan", undefined],
      ["queued", undefined, "interrupted"],
    ]);
  });

  it("writes nothing when it cannot be written whole", async () => {
    using at = await world();
    const broken = at.move(at.end, "running", "succeeded", { result: undefined });
    await expect(at.record(...at.planned(true).entries, broken)).rejects.toThrow(TypeError);
    expect([(await at.found()).plan, await at.events(), (await at.nodesOf(at.run.id)).length]).toEqual([
      undefined,
      [],
      2,
    ]);
  });
});

describe("what waits for a person", () => {
  const ask = (at: Awaited<ReturnType<typeof world>>, changes: Partial<Approval>) =>
    at.addApproval(at.run, { kind: "question", ...changes });

  it("expires when its node continues without an answer; another node's question waits on", async () => {
    using at = await world();
    const { entries } = at.planned(true);
    await at.record(...entries);
    const [one, two] = at.plan.nodes.map(({ id }) => id) as [NodeId, NodeId];
    const asked = await ask(at, { node: one, deadlineAt: 9, defaultAnswer: "euro" });
    const others = await ask(at, { node: two });
    await at.record(at.move(one, "blocked", "queued", { cause: "deadline-passed" }));
    const statuses = await Promise.all([asked, others].map(({ id }) => at.store.reader.approvals.find(id)));
    expect(statuses.map((approval) => approval?.status)).toEqual(["expired", "waiting"]);
    expect(await at.events("approval.decided")).toHaveLength(1);
  });

  it("keeps an answer that came in time", async () => {
    using at = await world();
    await at.record(...at.planned(true).entries);
    const [one] = at.plan.nodes.map(({ id }) => id) as [NodeId];
    const asked = await ask(at, { node: one, status: "answered" });
    await at.record(at.move(one, "blocked", "queued", { cause: "answered" }));
    expect((await at.store.reader.approvals.find(asked.id))?.status).toBe("answered");
  });

  it.each(["cancelled", "failed"] as const)("is taken back when the run is %s", async (status) => {
    using at = await world();
    const asked = await ask(at, { kind: "command" });
    await at.record(at.move(at.end, "running", "succeeded", { result: { status, reason: "why" } }));
    expect(await at.store.reader.approvals.find(asked.id)).toMatchObject({ status: "rejected" });
    expect((await at.told()).slice(-2)).toEqual(["run.status-changed", "approval.decided"]);
  });
});

it("a paused graph is a paused run with the graph's reason, and running again what it was", async () => {
  using at = await world();
  const { nodes, entries } = at.planned(false);
  await at.record(
    ...entries,
    at.move(idOf(nodes, "approval"), "running", "blocked", { block: { on: "approval", question: "?" } }),
  );
  const change = (status: "paused" | "running", reason: string | undefined) =>
    at.store.transact("status", async (tx) => {
      await tx.dags.setStatus(at.run.id, status, reason, 8);
      await followRuns(at).statusChanged(at.graph, status, reason, tx, 8);
    });
  await change("paused", "its session rests");
  expect(await at.statusOf(at.run.id)).toEqual(["paused", "its session rests"]);
  await change("running", undefined);
  expect(await at.statusOf(at.run.id)).toEqual(["awaiting_approval", "the plan waits for approval"]);
});
