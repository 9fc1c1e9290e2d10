import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Approval, DomainError, type RawInputOf } from "../../contract/index.ts";
import { calledBy, user } from "../graphs/testkit.ts";
import { noInstalls, scratchRuns } from "../runs/testkit.ts";
import { settle } from "./ask-person.ts";
import type { DecideTx } from "./decide-approval.ts";
import { approvalHandlers } from "./handlers.ts";

/** Approvals over a real store; the test plays the graph that asked. */
async function world({ atRest = false } = {}) {
  const at = scratchRuns();
  const { store, clock } = at;
  const run = await at.add();
  const deeds: string[] = [];
  const handlers = approvalHandlers({
    store,
    clock,
    projectName: async () => "shop",
    askerOf: async () => ({ by: "engineer otter" }),
    holds: { waiting: async () => [], decide: () => Promise.reject(new Error("no hold is asked for")) },
    installs: noInstalls,
    async refuseAtRest() {
      if (atRest) throw new DomainError("session.not-possible", "it rests", { details: { state: "suspended" } });
    },
    async answerNode(approval, { decision, reason }) {
      deeds.push(`${decision} ${approval.node}`);
      const status = decision === "approve" ? "approved" : "rejected";
      await store.transact("answer", (tx) => settle(approval, run.project, { status, reason }, tx, clock));
    },
    judgeAgain: async ({ id }) => void deeds.push(`judge ${id}`),
  });
  const call = calledBy<DecideTx, "approval">(user, handlers, store.transact);
  const ask = (changes: Partial<Approval> = {}) => at.addApproval(run, changes);
  const decide = async ({ id }: Pick<Approval, "id">, given: Omit<RawInputOf<"approval.decide">, "id">) =>
    (await call("approval.decide", { id, ...given })).approval;
  return { ...at, run, deeds, call, ask, decide, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

describe("a decision", () => {
  it("is in the audit with what was asked, by its hash, and leaves no text there", async () => {
    using at = await world();
    const command = await at.ask({ question: "rm -rf dist?", details: ["rm"] });
    await at.decide(command, { decision: "approve" });
    await at.decide(await at.ask({ kind: "plan", node: "nod_1" }), { decision: "reject", reason: "too much" });
    const acts = await at.acts();
    expect(acts).toMatchObject([
      { action: "approval.approved", actor: { kind: "user" }, subject: command.id, project: at.run.project },
      { action: "approval.rejected", details: { kind: "plan" } },
    ]);
    const asked = hash("sha256", JSON.stringify(["rm -rf dist?", ["rm"]]), "hex");
    expect(acts[0]!.details).toEqual({ kind: "command", run: at.run.id, asked });
    expect(JSON.stringify(acts), "no text that a purge would have to take out").not.toMatch(/rm -rf|too much/);
    expect(await at.events("approval.decided")).toHaveLength(2);
  });

  it("that is refused leaves no act", async () => {
    using at = await world();
    const decided = await at.ask({ status: "approved", decidedAt: 1 });
    await expect(at.decide(decided, { decision: "reject" })).rejects.toThrow("already");
    await expect(at.decide({ id: at.ids.next("apr") }, { decision: "reject" })).rejects.toMatchObject({
      code: "approval.not-found",
    });
    expect([await at.acts(), at.deeds]).toEqual([[], []]);
  });

  it("is made once, also when two come at the same moment [RUN-2]", async () => {
    using at = await world();
    const approval = await at.ask();
    const both = await Promise.allSettled([
      at.decide(approval, { decision: "approve" }),
      at.decide(approval, { decision: "reject" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(at.decide(approval, { decision: "approve" })).rejects.toMatchObject({ code: "approval.decided" });
    expect(await at.acts()).toHaveLength(1);
  });

  it.each(["plan", "node"] as const)("about a %s is given to its graph, which settles it", async (kind) => {
    using at = await world();
    const approval = await at.ask({ kind, node: "nod_1" });
    const decided = await at.decide(approval, { decision: "reject", reason: "no" });
    expect([decided.status, decided.reason, at.deeds]).toEqual(["rejected", "no", ["reject nod_1"]]);
  });

  it("about evidence judges again when it is accepted, and only then", async () => {
    using at = await world();
    await at.decide(await at.ask({ kind: "evidence" }), { decision: "reject" });
    expect(at.deeds).toEqual([]);
    const accepted = await at.ask({ kind: "evidence" });
    await at.decide(accepted, { decision: "approve" });
    expect(at.deeds).toEqual([`judge ${accepted.id}`]);
  });

  it("that would continue work of a session at rest is refused; a rejection, and a command of work at hand, are not", async () => {
    using at = await world({ atRest: true });
    for (const kind of ["plan", "node", "evidence"] as const) {
      const approval = await at.ask({ kind, node: "nod_1" });
      await expect(at.decide(approval, { decision: "approve" })).rejects.toMatchObject({
        code: "session.not-possible",
      });
      expect((await at.decide(approval, { decision: "reject" })).status).toBe("rejected");
    }
    expect((await at.decide(await at.ask(), { decision: "approve" })).status).toBe("approved");
    expect((await at.decide(await at.ask({ kind: "question" }), { decision: "answer", answer: "x" })).status).toBe(
      "answered",
    );
  });
});

describe("a question", () => {
  it("takes an answer and nothing else; only a question does", async () => {
    using at = await world();
    const question = await at.ask({ kind: "question", question: "Which currency?" });
    const command = await at.ask();
    await expect(at.decide(question, { decision: "approve" })).rejects.toThrow(`sylk answer ${question.id}`);
    await expect(at.decide(question, { decision: "answer" })).rejects.toMatchObject({ code: "input.invalid" });
    await expect(at.decide(question, { decision: "reject", answer: "euro" })).rejects.toMatchObject({
      code: "input.invalid",
    });
    await expect(at.decide(command, { decision: "answer", answer: "yes" })).rejects.toThrow("wants a yes or a no");
    await expect(at.decide(command, { decision: "approve", answer: "yes" })).rejects.toThrow("wants a yes or a no");
    const approval = await at.decide(question, { decision: "answer", answer: "euro" });
    expect(approval).toMatchObject({ status: "answered", answer: "euro" });
    expect(await at.store.reader.approvals.find(question.id)).toMatchObject({ status: "answered", answer: "euro" });
    expect([await at.statusOf(at.run.id), at.deeds]).toEqual([["running", undefined], []]);
    await expect(at.decide(question, { decision: "answer", answer: "dollar" })).rejects.toMatchObject({
      code: "approval.decided",
    });
  });
});

it("lists what waits, oldest first, and of one run also what was decided", async () => {
  using at = await world();
  const [old, , fresh] = [
    await at.ask({ createdAt: 1 }),
    await at.ask({ createdAt: 2, status: "approved" }),
    await at.ask({ createdAt: 3 }),
  ];
  const idsOf = async (input: RawInputOf<"approval.list">) =>
    (await at.call("approval.list", input)).items.map(({ id }) => id);
  expect(await idsOf({})).toEqual([old.id, fresh.id]);
  expect(await idsOf({ run: at.run.id })).toHaveLength(3);
  expect(await idsOf({ limit: 1 })).toEqual([old.id]);
});
