import { describe, expect, it } from "vitest";
import type { AgentCaller, Finding, Message, MessageOf, NodeId, Plan, RunId } from "../../contract/index.ts";
import { Blocked, Interrupted, NodeFailure } from "../../orchestration/dag/index.ts";
import { AdjustingSuccess } from "../../orchestration/dag/testkit.ts";
import { type Attempt, type RunNodeSpec, specOf } from "../../orchestration/graphs/index.ts";
import { type Answer, answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import { guideWorld, sessionA, turn } from "../../orchestration/guide/testkit.ts";
import { ModelFailure } from "../../orchestration/models/index.ts";
import type { RunRecord } from "../../orchestration/runs/index.ts";
import { checkOf } from "../../orchestration/runs/testkit.ts";
import { createPool } from "../../platform/pool/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { architectSeat } from "../architect/index.ts";
import { createCorrections } from "../shared/checks/index.ts";
import { carryOutCheck, type CarryOutPorts, carryOutPlan, carryOutWork } from "./carry-out.ts";

const run = "run_0000000000000000000001" as RunId;
const node = "nod_0000000000000000000001" as NodeId;
const parent = "nod_0000000000000000000003" as NodeId;
const plan: Plan = {
  id: "pln_0000000000000000000001" as Plan["id"],
  summary: "A plan",
  nodes: [{ id: "nod_0000000000000000000002" as NodeId, title: "One", role: "engineer", prompt: "Do", dependsOn: [] }],
};

function world(request = "Add prices", { slots = 5, approve = false } = {}) {
  const { clock, guide: guides } = guideWorld();
  const recorded: Message[] = [];
  const guide = guides.open(sessionA, { run, record: async (message) => void recorded.push(message) });
  const deeds: string[] = [];
  const ids = randomIds(clock);
  const pool = createPool({ clock, limits: { all: slots, perGroup: slots }, queue: { all: 1, perGroup: 1 } });
  const corrections = createCorrections();
  const ports: CarryOutPorts = {
    ids,
    pool,
    corrections,
    findRun: async () => ({ id: run, request, options: { approve } }) as RunRecord,
    routerOf: () => guide,
    async seatEngineer(_, of) {
      deeds.push(`seat ${of}`);
      const caller = { agent: { name: "heron" } } as AgentCaller;
      return { caller, end: async () => void deeds.push(`leave ${of}`) };
    },
  };
  const leaving = new AbortController();
  const attempt = (changes: Partial<RunNodeSpec> = {}, context: object = {}) =>
    ({
      dag: run,
      session: sessionA,
      node,
      spec: { kind: "engineer", title: "Prices", role: "engineer", prompt: "Add", dependsOn: [], round: 0, ...changes },
      context: {
        attempt: 1,
        signal: leaving.signal,
        parents: new Map(),
        parentContexts: new Map(),
        session: {},
        answers: [],
        ...context,
      },
      begin: async (agent?: string) => void deeds.push(`begin ${agent ?? ""}`.trim()),
    }) as unknown as Attempt<RunNodeSpec>;
  return { clock, guide, recorded, deeds, pool, ports, corrections, leaving, attempt };
}

const engineer = (answer: (message: MessageOf<"TASK_DISPATCH">) => Promise<Answer<"TASK_DISPATCH">>): RoleHandler =>
  answerMessages({ TASK_DISPATCH: answer });

describe("the plan of a run", () => {
  it("is what the Architect answers to the request, and brings its nodes with it", async () => {
    const { guide, ports, attempt, recorded } = world("@to:architect Add prices");
    guide.register(
      "architect",
      answerMessages({ USER_INPUT: async () => ({ type: "PLAN_RESPONSE", payload: { plan } }) }),
    );
    const planned = (await carryOutPlan(attempt({ kind: "plan" }), ports)) as AdjustingSuccess;
    expect(planned).toBeInstanceOf(AdjustingSuccess);
    expect(planned.result).toEqual({ plan: plan.id, outline: "A plan" });
    const kinds = planned.adjustment.add!.map((one) => (specOf(one) as RunNodeSpec).kind);
    expect(kinds).toEqual(["approval", "engineer", "check", "check", "judge"]);
    expect(recorded[0]).toMatchObject({ type: "USER_INPUT", from: "user", payload: { text: "Add prices" } });
  });

  it("is not asked about when the run was approved in advance", async () => {
    const { guide, ports, attempt } = world("Add prices", { approve: true });
    guide.register(
      "architect",
      answerMessages({ USER_INPUT: async () => ({ type: "PLAN_RESPONSE", payload: { plan } }) }),
    );
    const { adjustment } = (await carryOutPlan(attempt({ kind: "plan" }), ports)) as AdjustingSuccess;
    expect(adjustment.add!.map((one) => (specOf(one) as RunNodeSpec).kind)).not.toContain("approval");
  });

  it("fails for good when there is none", async () => {
    const { guide, ports, attempt } = world();
    guide.register(
      "architect",
      answerMessages({ USER_INPUT: async () => ({ type: "USER_RESPONSE", payload: { text: "no" } }) }),
    );
    await expect(carryOutPlan(attempt({ kind: "plan" }), ports)).rejects.toMatchObject({
      error: { class: "permanent", message: "architect answered the request without a plan" },
    });
  });
});

describe("the work of an Engineer", () => {
  it("is done by an agent of its own, with results, contexts and artifacts of the work before, the answers and the session", async () => {
    const { guide, ports, attempt, deeds } = world();
    const got: unknown[] = [];
    guide.register(
      "engineer",
      engineer(async ({ payload }) => (got.push(payload), { type: "TASK_COMPLETE", payload: { summary: "done" } })),
    );
    const context = {
      attempt: 2,
      parents: new Map<string, unknown>([
        [parent, { summary: "did a", artifacts: { schema: "db.sql" } }],
        ["nod_approval", { approved: true }],
      ]),
      parentContexts: new Map([[parent, { table: "prices" }]]),
      session: { name: "shop" },
      answers: [
        { on: "approval", question: "go?", answer: { decision: "approve" } },
        { on: "clarification", question: "Which currency?", answer: "euro" },
      ],
    };
    expect(await carryOutWork(attempt({ dependsOn: [parent] }, context), ports)).toEqual({ summary: "done" });
    expect(got).toEqual([
      {
        node: { id: node, title: "Prices", role: "engineer", prompt: "Add", dependsOn: [parent] },
        attempt: 2,
        parents: { [parent]: { summary: "did a", artifacts: { schema: "db.sql" }, context: { table: "prices" } } },
        session: { name: "shop" },
        answers: [{ question: "Which currency?", answer: "euro" }],
      },
    ]);
    expect(deeds).toEqual([`seat ${node}`, "begin heron", `leave ${node}`]);
  });

  it("that needs the user is blocked by its question, with what counts at its deadline", async () => {
    const { guide, ports, attempt, deeds } = world();
    const forUser = { deadlineAt: 9, defaultAnswer: "dollar" };
    guide.register(
      "engineer",
      engineer(async () => ({ type: "TASK_HELP", payload: { node, question: "Which?", forUser } })),
    );
    const blocked = await carryOutWork(attempt(), ports).catch((error: unknown) => error);
    expect(blocked).toBeInstanceOf(Blocked);
    expect((blocked as Blocked).request).toEqual({ on: "clarification", question: "Which?", ...forUser });
    expect(deeds.at(-1), "its seat is free").toBe(`leave ${node}`);
  });

  it.each<[string, Answer<"TASK_DISPATCH"> | Error, object]>([
    [
      "it says so",
      { type: "TASK_FAILED", payload: { reason: "busy", class: "rate-limit", retryAfterMs: 7 } },
      { class: "rate-limit", message: "busy", retryAfterMs: 7 },
    ],
    ["its model fails", new ModelFailure("provider-degraded", "slow"), { class: "provider-degraded", message: "slow" }],
  ])("fails in the class that fits when %s", async (_, end, error) => {
    const { guide, ports, attempt, deeds } = world();
    guide.register(
      "engineer",
      engineer(async () => {
        if (end instanceof Error) throw end;
        return end;
      }),
    );
    const failed = await carryOutWork(attempt(), ports).catch((reason: unknown) => reason);
    expect(failed).toBeInstanceOf(NodeFailure);
    expect((failed as NodeFailure).error).toEqual(error);
    expect(deeds.at(-1)).toBe(`leave ${node}`);
  });

  it("whose worker dies is interrupted, not failed, and its seat is free", async () => {
    const { guide, ports, attempt, deeds } = world();
    guide.register("engineer", () => Promise.reject(new Interrupted("its worker ended")));
    await expect(carryOutWork(attempt(), ports)).rejects.toThrow(Interrupted);
    expect(deeds.at(-1)).toBe(`leave ${node}`);
  });

  it("that is not answered in time is a timeout", async () => {
    const { guide, ports, attempt, clock } = world();
    guide.register("engineer", () => new Promise(() => {}));
    const asked = carryOutWork(attempt(), ports);
    asked.catch(() => {}); // looked at below
    for (let round = 0; round < 3; round++) await turn();
    clock.advance(15 * 60_000);
    await expect(asked).rejects.toMatchObject({ error: { class: "timeout" } });
  });
});

describe("a slot of the pool", () => {
  it("is taken by one Engineer at a time, counted for the session, and comes back from one that ends in any way", async () => {
    const { guide, ports, attempt, pool, clock } = world("x", { slots: 1 });
    const ends: ((error?: Error) => void)[] = [];
    guide.register(
      "engineer",
      engineer(() => {
        const { promise, resolve, reject } = Promise.withResolvers<Answer<"TASK_DISPATCH">>();
        ends.push((error) =>
          error === undefined ? resolve({ type: "TASK_COMPLETE", payload: { summary: "x" } }) : reject(error),
        );
        return promise;
      }),
    );
    const first = carryOutWork(attempt(), ports);
    first.catch(() => {}); // looked at below
    for (let round = 0; round < 3; round++) await turn();
    const second = carryOutWork(attempt({ round: 1 }), ports);
    await turn();
    expect([ends.length, pool.metrics().waiting]).toEqual([1, 1]);
    clock.advance(250);
    await expect(carryOutWork(attempt(), ports), "there is no room to wait").rejects.toMatchObject({
      code: "pool.full",
    });
    ends[0]!(new Interrupted("its worker ended"));
    await expect(first).rejects.toThrow(Interrupted);
    for (let round = 0; round < 3; round++) await turn();
    expect(ends).toHaveLength(2);
    const { groups, lanes } = pool.metrics();
    expect(groups[sessionA]).toMatchObject({ started: 2, running: 1, wait: { count: 2, maxMs: 250 } });
    expect([lanes.normal.wait.count, lanes.high.wait.count], "corrections come first").toEqual([1, 1]);
    ends[1]!();
    await second;
    expect(pool.metrics().running).toBe(0);
  });

  it("is not held by one that was cancelled while it waited", async () => {
    const { guide, ports, attempt, pool, leaving, deeds } = world("x", { slots: 1 });
    guide.register(
      "engineer",
      (_, signal) =>
        new Promise((__, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    );
    const both = [carryOutWork(attempt(), ports), carryOutWork(attempt(), ports)];
    const ended = Promise.allSettled(both);
    for (let round = 0; round < 3; round++) await turn();
    leaving.abort(new Error("cancelled"));
    expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([pool.metrics().running, pool.metrics().waiting, deeds.length]).toEqual([0, 0, 3]);
  });
});

describe("a check", () => {
  const finding = { id: "fnd_0000000000000000000001", summary: "any" } as unknown as Finding;

  it("brings the findings that its role sent to the Architect, once, and of no other check", async () => {
    const { guide, ports, attempt, corrections, recorded } = world();
    guide.register(
      "architect",
      architectSeat({
        brief: async () => undefined,
        run,
        guide,
        corrections,
        worker: () => Promise.reject(new Error("no")),
      }),
    );
    const red = checkOf("inspection", 0, { outcome: "fail" }).check;
    corrections.add(run, "inspector", [{ ...finding, summary: "of an attempt that was cut off" }]);
    corrections.add(run, "tester", [finding]);
    guide.register(
      "inspector",
      answerMessages({
        async VALIDATE_TASK() {
          corrections.add(run, "inspector", [finding]);
          return { type: "VALIDATION_RESULT", payload: { check: red } };
        },
      }),
    );
    const inspect = attempt({ kind: "check", check: "inspection", round: 1 });
    expect(await carryOutCheck(inspect, ports)).toEqual({ check: red, findings: [finding] });
    expect(recorded[0]).toMatchObject({ type: "VALIDATE_TASK", to: "inspector", payload: { round: 1 } });
    expect([corrections.take(run, "inspector"), corrections.take(run, "tester")]).toEqual([[], [finding]]);
  });
});
