import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Finding, PlanNode, RunStatus } from "../../contract/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import { adoptRuns } from "./adopt-runs.ts";
import type { RunRecord } from "./store.ts";
import { checkOf, planOf, playedRuns, type PlayedRuns } from "./testkit.ts";

type OldRow = {
  readonly node: PlanNode;
  readonly round?: number;
  readonly state: NodeRecord["state"];
  readonly attempt?: number;
  readonly agent?: string;
  readonly record?: NodeRecord;
};

/** Rows as they were written before runs were graphs. */
function addOldNodes({ folder }: PlayedRuns, run: RunRecord, rows: readonly OldRow[]): void {
  const writer = new Database(join(folder, "sylk.db"));
  for (const [position, { node, round = 0, state, attempt = 0, agent, record }] of rows.entries())
    writer
      .prepare(
        `INSERT INTO run_nodes (id, run, round, position, spec, state, attempt, agent, started_at, ended_at, error, record)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        node.id,
        run.id,
        round,
        position,
        JSON.stringify(node),
        state,
        attempt,
        agent ?? null,
        agent === undefined ? null : 3,
        state === "succeeded" ? 5 : null,
        null,
        record === undefined ? null : JSON.stringify(record),
      );
  writer.close();
}

const recorded = (state: NodeRecord["state"], more: object = {}) =>
  ({ state, attempt: 1, retries: 0, ...more }) as NodeRecord;
const done = (node: PlanNode, round = 0): OldRow => ({
  node,
  round,
  state: "succeeded",
  attempt: 1,
  agent: "heron",
  record: recorded("succeeded", { result: { summary: "done" } }),
});
const asking = { approve: false } as RunRecord["options"];

const shapeOf = async (at: PlayedRuns, { id }: RunRecord) =>
  (await at.nodesOf(id)).map(({ spec: { kind, check, round }, record: { state } }) =>
    [check ?? kind, round, state].join(" "),
  );

describe("a run of before", () => {
  it("that was being planned is planned again, and carried out to its end", async () => {
    using at = playedRuns();
    const run = await at.add({ status: "planning" });
    await adoptRuns(at);
    expect(await shapeOf(at, run)).toEqual(["plan 0 pending", "conclude 0 pending"]);
    expect(await at.statusOf(run.id)).toEqual(["planning", undefined]);
    await at.host.resumeAll({ autoResume: true });
    await at.host.over(run.id);
    expect((await at.statusOf(run.id))[0]).toBe("verified");
  });

  it("that waited for approval waits on with the same question, and its old answer continues it", async () => {
    using at = playedRuns();
    const plan = planOf(at.ids, "One", "Two");
    const run = await at.add({
      status: "awaiting_approval",
      reason: "the plan waits for approval",
      plan,
      options: asking,
    });
    const asked = await at.addApproval(run, { kind: "plan", question: "Carry out this plan?", details: ["One"] });
    await adoptRuns(at);
    expect(await shapeOf(at, run)).toEqual([
      "plan 0 succeeded",
      "approval 0 blocked",
      "engineer 0 pending",
      "engineer 0 pending",
      "inspection 0 pending",
      "tests 0 pending",
      "judge 0 pending",
      "conclude 0 pending",
    ]);
    const { id: gate } = await at.nodeOf(run.id, "approval");
    expect(await at.approvalsOf(run.id)).toEqual([{ ...asked, node: gate, project: run.project }]);
    await at.host.resumeAll({ autoResume: true });
    expect([await at.statusOf(run.id), at.deeds]).toEqual([["awaiting_approval", "the plan waits for approval"], []]);
    await at.call("approval.decide", { id: asked.id, decision: "approve" });
    await at.host.over(run.id);
    expect((await at.statusOf(run.id))[0]).toBe("verified");
    expect(at.deeds.filter((deed) => deed === "plan")).toEqual([]);
  });

  it("that was under way keeps what was done, with its agent and times, and does the rest once", async () => {
    using at = playedRuns();
    const plan = planOf(at.ids, "One", "Two");
    const [one, two] = plan.nodes as [PlanNode, PlanNode];
    const run = await at.add({ status: "running", plan, options: asking });
    await at.addApproval(run, { kind: "plan", status: "approved", decidedAt: 2 });
    addOldNodes(at, run, [done(one), { node: two, state: "running", attempt: 1, record: recorded("running") }]);
    await adoptRuns(at);
    const [kept, cut] = (await at.nodesOf(run.id)).filter(({ spec }) => spec.kind === "engineer");
    expect([kept!.id, kept!.row]).toMatchObject([one.id, { agent: "heron", startedAt: 3, endedAt: 5 }]);
    expect([cut!.id, cut!.record.state]).toEqual([two.id, "running"]);
    await at.host.resumeAll({ autoResume: true });
    await at.host.over(run.id);
    expect(at.deeds.filter((deed) => ["plan", "approval", "engineer"].includes(deed))).toEqual(["engineer"]);
    expect((await at.statusOf(run.id))[0]).toBe("verified");
  });

  it("that was checked but not judged is judged, and one in its second round continues there", async () => {
    using at = playedRuns();
    const plan = planOf(at.ids, "One");
    const fix = planOf(at.ids, "Correct").nodes[0]!;
    const finding = {
      id: at.ids.next("fnd"),
      severity: "blocking",
      category: "lint",
      summary: "any",
      files: [],
      by: "inspector",
    };
    const run = await at.add({ status: "running", plan });
    await at.store.transact("checks", async (tx) => {
      const red = checkOf("inspection", 0, { outcome: "fail", summary: "1 problem" }).check;
      await tx.runs.addCheck(run.id, red, [finding as Finding]);
      await tx.runs.addCheck(run.id, checkOf("tests", 0).check, []);
    });
    addOldNodes(at, run, [done(plan.nodes[0]!), { node: fix, round: 1, state: "pending" }]);
    await adoptRuns(at);
    expect(await shapeOf(at, run)).toEqual([
      "plan 0 succeeded",
      "engineer 0 succeeded",
      "inspection 0 succeeded",
      "tests 0 succeeded",
      "judge 0 succeeded",
      "engineer 1 pending",
      "inspection 1 pending",
      "tests 1 pending",
      "judge 1 pending",
      "conclude 0 pending",
    ]);
    const [judged, next] = (await at.nodesOf(run.id)).filter(({ spec }) => spec.kind === "judge");
    expect(judged!.record.result).toMatchObject({ verdict: "rejected", fingerprint: expect.any(String) });
    expect(next!.spec.dependsOn, "the same findings twice are known").toContain(judged!.id);
    await at.host.resumeAll({ autoResume: true });
    await at.host.over(run.id);
    expect(at.deeds).toEqual(["engineer", "check", "check", "judge", "conclude", "commit"]);
  });

  it("that was paused stays so, with its reason, until it is resumed", async () => {
    using at = playedRuns();
    const run = await at.add({ status: "paused", reason: "interrupted" });
    await adoptRuns(at);
    await at.host.resumeAll({ autoResume: true });
    expect([await at.statusOf(run.id), at.deeds]).toEqual([["paused", "interrupted"], []]);
    await at.call("run.resume", { id: run.id });
    await at.host.over(run.id);
    expect((await at.statusOf(run.id))[0]).toBe("verified");
  });

  it("that is unverified can still have its evidence accepted", async () => {
    const plan = { changes: async () => [{ path: "package.json", kind: "modified" as const }] };
    using at = playedRuns({ workspaces: plan });
    const old = planOf(at.ids, "One");
    const run = await at.add({ status: "unverified", reason: "it touches its checks", plan: old, commit: "c0ffee1" });
    await at.store.transact("checks", async (tx) => {
      for (const kind of ["inspection", "tests"] as const) await tx.runs.addCheck(run.id, checkOf(kind, 0).check, []);
    });
    addOldNodes(at, run, [done(old.nodes[0]!)]);
    const asked = await at.addApproval(run, { kind: "evidence", details: ["modified package.json", "content hash"] });
    await adoptRuns(at);
    expect(await at.statusOf(run.id)).toEqual(["unverified", "it touches its checks"]);
    await at.call("approval.decide", { id: asked.id, decision: "approve" });
    await at.host.over(run.id);
    expect([await at.statusOf(run.id), at.deeds]).toEqual([
      ["verified", undefined],
      ["conclude", "commit"],
    ]);
  });

  it.each<[RunStatus, string]>([
    ["verified", "succeeded"],
    ["unverified", "succeeded"],
    ["failed", "failed"],
    ["cancelled", "cancelled"],
  ])("that is %s stays it, and nothing of it is under way", async (status, graph) => {
    using at = playedRuns();
    const plan = planOf(at.ids, "One", "Two");
    const [one, two] = plan.nodes as [PlanNode, PlanNode];
    const run = await at.add({ status, reason: "of before", plan, commit: "c0ffee1" });
    const broken = { node: two, state: "failed", attempt: 3, record: recorded("failed") } as const;
    addOldNodes(at, run, [done(one), status === "failed" ? broken : { node: two, state: "pending" }]);
    const before = await at.store.reader.runs.find(run.id);
    await adoptRuns(at);
    expect((await at.store.reader.dags.find(run.id))?.status).toBe(graph);
    expect(await at.store.reader.runs.find(run.id)).toEqual(before);
    await at.host.resumeAll({ autoResume: true });
    expect([at.deeds, at.host.live(run.id), await at.statusOf(run.id)]).toEqual([[], undefined, [status, "of before"]]);
    const states = (await at.nodesOf(run.id)).map(({ record }) => record.state);
    expect(states.filter((state) => ["pending", "queued", "running", "blocked"].includes(state))).toEqual([]);
    const { run: shown } = await at.call("run.get", { id: run.id });
    expect(shown.nodes.find(({ id }) => id === one.id)).toMatchObject({
      state: "succeeded",
      agent: "heron",
    });
  });

  it("whose plan never came says why, and one that ended before a plan has nothing left", async () => {
    using at = playedRuns();
    const failed = await at.add({ status: "failed", reason: "the model gave no plan" });
    const cancelled = await at.add({ status: "cancelled", reason: "by hand" });
    await adoptRuns(at);
    expect(await shapeOf(at, failed)).toEqual(["plan 0 failed", "conclude 0 succeeded"]);
    expect((await at.nodeOf(failed.id, "plan")).record.error?.message).toBe("the model gave no plan");
    expect(await shapeOf(at, cancelled)).toEqual(["plan 0 cancelled", "conclude 0 succeeded"]);
  });
});

it("a second start changes nothing, and runs that are graphs are left alone", async () => {
  using at = playedRuns();
  const plan = planOf(at.ids, "One");
  const run = await at.add({ status: "running", plan });
  addOldNodes(at, run, [done(plan.nodes[0]!)]);
  const graph = await at.add({ status: "planning" });
  await at.addGraph(graph);
  await adoptRuns(at);
  const look = async () => [
    await at.store.reader.dags.find(run.id),
    await at.nodesOf(run.id),
    await at.nodesOf(graph.id),
    await at.events(),
  ];
  const before = await look();
  expect(await at.store.reader.runs.withoutGraph()).toEqual([]);
  await adoptRuns(at);
  expect(await look()).toEqual(before);
});
