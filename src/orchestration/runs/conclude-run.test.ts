import { describe, expect, it } from "vitest";
import type { RunNodeKind } from "../../contract/index.ts";
import type { NodeRecord } from "../dag/index.ts";
import type { Attempt, RunNodeSpec } from "../graphs/index.ts";
import type { FileChange, WorkspacePort } from "../sessions/index.ts";
import { concludeRun } from "./conclude-run.ts";
import { firstGraph, nodesOfPlan, type RunNodes } from "./run-graph.ts";
import type { RunRecord } from "./store.ts";
import { checkOf, planOf, scratchRuns } from "./testkit.ts";

const record = (state: NodeRecord["state"], more: Partial<NodeRecord> = {}) =>
  ({ state, attempt: 1, retries: 0, ...more }) as NodeRecord;
const broken = (message: string) => record("failed", { error: { class: "permanent", message } });

type Records = Partial<Record<RunNodeKind | "One" | "inspection" | "tests", NodeRecord>>;
type Terms = {
  readonly changes?: readonly FileChange[];
  readonly ended?: "cancelled" | "failed" | "succeeded";
  readonly run?: Partial<RunRecord>;
};

/** A run with a plan of two nodes of which everything succeeded, except what the test says. */
async function world(records: Records = {}, { changes, ended = "succeeded", run: more = {} }: Terms = {}) {
  const at = scratchRuns();
  const run = await at.add(more);
  const first = firstGraph(at.ids).nodes as RunNodes;
  const plan = planOf(at.ids, "One", "Two");
  const nodes = { ...first, ...nodesOfPlan(plan, { after: Object.keys(first)[0]!, approved: false }, at.ids) };
  const green = ({ kind, check, round }: RunNodeSpec) =>
    record("succeeded", kind === "check" ? { result: checkOf(check!, round) } : {});
  const known = Object.entries(nodes).flatMap(([id, spec]) => {
    const { kind, title, check } = spec;
    const given = records[title as "One"] ?? records[check!] ?? records[kind];
    return kind === "conclude" ? [] : [[id, given ?? green(spec)] as const];
  });
  await at.addGraph(run, nodes, { records: Object.fromEntries(known) });
  const deeds: string[] = [];
  const archived: unknown[] = [];
  let content = "hash";
  const workspaces = {
    ensure: async () => void deeds.push("ensure"),
    commit: async (_: unknown, message: string) => (deeds.push(message.split("\n")[0]!), "c0ffee1"),
    contentHash: async () => content,
    changes: async () => changes ?? [{ path: "src/shop.ts", kind: "modified" }],
  } as unknown as WorkspacePort;
  const conclude = () =>
    concludeRun(
      {
        dag: run.id,
        context: { ended: { outcome: ended }, signal: new AbortController().signal },
        begin: async () => void deeds.push("begin"),
      } as unknown as Attempt<RunNodeSpec>,
      {
        store: at.store,
        workspaces,
        restWorker: async (id) => void deeds.push(`rest ${id === run.id ? "its worker" : id}`),
        archive: async (_, entry) => void archived.push(entry),
      },
    );
  const edit = (hash: string) => void (content = hash);
  return { ...at, run, deeds, archived, conclude, edit, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

describe("a conclusion", () => {
  it("of a run that did everything is verified by its evidence, after its commit, and archived", async () => {
    using at = await world();
    expect(await at.conclude()).toEqual({ status: "verified", commit: "c0ffee1" });
    expect(at.deeds).toEqual(["begin", "rest its worker", "ensure", "Change the shop"]);
    expect(at.archived).toMatchObject([
      {
        title: "Change the shop",
        content: { status: "verified", checks: [{ kind: "inspection" }, { kind: "tests" }] },
      },
    ]);
  });

  it("of a cancelled run is cancelled, with the reason and what was written", async () => {
    const cancelled = record("cancelled", { cause: "cancel-requested", reason: "wrong branch" });
    using at = await world(
      { engineer: cancelled, inspection: cancelled, tests: cancelled, judge: cancelled },
      { ended: "cancelled" },
    );
    expect(await at.conclude()).toEqual({ status: "cancelled", reason: "wrong branch", commit: "c0ffee1" });
    expect(at.archived).toMatchObject([{ content: { status: "cancelled", reason: "wrong branch", checks: [] } }]);
  });

  it("of a rejected plan is cancelled, with what the person said", async () => {
    const answers = [{ on: "approval" as const, question: "?", answer: { decision: "reject", reason: "too much" } }];
    const skipped = record("skipped", { cause: "failed:x" });
    const rejected = { ...broken("too much"), answers } as NodeRecord;
    using at = await world({
      approval: rejected,
      engineer: skipped,
      inspection: skipped,
      tests: skipped,
      judge: skipped,
    });
    expect(await at.conclude()).toMatchObject({ status: "cancelled", reason: "the plan was rejected: too much" });
  });

  it("of a plan that failed is failed, in the words of the plan", async () => {
    using at = await world({ plan: broken("the model gave no plan") });
    expect(await at.conclude()).toMatchObject({ status: "failed", reason: "the model gave no plan" });
  });

  it("names every node that failed", async () => {
    using one = await world({ One: broken("no such file") });
    expect(await one.conclude()).toMatchObject({ status: "failed", reason: "a node failed: One: no such file" });
    using two = await world({ engineer: broken("no") });
    expect(await two.conclude()).toMatchObject({ status: "failed", reason: "2 nodes failed: One: no; Two: no" });
  });

  it.each(["approval", "inspection", "tests", "judge"] as const)(
    "of a run whose %s was skipped is never verified, also when it counts as done",
    async (kind) => {
      for (const done of [{ treatedAsDone: true as const }, {}]) {
        const skipped = record("skipped", { cause: "skip-requested", ...done });
        using at = await world({ [kind]: skipped });
        expect(await at.conclude()).toMatchObject({
          status: "unverified",
          reason: expect.stringMatching(/^skipped: /),
        });
      }
    },
  );

  it("of a run whose work was left out on purpose is judged by its evidence; left out by accident it is not", async () => {
    using meant = await world({ One: record("skipped", { cause: "skip-requested", treatedAsDone: true }) });
    expect((await meant.conclude()).status).toBe("verified");
    using lost = await world({ One: record("skipped", { cause: "skip-requested" }) });
    expect(await lost.conclude()).toMatchObject({ status: "unverified", reason: "skipped: One" });
  });

  it("of a red or an old check is unverified", async () => {
    const red = record("succeeded", { result: checkOf("tests", 0, { outcome: "fail", summary: "1 of 2 failed" }) });
    using at = await world({ tests: red });
    expect(await at.conclude()).toMatchObject({ status: "unverified", reason: "tests: 1 of 2 failed" });
    using edited = await world();
    edited.edit("other");
    expect(await edited.conclude()).toMatchObject({
      status: "unverified",
      reason: "the change was edited after its tests",
    });
  });
});

describe("a change of what its own checks rely on", () => {
  const changes = [{ path: "package.json", kind: "modified" }] as const;
  async function settled(
    at: Awaited<ReturnType<typeof world>>,
    status: "waiting" | "approved" | "rejected",
    details: string[],
  ) {
    await at.addApproval(at.run, { kind: "evidence", details, status });
  }

  it("asks a person, with what was changed and the content that was checked", async () => {
    using at = await world({}, { changes });
    expect(await at.conclude()).toEqual({
      status: "unverified",
      reason: "the change touches what its checks rely on",
      commit: "c0ffee1",
      evidence: {
        question: "The change touches files that its own checks rely on. Accept the evidence?",
        details: ["modified package.json", "content hash"],
      },
    });
  });

  it("asks once about the same content, and again about other content", async () => {
    for (const status of ["waiting", "rejected"] as const) {
      using at = await world({}, { changes });
      await settled(at, status, ["content hash"]);
      const concluded = await at.conclude();
      expect([concluded.status, concluded.evidence], status).toEqual(["unverified", undefined]);
    }
    using other = await world({}, { changes });
    await settled(other, "rejected", ["content of before"]);
    expect((await other.conclude()).evidence).toBeDefined();
  });

  it("is verified once a person has accepted exactly this content", async () => {
    using at = await world({}, { changes });
    await settled(at, "approved", ["modified package.json", "content hash"]);
    expect(await at.conclude()).toEqual({ status: "verified", commit: "c0ffee1" });
    using edited = await world({}, { changes });
    await settled(edited, "approved", ["content of before"]);
    expect((await edited.conclude()).status).toBe("unverified");
  });
});
