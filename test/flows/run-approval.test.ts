/** Plans: validated, shown, approved or rejected by a person; refused and asked for again once. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { workersUnder } from "./run-processes.ts";
import { jsonOf } from "./run-sylk.ts";
import { finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, messagesOf, shopEnv, workOf } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe("a plan", () => {
  it("waits for approval with nothing written and no worker, and is carried out once approved [RUN-2]", async () => {
    const shop = makeQuickShop(daemon);
    const waiting = await shop.run(goodChange(), { approve: false });
    const { run } = waiting;
    expect([waiting.code, run.status]).toEqual([0, "awaiting_approval"]);
    expect(run.plan?.nodes.map(({ title }) => title)).toEqual(["Node price"]);
    expect(workOf(run).map(({ state }) => state)).toEqual(["pending"]);
    expect(shop.git("-C", run.workspace!.tree, "status", "--porcelain")).toBe("");
    expect(shop.git("rev-parse", run.workspace!.branch)).toBe(run.workspace!.baseCommit);
    await until("the worker is gone", () => workersUnder(daemon.root).length === 0);
    const shown = await shop.sylk("run", "show", run.id);
    expect(shown.stdout).toContain("1. Node price");
    expect((await shop.sylk("approvals")).stdout).toContain("Carry out this plan? A small plan.");

    const approved = await shop.sylk("approve", run.id);
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining("verified")]);
    expect(shop.git("show", `${run.workspace!.branch}:src/price.ts`)).toBe("export const price = 1;");
    expect((await shop.sylk("approve", run.id)).stderr).toContain("does not wait for a decision");
  });

  it("is cancelled when rejected, with the reason, and nothing is ever written [RUN-2]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange(), { approve: false });
    const rejected = await shop.sylk("approve", run.id, "--reject", "--reason", "too much at once");
    expect([rejected.code, rejected.stdout.trim()]).toEqual([0, "plan rejected, for this plan of this run"]);
    const after = jsonOf<{ run: Run }>(await shop.sylk("run", "show", run.id, "--json")).run;
    expect([after.status, after.reason]).toEqual(["cancelled", "the plan was rejected: too much at once"]);
    expect(existsSync(`${run.workspace!.tree}/src/price.ts`)).toBe(false);
    expect(workersUnder(daemon.root)).toEqual([]);
    const again = await shop.sylk("approve", run.id);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("does not wait for a decision")]);
  });
});

describe.concurrent("a proposal", { timeout: 180_000 }, () => {
  it("with a cycle is refused and asked for once more, and a valid one continues [RUN-2]", async () => {
    const shop = makeQuickShop(daemon);
    const { run, events } = await shop.run([
      plan(
        [
          { key: "price", dependsOn: ["tax"] },
          { key: "tax", dependsOn: ["price"] },
        ],
        0,
      ),
      { ...plan([{ key: "price" }], 1), expect: { toolResult: "cannot run.*(cycle|circle)" } },
      ...work("price", write("src/price.ts", "export const price = 1;\n"), finish()),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(workOf(run).map(({ title }) => title)).toEqual(["Node price"]);
    expect(run.cost.calls).toBe(4);
    expect(events.filter(({ type }) => type === "run.planned")).toHaveLength(1);
  });

  it("that names an unknown role twice fails the run with the reason, and no third answer is asked for [RUN-2]", async () => {
    const shop = makeQuickShop(daemon);
    const bad = plan([{ key: "price", role: "wizard" }]);
    const { code, run, events } = await shop.run([bad]);
    expect([code, run.status]).toEqual([5, "failed"]);
    expect(run.reason).toMatch(/cannot run, 2 times: .*wizard/);
    expect(run.cost.calls).toBe(2);
    expect(run.nodes.map(({ kind, state }) => [kind, state])).toEqual([
      ["plan", "failed"],
      ["conclude", "succeeded"],
    ]);
    expect(messagesOf(events).map(({ type }) => type)).not.toContain("TASK_DISPATCH");
    expect([run.workspace, shop.git("worktree", "list").split("\n").length]).toEqual([undefined, 1]);
    const kept = await shop.sylk("history", "--all-sessions", "--category", "workflow", "--json");
    expect(jsonOf<{ items: unknown[] }>(kept).items).toEqual([
      expect.objectContaining({
        id: run.id,
        content: expect.objectContaining({ status: "failed", reason: run.reason }),
      }),
    ]);
  });

  it("that depends on an unknown node, repeats a key or has no node is no plan [RUN-2]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run([
      plan([{ key: "price" }, { key: "price" }, { key: "tax", dependsOn: ["nothing"] }], 0),
      plan([], 1),
    ]);
    expect([run.status, run.reason]).toEqual(["failed", expect.stringMatching(/cannot run, once: .*price.*nothing/)]);
  });
});
