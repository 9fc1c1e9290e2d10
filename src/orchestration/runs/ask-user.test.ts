import { describe, expect, it } from "vitest";
import type { ApprovalId, NodeId, PayloadOf } from "../../contract/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { settle } from "../approvals/index.ts";
import { answerOf, messageOf } from "../guide/testkit.ts";
import { approveCommand, userSeat, type UserPorts } from "./ask-user.ts";
import { nodesOfPlan } from "./run-graph.ts";
import type { RunRecord } from "./store.ts";
import { planOf, scratchRuns, until } from "./testkit.ts";

const knownKey = "acme-key-0123456789";

async function world() {
  const at = scratchRuns();
  const run = await at.add();
  const listeners = new Set<(id: ApprovalId) => void>();
  const ports: UserPorts = {
    store: at.store,
    clock: at.clock,
    ids: at.ids,
    clean: createRedactor(knownKey).value,
    onDecided(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const waiting = async () => (await at.approvalsOf(run.id)).filter(({ status }) => status === "waiting");
  /** As `sylk approve` does it. */
  async function decide(status: "approved" | "rejected" | "answered" | "expired", more: object = {}): Promise<void> {
    const asked = await until(async () => (await waiting())[0]);
    await at.store.transact("decide", (tx) => settle(asked, run.project, { status, ...more }, tx, at.clock));
    for (const tell of listeners) tell(asked.id);
  }
  const approve = (argv: readonly string[], signal = new AbortController().signal) =>
    approveCommand(run.id, { argv }, signal, ports);
  const ask = async (payload: Partial<PayloadOf<"CLARIFICATION_REQUEST">> = {}) => {
    const request = messageOf("CLARIFICATION_REQUEST", {
      question: "Which currency?",
      onBehalfOf: "engineer",
      ...payload,
    });
    return (await answerOf(userSeat(run.id, ports), request)).payload;
  };
  return { ...at, run, listeners, waiting, decide, approve, ask, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

async function addNode(at: Awaited<ReturnType<typeof world>>, run: RunRecord): Promise<NodeId> {
  const plan = planOf(at.ids, "Prices");
  await at.addGraph(run, nodesOfPlan(plan, { after: "nod_plan", approved: true }, at.ids));
  return plan.nodes[0]!.id;
}

describe("a command of an Engineer", () => {
  it.each([
    ["approved", true],
    ["rejected", false],
  ] as const)("is shown word by word; %s means %s", async (status, isAllowed) => {
    using at = await world();
    const asked = at.approve(["rm", "-rf", "dist"]);
    await at.decide(status);
    expect(await asked).toBe(isAllowed);
    expect(await at.approvalsOf(at.run.id)).toMatchObject([
      { kind: "command", question: "Run this command? rm -rf dist", details: ["rm", "-rf", "dist"] },
    ]);
    expect(at.listeners.size, "it listens no longer").toBe(0);
  });

  it("is asked once: two that wait for the same one get the one answer, and later ones get it at once", async () => {
    using at = await world();
    const both = Promise.all([at.approve(["npm", "ci"]), at.approve(["npm", "ci"])]);
    await at.decide("approved");
    expect(await both).toEqual([true, true]);
    expect(await at.approve(["npm", "ci"])).toBe(true);
    expect(await at.approvalsOf(at.run.id)).toHaveLength(1);
    const other = at.approve(["npm", "install"]);
    await at.decide("rejected");
    expect(await other).toBe(false);
  });

  it("that holds a secret is refused, and the user is not asked", async () => {
    using at = await world();
    await expect(at.approve(["curl", "-H", knownKey])).rejects.toThrow("looks like a secret");
    expect(await at.approvalsOf(at.run.id)).toEqual([]);
    expect(at.bytes()).not.toContain(knownKey);
  });

  it("whose asker leaves is no longer asked about; the next attempt asks again", async () => {
    using at = await world();
    const leaving = new AbortController();
    const asked = at.approve(["npm", "ci"], leaving.signal);
    asked.catch(() => {}); // looked at below
    await until(async () => (await at.waiting()).length === 1);
    leaving.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
    expect([(await at.waiting()).length, at.listeners.size]).toEqual([0, 0]);
    const again = at.approve(["npm", "ci"]);
    await at.decide("approved");
    expect(await again).toBe(true);
    expect((await at.approvalsOf(at.run.id)).map(({ status }) => status)).toEqual(["expired", "approved"]);
  });
});

describe("a question of a run", () => {
  it("becomes an approval with its node, its deadline and its default, and the answer comes back", async () => {
    using at = await world();
    const node = await addNode(at, at.run);
    const asked = at.ask({ node, deadlineAt: 0, defaultAnswer: "dollar" });
    await at.decide("answered", { answer: "euro" });
    expect(await asked).toEqual({ answer: "euro" });
    expect(await at.approvalsOf(at.run.id)).toMatchObject([
      {
        kind: "question",
        question: "Which currency?",
        node,
        deadlineAt: 0,
        defaultAnswer: "dollar",
        details: ["asked while working on: Prices", "default answer after 1970-01-01 00:00 UTC: dollar"],
      },
    ]);
    expect(await at.events("approval.requested")).toHaveLength(1);
  });

  it("whose answer was given before a restart is not asked again", async () => {
    using at = await world();
    const before = at.ask();
    await at.decide("answered", { answer: "euro" });
    await before;
    expect(await at.ask()).toEqual({ answer: "euro" });
    expect(await at.approvalsOf(at.run.id)).toHaveLength(1);
  });

  it("that expired is asked again, and so is the same one of another node", async () => {
    using at = await world();
    const before = at.ask();
    await at.decide("expired");
    expect((await before).answer).toMatch(/^The user did not answer/);
    const again = at.ask();
    await at.decide("answered", { answer: "euro" });
    expect(await again).toEqual({ answer: "euro" });
    const other = at.ask({ node: at.ids.next("nod") });
    await at.decide("answered", { answer: "yen" });
    expect(await other).toEqual({ answer: "yen" });
    expect((await at.approvalsOf(at.run.id)).map(({ status }) => status)).toEqual(["expired", "answered", "answered"]);
  });

  it("that the user leaves to the agent says so, with the reason", async () => {
    using at = await world();
    const asked = at.ask();
    await at.decide("rejected", { reason: "any is fine" });
    expect(await asked).toEqual({ answer: "The user did not answer (any is fine). Decide yourself, or give up" });
  });

  it("may quote a key: it is kept without", async () => {
    using at = await world();
    const asked = at.ask({ question: `Is ${knownKey} right?`, deadlineAt: 9, defaultAnswer: knownKey });
    await at.decide("answered", { answer: "no" });
    await asked;
    expect(await at.approvalsOf(at.run.id)).toMatchObject([
      { question: "Is [redacted] right?", defaultAnswer: "[redacted]" },
    ]);
    expect(at.bytes()).not.toContain(knownKey);
  });
});
