import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Approval, Plan, RunId } from "../../contract/index.ts";
import type { WorkspacePort } from "../sessions/index.ts";
import { discardRun } from "./change-of-run.ts";
import { cancelRun, decideApproval, interruptRun, resumeRun } from "./control-run.ts";
import { applyJournal } from "./journal.ts";
import type { RunPorts } from "./start-run.ts";
import type { RunRecord } from "./store.ts";
import { type ScratchRuns, scratchRuns } from "./testkit.ts";

const plan = { id: "pln_0000000000000000000001", summary: "A plan", nodes: [] } as unknown as Plan;

function world() {
  const runs = scratchRuns();
  const deeds: string[] = [];
  const ports: RunPorts = {
    ...runs,
    workers: {
      launch: (id) => void deeds.push(`launch ${id}`),
      stop: async (id) => void deeds.push(`stop ${id}`),
      goOn: async () => {},
      close: async () => {},
    },
    workspaces: {
      quarantine: async () => (deeds.push("quarantine"), { reference: "refs/sylk/quarantine/x" }),
    } as unknown as WorkspacePort,
    checkModel: async () => {},
    answerNode: async () => {},
  };
  const call = { caller: { kind: "user", project: undefined }, transact: runs.store.transact } as unknown as Parameters<
    typeof cancelRun
  >[1];
  return { ...runs, ports, call, deeds, [Symbol.dispose]: () => runs[Symbol.dispose]() };
}

async function addApproval(
  { store, ids }: ScratchRuns,
  run: RunId,
  changes: Partial<Approval> = {},
): Promise<Approval> {
  const approval: Approval = {
    id: ids.next("apr"),
    run,
    kind: "plan",
    question: "?",
    details: [],
    status: "waiting",
    createdAt: 1,
    ...changes,
  };
  await store.transact("approval", async (tx) => {
    await tx.approvals.insert((await tx.runs.find(run))!.project, approval);
    await tx.approvals.update(approval);
  });
  return approval;
}

describe("resume", () => {
  it.each<[string, Partial<RunRecord>, Partial<Approval>[], string]>([
    ["a plan nobody was asked about yet", { plan, approve: false } as never, [], "planning"],
    ["a plan that still waits", { plan, approve: false } as never, [{}], "planning"],
    ["a plan that was approved", { plan, approve: false } as never, [{ status: "approved" }], "running"],
    ["a plan that needs no approval", { plan, approve: true } as never, [], "running"],
    ["no plan", { approve: true } as never, [], "planning"],
    [
      "an approved command only",
      { plan, approve: false } as never,
      [{ kind: "command", status: "approved" }],
      "planning",
    ],
  ])(
    "of a run with %s carries out nothing that was not approved [RUN-2]",
    async (_, { approve, ...changes }: Partial<RunRecord> & { approve?: boolean }, approvals, status) => {
      using at = world();
      const base = await at.add({ status: "verified" });
      const run = await at.add({
        ...changes,
        status: "paused",
        options: { ...base.options, approve: approve === true },
      });
      for (const approval of approvals) await addApproval(at, run.id, approval);
      expect((await resumeRun(run.id, at.call, at.ports)).run.status).toBe(status);
      expect(at.deeds).toEqual([`launch ${run.id}`]);
    },
  );

  it("of a discarded run is refused: there is nothing left to go on with [RUN-9]", async () => {
    using at = world();
    const { id } = await at.add({ status: "paused" });
    await discardRun(id, at.call, at.ports);
    expect(at.deeds).toEqual([`stop ${id}`, "quarantine"]);
    await expect(resumeRun(id, at.call, at.ports)).rejects.toMatchObject({
      code: "run.not-possible",
      message: expect.stringContaining("was discarded"),
    });
    expect((await at.statusOf(id))[0]).toBe("paused");
  });

  it.each(["planning", "running", "awaiting_approval", "verified", "unverified", "failed", "cancelled"] as const)(
    "of a run that is %s is refused",
    async (status) => {
      using at = world();
      const { id } = await at.add({ status });
      await expect(resumeRun(id, at.call, at.ports)).rejects.toMatchObject({ code: "run.not-possible" });
      expect(at.deeds).toEqual([]);
    },
  );
});

describe("cancel", () => {
  it("ends the nodes, takes back what waits for a person, and then the worker [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    await at.addNodes(run, "One", "Two");
    const approval = await addApproval(at, run.id, { kind: "command" });
    const cancelled = (await cancelRun(run.id, at.call, at.ports)).run;
    expect([cancelled.status, cancelled.nodes.map(({ state }) => state)]).toEqual([
      "cancelled",
      ["cancelled", "cancelled"],
    ]);
    expect(await at.store.reader.approvals.find(approval.id)).toMatchObject({
      status: "rejected",
      reason: "the run was cancelled",
    });
    expect(at.deeds).toEqual([`stop ${run.id}`]);
    expect((await at.events()).map(({ type }) => type)).toEqual([
      "run.status-changed",
      "run.node-changed",
      "run.node-changed",
      "approval.decided",
    ]);
    await expect(decideApproval({ id: approval.id, decision: "approve" }, at.call, at.ports)).rejects.toMatchObject({
      code: "approval.decided",
    });
    await expect(interruptRun(run.id, at.call, at.ports)).rejects.toMatchObject({ code: "run.not-possible" });
  });
});

describe("in a session that rests", () => {
  it("no run goes on and no plan is approved, and what was asked still waits; rejecting is possible [SM-28]", async () => {
    using at = world();
    const paused = await at.add({ status: "paused" });
    const asks = await at.add({ status: "awaiting_approval" });
    const waiting = await addApproval(at, asks.id);
    for (const { session: id } of [paused, asks]) {
      const session = (await at.store.reader.sessions.find(id))!;
      await at.store.transact("rest", (tx) => tx.sessions.update({ ...session, state: "suspended" }));
    }
    const refusal = { code: "session.not-possible", details: { state: "suspended" } };
    await expect(resumeRun(paused.id, at.call, at.ports)).rejects.toMatchObject(refusal);
    const approve = decideApproval({ id: waiting.id, decision: "approve" }, at.call, at.ports);
    await expect(approve).rejects.toMatchObject(refusal);
    const statuses = await Promise.all([paused, asks].map(async ({ id }) => (await at.statusOf(id))[0]));
    expect([statuses, at.deeds]).toEqual([["paused", "awaiting_approval"], []]);
    await decideApproval({ id: waiting.id, decision: "reject" }, at.call, at.ports);
    expect((await at.statusOf(asks.id))[0]).toBe("cancelled");
  });
});

describe("a decision", () => {
  it("stands in the audit with what was asked, and so do a cancelled question and a discarded change", async () => {
    using at = world();
    const { id, project } = await at.add({ status: "awaiting_approval" });
    const rejected = await addApproval(at, id);
    await decideApproval({ id: rejected.id, decision: "reject" }, at.call, at.ports);
    const other = await at.add({ status: "running" });
    const approved = await addApproval(at, other.id, { kind: "command", question: "rm -rf dist?", details: ["rm"] });
    await decideApproval({ id: approved.id, decision: "approve" }, at.call, at.ports);
    await addApproval(at, other.id, { kind: "command" });
    await cancelRun(other.id, at.call, at.ports);
    await discardRun(other.id, at.call, at.ports);
    const acts = await at.acts();
    expect(acts.map(({ action }) => action)).toEqual([
      "approval.rejected",
      "approval.approved",
      "approval.rejected",
      "run.discarded",
    ]);
    expect(acts[0]).toMatchObject({
      actor: { kind: "user" },
      subject: rejected.id,
      project,
      details: { kind: "plan" },
    });
    const asked = hash("sha256", JSON.stringify(["rm -rf dist?", ["rm"]]), "hex");
    expect(acts[1]!.details).toEqual({ kind: "command", run: other.id, asked });
    expect(JSON.stringify(acts), "no text that a purge would have to take out").not.toContain("rm -rf");
  });

  it("that is refused leaves no act", async () => {
    using at = world();
    const { id } = await at.add({ status: "awaiting_approval" });
    const approval = await addApproval(at, id, { status: "approved", decidedAt: 1 });
    await expect(decideApproval({ id: approval.id, decision: "reject" }, at.call, at.ports)).rejects.toThrow("already");
    expect(await at.acts()).toEqual([]);
  });

  it("about evidence judges again only a change that is still there [RUN-6, RUN-9]", async () => {
    using at = world();
    for (const [outcome, status] of [
      ["open", "running"],
      ["merged", "unverified"],
      ["discarded", "unverified"],
    ] as const) {
      const { id } = await at.add({ status: "unverified", outcome });
      const approval = await addApproval(at, id, { kind: "evidence" });
      await decideApproval({ id: approval.id, decision: "approve" }, at.call, at.ports);
      expect((await at.statusOf(id))[0], outcome).toBe(status);
    }
    expect(at.deeds).toHaveLength(1);
  });

  it("is made once [RUN-2]", async () => {
    using at = world();
    const { id } = await at.add({ status: "awaiting_approval" });
    const approval = await addApproval(at, id);
    await decideApproval({ id: approval.id, decision: "reject", reason: "too much" }, at.call, at.ports);
    expect(await at.statusOf(id)).toEqual(["cancelled", "the plan was rejected: too much"]);
    await expect(decideApproval({ id: approval.id, decision: "approve" }, at.call, at.ports)).rejects.toMatchObject({
      code: "approval.decided",
    });
    expect(at.deeds).toEqual([]);
  });
});

describe("a question", () => {
  it("takes an answer and nothing else; only a question does, and the run itself goes on", async () => {
    using at = world();
    const run = await at.add();
    const question = await addApproval(at, run.id, { kind: "question", question: "Which currency?" });
    const command = await addApproval(at, run.id, { kind: "command" });
    const decide = (input: Omit<Parameters<typeof decideApproval>[0], "id">, { id }: Approval = question) =>
      decideApproval({ id, ...input }, at.call, at.ports);
    await expect(decide({ decision: "approve" })).rejects.toThrow(`sylk approve ${question.id} --answer`);
    await expect(decide({ decision: "answer" })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(decide({ decision: "reject", answer: "euro" })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(decide({ decision: "answer", answer: "yes" }, command)).rejects.toThrow("wants a yes or a no");
    await expect(decide({ decision: "approve", answer: "yes" }, command)).rejects.toThrow("wants a yes or a no");
    const { approval } = await decide({ decision: "answer", answer: "euro" });
    expect(approval).toMatchObject({ status: "answered", answer: "euro" });
    expect(await at.store.reader.approvals.find(question.id)).toEqual(approval);
    expect([await at.statusOf(run.id), at.deeds]).toEqual([["running", undefined], []]);
    await expect(decide({ decision: "answer", answer: "dollar" })).rejects.toMatchObject({ code: "approval.decided" });
  });
});

it("a node that goes on without an answer leaves no question behind; another node's question waits on", async () => {
  using at = world();
  const run = await at.add();
  const [node, other] = await at.addNodes(run, "price", "tax");
  const mine = { kind: "question", node: node!, deadlineAt: 9, defaultAnswer: "euro" } as const;
  const asked = await addApproval(at, run.id, mine);
  expect(await at.store.reader.approvals.find(asked.id)).toEqual(asked);
  const others = await addApproval(at, run.id, { kind: "question", node: other! });
  const move = { node: node!, from: "blocked", to: "queued", attempt: 1, retries: 0, at: 9 } as const;
  await at.store.transact("deadline", (tx) =>
    applyJournal(run.id, [{ kind: "transition", transition: { ...move, cause: "deadline-passed" } }], tx, at),
  );
  const statuses = await Promise.all([asked, others].map(({ id }) => at.store.reader.approvals.find(id)));
  expect(statuses.map((approval) => approval?.status)).toEqual(["expired", "waiting"]);
  expect(await at.events("approval.decided")).toHaveLength(1);
});
