/** Runs that cannot go as wished: what is missing is named, nothing is lost, nothing is called verified. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { workersUnder } from "./run-processes.ts";
import { jsonOf } from "./run-sylk.ts";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { endedRun, goodChange, makeQuickShop, nodeOf, patience, shopEnv, type Shop, workOf } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let shop: Shop;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  shop = makeQuickShop(daemon);
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe("a run is refused before it begins", () => {
  it("without a provider and without a rehearsal: what to set, and that there is a rehearsal [RUN-11]", async () => {
    const { code, stderr, stdout } = await shop.sylk("run", "Add discounts", "--yes");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("sylk provider add");
    expect(stderr).toContain("--rehearse");
  });

  it("outside of git, and in a repository without a commit [RUN-11]", async () => {
    const plain = join(daemon.root, "plain");
    mkdirSync(plain);
    const nowhere = await daemon.sylk(["run", "x", "--rehearse", "--yes"], { cwd: plain });
    expect(nowhere.code).not.toBe(0);
    expect(nowhere.stderr).toMatch(/git init/);
    execFileSync("git", ["init", "--quiet"], { cwd: plain, env: { ...daemon.env } });
    const empty = await daemon.sylk(["run", "x", "--rehearse", "--yes"], { cwd: plain });
    expect(empty.code).not.toBe(0);
    expect(empty.stderr).toMatch(/no commit yet; commit once/);
  });

  it("for a scenario that cannot be read, an agent that does not exist, a budget that is no number [RUN-11]", async () => {
    writeFileSync(join(daemon.root, "bad.yaml"), "name: bad\nturns: many\n");
    const run = (request: string, ...args: string[]) => shop.sylk("run", request, "--yes", ...args);
    for (const [refused, words] of [
      [await run("x", "--rehearse", join(daemon.root, "none.yaml")), "does not exist"],
      [await run("x", "--rehearse", join(daemon.root, "bad.yaml")), "turns"],
      [await run("@to:wizard do it", "--rehearse"), "wizard"],
      [await run("@to:tester do it", "--rehearse"), "only the architect plans runs"],
      [await run("x", "--rehearse", "--budget", "lots"), "200k"],
    ] as const) {
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect((await daemon.clientOf({ project: shop.repository }).call("run.list", {})).items).toEqual([]);
    expect(shop.git("worktree", "list").split("\n")).toHaveLength(1);
  });
});

describe("a run", () => {
  it("whose model never answers is interrupted or cancelled at once, and its worker is gone [RUN-11]", async () => {
    const silent = [{ ...plan([{ key: "price" }]), fault: { delayMs: 600_000, times: 10 } }];
    const following = shop.start(silent);
    const id = await until("the run is under way", () => /"run":"(run_\w+)"/.exec(following.output())?.[1]);
    await until("its worker asks the model", () => following.output().includes("CONTEXT_RESPONSE"), patience);
    const paused = jsonOf<{ run: Run }>(await shop.sylk("interrupt", id, "--json")).run;
    expect([paused.status, paused.reason]).toEqual(["paused", 'interrupted; continue with "sylk resume"']);
    expect(workersUnder(daemon.root)).toEqual([]);
    expect(endedRun(await following.ended).run.status).toBe("paused");
    await shop.sylk("resume", id, "--json");
    await until("it has a worker again", () => workersUnder(daemon.root).length === 1);
    const cancelled = jsonOf<{ run: Run }>(await shop.sylk("cancel", id, "--json")).run;
    expect(cancelled.status).toBe("cancelled");
    expect(workersUnder(daemon.root)).toEqual([]);
    const again = await shop.sylk("resume", id);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining("is cancelled, so it cannot be resumed")]);
  });
});

describe.concurrent("a run that begins", { timeout: 180_000 }, () => {
  it("starts from the commit when the tree is dirty, says so, and leaves the uncommitted work alone [RUN-11]", async () => {
    const dirty = makeQuickShop(daemon);
    writeFileSync(join(dirty.repository, "src/cart.ts"), "// half an idea\n");
    writeFileSync(join(dirty.repository, "notes.txt"), "mine\n");
    const before = dirty.snapshot();
    const { run, events } = await dirty.run(goodChange());
    const said = /starts from commit [0-9a-f]{10}; 2 uncommitted changes of your tree are not part of it/;
    expect(events.find(({ type }) => type === "run.started")?.data.reason).toMatch(said);
    const plan = await dirty.sylk("run", "Add prices", "--rehearse", dirty.scenario(goodChange()));
    expect(plan.stderr).toMatch(said);
    expect(run.status).toBe("verified");
    expect(dirty.git("diff", "--name-only", run.workspace!.baseCommit, run.commit!)).toBe("src/price.ts");
    expect(dirty.snapshot()).toEqual(before);
  });

  it("that uses up its budget while planning or while working ends failed, with the budget named [RUN-11]", async () => {
    const usage = { input: 90, output: 20 };
    const [proposal, ...rest] = goodChange();
    const turns = [{ ...proposal!, usage }, ...rest.map((turn) => ({ ...turn, usage }))];
    const planning = await shop.run(turns, { args: ["--budget", "100"] });
    expect([planning.code, planning.run.status, workOf(planning.run)]).toEqual([5, "failed", []]);
    expect(planning.run.reason).toMatch(/budget of 100 tokens is used up \(110\)/);
    const working = await shop.run(turns, { args: ["--budget", "200"] });
    expect([working.run.status, working.run.cost.calls]).toEqual(["failed", 2]);
    expect(nodeOf(working.run, "Node price")).toMatchObject({
      state: "failed",
      attempt: 1,
      error: expect.stringContaining("budget of 200"),
    });
    expect(working.run.reason).toContain("budget of 200 tokens is used up");
    expect(shop.git("show", `${working.run.commit}:src/price.ts`), "what it wrote is kept").toContain("price");
  });

  it("has a budget that the user raises with a reason, which is in the audit, and that no agent raises [HLTH-2]", async () => {
    const usage = { input: 90, output: 20 };
    const turns = goodChange().map((turn) => ({ ...turn, usage }));
    const { run } = await shop.run(turns, { args: ["--budget", "200"] });
    const again = async () => {
      const retried = await daemon.user.call("run.retry", { id: run.id, node: "Node price" });
      expect(retried.run.status).toBe("running");
      return until("the run has ended", async () => {
        const { run: now } = await daemon.user.call("run.get", { id: run.id });
        return now.status === "running" ? undefined : now;
      });
    };
    expect((await again()).reason, "a second attempt is refused before its first call").toContain("budget of 200");
    const raise = (tokens: string, ...reason: string[]) => shop.sylk("run", "budget", run.id, tokens, ...reason);
    const { client } = await daemon.register("otter", { project: shop.repository });
    await expect(
      client.call("run.budget", { id: run.id, tokens: 10_000, reason: "I want more" }),
    ).rejects.toMatchObject({
      code: "caller.denied",
    });
    expect((await raise("10k")).code, "without a reason").toBe(2);
    const low = await raise("201", "--reason", "a little more");
    expect([low.code, low.stderr]).toEqual([2, expect.stringContaining("has a limit of 200 and has used 220")]);
    const audited = async () => (await daemon.user.call("audit.list", { action: "run.budget-raised" })).items;
    expect(await audited()).toEqual([]);
    expect((await again()).reason, "no refused raise counts").toContain("budget of 200");

    const raised = await raise("10k", "--reason", "the change is worth it");
    expect([raised.code, raised.stdout]).toEqual([0, expect.stringContaining(`${run.id} may use 10000 tokens`)]);
    expect(raised.stdout).toContain(`try again: sylk run retry ${run.id} "Node price"`);
    expect(await audited()).toMatchObject([
      {
        actor: { kind: "user" },
        subject: run.id,
        details: { from: 200, to: 10_000, used: 220, reason: "the change is worth it" },
      },
    ]);
    expect((await again()).status).toBe("verified");
  });

  it("whose engineer gives up or ends without finishing fails with the engineer's words [RUN-11]", async () => {
    const { run } = await shop.run([
      plan([{ key: "stuck" }, { key: "mute" }, { key: "later", dependsOn: ["stuck"] }]),
      ...work("stuck", { tool: "give_up", input: { reason: "the ledger is missing" } }),
      ...work("mute", { text: "I would rather talk." }),
    ]);
    expect(run.status).toBe("failed");
    expect(run.reason).toContain("Node stuck: the ledger is missing");
    expect(run.reason).toContain("ended (stop) without finishing: I would rather talk.");
    expect(nodeOf(run, "Node later").state).toBe("skipped");
  });
});

describe.concurrent("a command that is not on the list", { timeout: 180_000 }, () => {
  const touching = [
    plan([{ key: "touch" }]),
    ...work("touch", command("cp", "src/cart.ts", "src/copied.ts"), [
      write("src/price.ts", "export const price = 1;\n"),
      finish(),
    ]),
  ];

  it("is asked about, waits without having run, and runs once it is approved [RUN-11]", async () => {
    const { id, tree, question } = await asked(touching);
    expect(question).toBe("Run this command? cp src/cart.ts src/copied.ts");
    expect(existsSync(join(tree, "src/copied.ts"))).toBe(false);
    expect((await shop.sylk("approve", id)).stdout).toContain("command approved");
    const run = await rested(id);
    expect(run.status).toBe("verified");
    expect(shop.git("show", `${run.commit}:src/copied.ts`)).toContain("export function total");
  });

  it("is refused as a tool error when a person says no, and the engineer continues without it [RUN-11]", async () => {
    const { id } = await asked(touching);
    await shop.sylk("approve", id, "--reject");
    const run = await rested(id);
    expect([run.status, run.commit === undefined]).toEqual(["verified", false]);
    expect(shop.git("diff", "--name-only", run.workspace!.baseCommit, run.commit!)).toBe("src/price.ts");
  });

  async function asked(turns: Parameters<Shop["start"]>[0]) {
    const client = daemon.clientOf({ project: shop.repository });
    const { run } = await client.call("run.start", {
      request: "Copy a file",
      project: { path: shop.repository },
      rehearse: shop.scenario(turns),
      approve: true,
      testCommand: ["node", "--test", "test/format.test.ts"],
    });
    const { question } = await until(
      "the run asks",
      async () => {
        const { items } = await client.call("approval.list", { run: run.id });
        return items.find(({ status }) => status === "waiting");
      },
      patience,
    );
    return { id: run.id, tree: run.workspace!.tree, question };
  }

  async function rested(id: Run["id"]): Promise<Run> {
    return until(
      "the run rests",
      async () => {
        const { run } = await daemon.clientOf({ project: shop.repository }).call("run.get", { id });
        return run.status === "running" ? undefined : run;
      },
      patience,
    );
  }
});
