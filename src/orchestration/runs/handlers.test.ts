import { describe, expect, it } from "vitest";
import type { RunStatus } from "../../contract/index.ts";
import { Blocked, NodeFailure } from "../dag/index.ts";
import type { RunRecord } from "./store.ts";
import { agentOf, checkOf, playedRuns, type PlayedRuns, until } from "./testkit.ts";

const asking = { options: { approve: false } as RunRecord["options"] };

/** Engineers that work until the test lets them, or their signal ends them. */
function heldWork() {
  const begun: string[] = [];
  const held: (() => void)[] = [];
  const engineer = async ({ spec, context }: { spec: { title: string }; context: { signal: AbortSignal } }) => {
    begun.push(spec.title);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.push(resolve);
    context.signal.addEventListener("abort", () => reject(new Error("stopped")));
    await promise;
    return { summary: "done" };
  };
  return { begun, engineer, release: () => held.forEach((end) => end()) };
}

const waitingOf = async (at: PlayedRuns, id: RunRecord["id"]) =>
  (await at.approvalsOf(id)).filter(({ status }) => status === "waiting");

describe("a run", () => {
  it("is planned, asked about, carried out, checked, judged and concluded, each once", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    expect(at.deeds).toEqual(["plan", "approval"]);
    const [asked] = await waitingOf(at, id);
    expect(asked).toMatchObject({ kind: "plan", question: "Carry out this plan? A plan", details: ["One", "Two"] });
    await at.call("approval.decide", { id: asked!.id, decision: "approve" });
    await at.host.over(id);
    expect(at.deeds.slice(2)).toEqual([
      "approval",
      "engineer",
      "engineer",
      "check",
      "check",
      "judge",
      "conclude",
      "commit",
    ]);
    const { run } = await at.call("run.get", { id });
    expect(run).toMatchObject({ status: "verified", commit: "c0ffee1", version: 2 });
    expect(run.plan?.nodes.map(({ title }) => title)).toEqual(["One", "Two"]);
    expect(run.checks.map(({ kind }) => kind)).toEqual(["inspection", "tests"]);
    expect(at.archived).toHaveLength(1);
  });

  it("keeps its success and the nodes that follow from it as one change: a plan is never without its nodes", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    const planned = await at.events("run.planned");
    expect(planned).toMatchObject([{ data: { run: id, round: 0, nodes: [{ title: "One" }, { title: "Two" }] } }]);
  });
});

describe("resume", () => {
  it("of a run whose plan waits carries out nothing that was not approved, and asks no second time [RUN-2]", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    expect((await at.call("run.interrupt", { id })).run.status).toBe("paused");
    expect((await at.call("run.resume", { id })).run.status).toBe("awaiting_approval");
    expect(at.deeds).toEqual(["plan", "approval"]);
    expect(await at.approvalsOf(id)).toHaveLength(1);
  });

  it("of a run that was interrupted at work continues with what was not done", async () => {
    const { begun, engineer, release } = heldWork();
    using at = playedRuns({ engineer });
    const { id } = await at.begin();
    await until(() => begun.length === 2);
    const { run } = await at.call("run.interrupt", { id });
    expect([run.status, run.reason]).toEqual(["paused", 'interrupted; continue with "sylk resume"']);
    const work = run.nodes.filter(({ kind }) => kind === "engineer");
    expect(
      work.map(({ state }) => state),
      "nothing is shown as running",
    ).toEqual(["queued", "queued"]);
    expect((await at.call("run.resume", { id })).run.status).toBe("running");
    await until(() => begun.length === 4);
    release();
    await at.host.over(id);
    expect((await at.statusOf(id))[0]).toBe("verified");
  });

  it("of a discarded run is refused: its tree is gone [RUN-9]", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    await at.call("run.interrupt", { id });
    await at.call("run.discard", { id });
    expect(at.deeds.at(-1)).toBe("quarantine");
    for (const refused of [at.call("run.resume", { id }), at.call("run.retry", { id, node: "plan" })])
      await expect(refused).rejects.toMatchObject({
        code: "run.not-possible",
        message: expect.stringContaining("was discarded"),
      });
    expect((await at.statusOf(id))[0]).toBe("paused");
  });

  it.each<RunStatus>(["planning", "running", "awaiting_approval", "verified", "unverified", "failed", "cancelled"])(
    "of a run that is %s is refused",
    async (status) => {
      using at = playedRuns();
      const run = await at.add({ status });
      await at.addGraph(run);
      await expect(at.call("run.resume", { id: run.id })).rejects.toMatchObject({ code: "run.not-possible" });
      expect([at.deeds, at.host.live(run.id)]).toEqual([[], undefined]);
    },
  );
});

describe("pause", () => {
  it("lets work at hand finish and starts nothing after it; with --abort it stops it", async () => {
    const { begun, engineer, release } = heldWork();
    using at = playedRuns({ engineer });
    const { id } = await at.begin();
    await until(() => begun.length === 2);
    const { run } = await at.call("run.pause", { id });
    expect([run.status, run.reason]).toEqual(["paused", `continue with "sylk resume ${id}"`]);
    release();
    await at.host.settled(id);
    expect(
      (await at.nodesOf(id)).filter(({ spec }) => spec.kind === "engineer").map(({ record }) => record.state),
    ).toEqual(["succeeded", "succeeded"]);
    expect(at.deeds).not.toContain("check");
    await expect(at.call("run.pause", { id })).rejects.toMatchObject({ code: "run.not-possible" });
  });
});

describe("cancel", () => {
  it("ends the nodes, keeps what was written, takes back what waits for a person, and archives the run", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    const { run } = await at.call("run.cancel", { id });
    expect([run.status, run.reason]).toEqual(["cancelled", "cancelled; its changes stay on its branch"]);
    const states = Object.fromEntries(run.nodes.map(({ kind, state }) => [kind, state]));
    expect(states).toEqual({
      plan: "succeeded",
      approval: "cancelled",
      engineer: "cancelled",
      check: "cancelled",
      judge: "cancelled",
      conclude: "succeeded",
    });
    expect(at.deeds).toEqual(["plan", "approval", "conclude", "commit"]);
    const [approval] = await at.approvalsOf(id);
    expect(approval).toMatchObject({ status: "rejected" });
    await expect(at.call("approval.decide", { id: approval!.id, decision: "approve" })).rejects.toMatchObject({
      code: "approval.decided",
    });
    await expect(at.call("run.interrupt", { id })).rejects.toMatchObject({ code: "run.not-possible" });
    await expect(at.call("run.cancel", { id })).rejects.toThrow(`Run ${id} is already cancelled.`);
  });

  it("takes back a question and a command that wait, and stops the work that asked", async () => {
    const { begun, engineer } = heldWork();
    using at = playedRuns({ engineer });
    const run = await at.begin();
    await until(() => begun.length === 2);
    await at.addApproval(run);
    await at.call("run.cancel", { id: run.id });
    expect(await at.approvalsOf(run.id)).toMatchObject([{ status: "rejected", reason: "the run was cancelled" }]);
  });
});

describe("in a session that rests", () => {
  it("no run continues and no plan is approved, and what was asked still waits; rejecting is possible [SM-28]", async () => {
    using at = playedRuns();
    const [paused, asks] = [await at.begin(asking), await at.begin(asking)];
    for (const { id } of [paused, asks]) await at.reaches(id, "awaiting_approval");
    await at.call("run.interrupt", { id: paused.id });
    for (const { session: id } of [paused, asks]) {
      const session = (await at.store.reader.sessions.find(id))!;
      await at.store.transact("rest", (tx) => tx.sessions.update({ ...session, state: "suspended" }));
    }
    const refusal = { code: "session.not-possible", details: { state: "suspended" } };
    await expect(at.call("run.resume", { id: paused.id })).rejects.toMatchObject(refusal);
    const [waiting] = await waitingOf(at, asks.id);
    await expect(at.call("approval.decide", { id: waiting!.id, decision: "approve" })).rejects.toMatchObject(refusal);
    const statuses = await Promise.all([paused, asks].map(async ({ id }) => (await at.statusOf(id))[0]));
    expect(statuses).toEqual(["paused", "awaiting_approval"]);
    await at.call("approval.decide", { id: waiting!.id, decision: "reject" });
    expect((await at.statusOf(asks.id))[0]).toBe("cancelled");
    expect(at.deeds).not.toContain("engineer");
  });
});

describe("retry", () => {
  it("takes up a failed node of a run that has ended, with everything after it", async () => {
    let isBroken = true;
    using at = playedRuns({
      async engineer({ spec }) {
        if (isBroken && spec.title === "Two") throw new NodeFailure({ class: "permanent", message: "planted" });
        return { summary: "done" };
      },
    });
    const { id } = await at.begin();
    await at.host.over(id);
    expect(await at.statusOf(id)).toEqual(["failed", "a node failed: Two: planted"]);
    isBroken = false;
    at.deeds.length = 0;
    const { run } = await at.call("run.retry", { id, node: "two" });
    expect(run.status).toBe("running");
    await at.host.over(id);
    expect(await at.statusOf(id)).toEqual(["verified", undefined]);
    expect(at.deeds).toEqual(["engineer", "check", "check", "judge", "conclude", "commit"]);
  });
});

describe("skip", () => {
  it.each(["approval", "tests", "judge", "conclude"])("of the %s is refused to an agent", async (node) => {
    using at = playedRuns();
    const run = await at.begin(asking);
    await at.reaches(run.id, "awaiting_approval");
    await expect(at.callAs(agentOf(run))("run.skip", { id: run.id, node })).rejects.toMatchObject({
      code: "caller.denied",
      message: expect.stringContaining('Ask the user to run "sylk run skip"'),
    });
    expect(await at.statusOf(run.id)).toEqual(["awaiting_approval", "the plan waits for approval"]);
  });

  it("of a check by the user leaves the change unverified, whatever else is green", async () => {
    const { begun, engineer, release } = heldWork();
    using at = playedRuns({ engineer });
    const { id } = await at.begin();
    await until(() => begun.length === 2);
    await at.call("run.skip", { id, node: "tests", treatAsDone: true });
    release();
    await at.host.over(id);
    expect(await at.statusOf(id)).toEqual(["unverified", "skipped: Run the tests"]);
  });

  it("of an Engineer's work is open to an agent", async () => {
    using at = playedRuns();
    const run = await at.begin(asking);
    await at.reaches(run.id, "awaiting_approval");
    await at.callAs(agentOf(run))("run.skip", { id: run.id, node: "One", treatAsDone: true });
    const [asked] = await waitingOf(at, run.id);
    await at.call("approval.decide", { id: asked!.id, decision: "approve" });
    await at.host.over(run.id);
    expect((await at.statusOf(run.id))[0]).toBe("verified");
    expect(at.deeds.filter((deed) => deed === "engineer")).toHaveLength(1);
  });
});

describe("answer", () => {
  it("decides a plan like an approval does, with an act in the audit", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    const { run } = await at.call("run.answer", { id, node: "approval", decision: "reject", reason: "too much" });
    expect([run.status, run.reason]).toEqual(["cancelled", "the plan was rejected: too much"]);
    expect(await at.approvalsOf(id)).toMatchObject([{ status: "rejected", reason: "too much" }]);
    expect((await at.acts()).map(({ action }) => action)).toEqual(["approval.rejected"]);
  });

  it("is not how a question is answered: it says how", async () => {
    using at = playedRuns({
      engineer: () => Promise.reject(new Blocked({ on: "clarification", question: "Which currency?" })),
    });
    const { id } = await at.begin();
    await until(async () => (await at.nodeOf(id, "engineer"))?.record.state === "blocked");
    await expect(at.call("run.answer", { id, node: "Two", decision: "approve" })).rejects.toMatchObject({
      code: "run.not-possible",
      message: expect.stringContaining("--answer"),
    });
  });
});

describe("adjust", () => {
  it("changes a plan that waits: the user is asked again about what it is now, as a new version", async () => {
    using at = playedRuns();
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    const [before] = await waitingOf(at, id);
    const { run } = await at.call("run.adjust", { id, nodes: { three: { title: "Three", prompt: "Do it" } } });
    expect(run.version).toBe(3);
    const asked = await until(async () => (await waitingOf(at, id))[0]);
    expect([asked.id === before!.id, asked.details]).toEqual([false, ["One", "Two", "Three"]]);
    expect((await at.store.reader.approvals.find(before!.id))?.status).toBe("expired");
    const one = run.nodes.find(({ title }) => title === "One")!.id;
    await expect(at.call("run.adjust", { id, remove: [one], expectedVersion: 2 })).rejects.toMatchObject({
      code: "dag.stale",
      details: { version: 3 },
    });
    await at.call("approval.decide", { id: asked.id, decision: "approve" });
    await at.host.over(id);
    expect(at.deeds.filter((deed) => deed === "engineer")).toHaveLength(3);
    expect((await at.statusOf(id))[0]).toBe("verified");
  });

  it("of an approved plan by an agent carries out nothing of it before a person has said yes", async () => {
    const { begun, engineer, release } = heldWork();
    using at = playedRuns({ engineer });
    const run = await at.begin();
    await until(() => begun.length === 2);
    const nodes = { three: { title: "Three", prompt: "Do it" } };
    await at.callAs(agentOf(run))("run.adjust", { id: run.id, nodes });
    const asked = await until(async () => (await waitingOf(at, run.id))[0]);
    expect(asked.question).toBe("Carry out the changed plan? A plan");
    release();
    await until(
      async () =>
        (await at.nodesOf(run.id)).filter(
          ({ spec, record }) => spec.kind === "engineer" && record.state === "succeeded",
        ).length === 2,
    );
    expect([begun, at.deeds.includes("check")]).toEqual([["One", "Two"], false]);
    await at.call("approval.decide", { id: asked.id, decision: "approve" });
    await until(() => begun.includes("Three"));
    release();
    await at.host.over(run.id);
    expect((await at.statusOf(run.id))[0]).toBe("verified");
  });
});

describe("a change", () => {
  it("that is verified is merged as it was checked, one that is unverified only on request", async () => {
    using at = playedRuns({ check: async ({ spec }) => checkOf(spec.check!, spec.round, { outcome: "not-run" }) });
    const { id } = await at.begin();
    await at.host.over(id);
    expect((await at.statusOf(id))[0]).toBe("unverified");
    await expect(at.call("run.merge", { id })).rejects.toThrow("--unverified");
    expect((await at.call("run.merge", { id, unverified: true })).run.outcome).toBe("merged");
    expect(at.deeds.slice(-2)).toEqual(["merge c0ffee1", "clear"]);
    expect((await at.acts()).at(-1)).toMatchObject({ action: "run.merged", details: { unverified: true } });
  });
});
