/** A store written before runs were graphs: everything in it can be read, and everything unfinished continues. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DagId, Run } from "../../src/contract/index.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { nodeOf, patience } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import { openOldStore, type OldDaemon } from "./old-store/open-old-store.ts";
import type { RunName } from "./old-store/scenes.ts";

let old: OldDaemon;
beforeAll(async () => {
  old = await openOldStore();
}, 60_000);
afterAll(() => old.daemon[Symbol.asyncDispose]());

const client = () => old.daemon.clientOf({ project: old.shop.repository });
const runOf = async (name: RunName): Promise<Run> => (await client().call("run.get", { id: old.ids[name] })).run;

function ended(name: RunName): Promise<Run> {
  return until(
    `${name} ends`,
    async () => {
      const run = await runOf(name);
      return ["verified", "unverified", "failed", "cancelled"].includes(run.status) ? run : undefined;
    },
    patience,
  );
}

describe("a run of an older store", { timeout: 120_000 }, () => {
  it("that has ended is shown with its plan, nodes, checks and cost, and can be merged [RUN-12]", async () => {
    const verified = await runOf("verified");
    expect([verified.status, verified.plan?.nodes.length, verified.cost.calls]).toEqual(["verified", 1, 3]);
    expect(nodeOf(verified, "Node price")).toMatchObject({ state: "succeeded", summary: "price holds", round: 0 });
    expect(verified.checks.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ["inspection", "pass"],
      ["tests", "pass"],
    ]);
    const failed = await runOf("failed");
    expect([failed.status, failed.reason]).toEqual(["failed", "a node failed: Node price: no ledger"]);
    expect(nodeOf(failed, "Node price")).toMatchObject({ state: "failed", error: "no ledger" });
    const shown = await old.shop.sylk("run", "show", old.ids.verified);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("Node price")]);
    const { items } = jsonOf<{ items: { request: string }[] }>(await old.shop.sylk("runs", "--json"));
    expect(items).toHaveLength(9);
    expect(old.shop.git("show", `${verified.commit}:src/price.ts`)).toBe("export const price = 1;");
  });

  it("is in the history, under its session; an entry without one belongs to the session default [ARCV-40]", async () => {
    const kept = async (...flags: readonly string[]) => {
      const { items } = jsonOf<{ items: { title: string; session: string }[] }>(
        await old.shop.sylk("history", ...flags, "--json"),
      );
      return items.map(({ title, session }) => [title, session]);
    };
    expect(await kept("--session", "default")).toEqual([["Before there were sessions", "default"]]);
    expect(await kept("there were sessions", "--session", "default")).toHaveLength(1);
    const { session } = await runOf("verified");
    expect(await kept("--session", session)).toContainEqual(["Scene verified", session]);
    expect(await kept("--all-sessions", "--category", "workflow")).toContainEqual(["Scene verified", session]);
  });

  it.each<RunName>(["planning", "working", "correcting"])(
    "that was under way (%s) when its daemon was killed continues by itself [RUN-12, RUN-4]",
    async (name) => {
      const run = await ended(name);
      expect([run.status, run.reason]).toEqual(["verified", undefined]);
      if (name === "correcting") expect(nodeOf(run, "Node both").attempt, "finished work is not done again").toBe(1);
    },
  );

  it("that awaits approval is carried out once it is approved [RUN-12, RUN-2]", async () => {
    expect((await runOf("awaiting")).status).toBe("awaiting_approval");
    expect((await old.shop.sylk("approvals")).stdout).toContain("Carry out this plan? A small plan.");
    const approved = await old.shop.sylk("approve", old.ids.awaiting);
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining("verified")]);
  });

  it("that is paused continues where it was interrupted [RUN-12, RUN-4]", async () => {
    expect((await runOf("paused")).status).toBe("paused");
    const resumed = await old.shop.sylk("resume", old.ids.paused);
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("verified")]);
    expect(nodeOf(await runOf("paused"), "Node price").attempt).toBe(1);
  });

  it("that is unverified is verified once its evidence is approved [RUN-12, RUN-6]", async () => {
    expect((await runOf("evidence")).status).toBe("unverified");
    const approved = await old.shop.sylk("approve", old.ids.evidence);
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining("verified")]);
    expect((await runOf("evidence")).status).toBe("verified");
  });

  it("whose engineer asked a question continues with the answer [RUN-12]", async () => {
    expect(nodeOf(await runOf("question"), "Node tax")).toMatchObject({
      state: "blocked",
      question: "Which rate do your customers pay?",
    });
    const answered = await old.shop.sylk("approve", old.ids.question, "--answer", "16");
    expect([answered.code, answered.stdout.trim()]).toEqual([0, "question answered, for engineer marten only"]);
    expect((await ended("question")).status).toBe("verified");
  });
});

describe("a graph of an older store", { timeout: 120_000 }, () => {
  const status = async (id: DagId): Promise<string> => (await client().call("dag.show", { id })).dag.status;
  const named = async (name: string): Promise<DagId> =>
    (await client().call("dag.list", {})).items.find((dag) => dag.name === name)!.id;

  it("that was running continues by itself, a paused one once it is resumed, one that waits once it is approved [RUN-12]", async () => {
    const running = await named("graph-running");
    await until("the running one ends", async () => (await status(running)) === "succeeded", patience);
    const paused = await named("graph-paused");
    expect(await status(paused)).toBe("paused");
    expect((await old.shop.sylk("dag", "resume", paused)).code).toBe(0);
    await until("the paused one ends", async () => (await status(paused)) === "succeeded", patience);
    const waiting = await named("graph-waiting");
    expect(await status(waiting)).toBe("waiting");
    await client().call("dag.answer", { id: waiting, node: "deploy", decision: "approve" });
    await until("the one that waited ends", async () => (await status(waiting)) === "succeeded", patience);
  });
});
