/** What runs leave behind: nothing that is merged or empty, and everything that is not. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { finish, plan, type Turn, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, type Shop, shopEnv } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const noPlan: Turn = { when: { tool: "propose_plan" }, reply: [{ text: "I would rather not." }] };
const idle = [plan([{ key: "idle" }]), ...work("idle", finish("nothing to do"))];
const givesUp = [
  plan([{ key: "price" }]),
  ...work("price", write("src/price.ts", "export const price = 1;\n"), {
    tool: "give_up",
    input: { reason: "no price list" },
  }),
];

/** Every place where a run's tree or branch could be seen. */
async function seen(shop: Shop, { id }: Run) {
  const { run } = jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json"));
  const { items } = jsonOf<{ items: Run[] }>(await shop.sylk("run", "list", "--json"));
  const short = id.slice(-8);
  return {
    branch: shop.git("branch", "--list", `sylk/run-${short}`) !== "",
    listed: shop.git("worktree", "list").includes(short),
    folder: existsSync(join(daemon.env.SYLK_HOME!, "worktrees", `run-${short}`)),
    shown: run.workspace !== undefined,
    inList: items.find((item) => item.id === id)?.workspace !== undefined,
  };
}
const gone = { branch: false, listed: false, folder: false, shown: false, inList: false };
const there = { branch: true, listed: true, folder: true, shown: true, inList: true };

describe.concurrent("a run", { timeout: 180_000 }, () => {
  it.each<[string, readonly Turn[], Run["status"]]>([
    ["changed nothing", idle, "unverified"],
    ["failed before its work", [noPlan], "failed"],
  ])("that %s leaves no tree and no branch [RUN-15]", async (_, turns, status) => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(turns);
    expect([run.status, run.commit]).toEqual([status, undefined]);
    expect(await seen(shop, run)).toEqual(gone);
    expect((await shop.sylk("diff", run.id)).stdout).toBe("Nothing was changed\n");
  });

  it("whose plan is rejected leaves no tree and no branch, and can be discarded all the same [RUN-15]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange(), { approve: false });
    expect(await seen(shop, run)).toEqual(there);
    await shop.sylk("approve", run.id, "--reject");
    expect(await seen(shop, run)).toEqual(gone);
    const discarded = await shop.sylk("discard", run.id);
    expect([discarded.code, discarded.stdout]).toEqual([0, "Discarded; it left no changes\n"]);
    expect(shop.git("for-each-ref", "refs/sylk")).toBe("");
  });

  it("that is merged leaves no tree and no branch; a second merge says when it was; every view agrees [RUN-15]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    expect(await seen(shop, run)).toEqual(there);
    const merged = await shop.sylk("merge", run.id);
    const commit = shop.git("rev-parse", "HEAD");
    expect([merged.code, merged.stdout]).toEqual([0, `Merged ${run.id} as ${commit.slice(0, 10)}\n`]);
    expect(await seen(shop, run)).toEqual(gone);
    const again = await shop.sylk("merge", run.id);
    expect([again.code, again.stdout]).toEqual([0, `${run.id} was already merged as ${commit.slice(0, 10)}\n`]);
    expect((await shop.sylk("diff", run.id)).stdout).toContain("+export const price = 1;");
    expect((await shop.sylk("run", "show", run.id)).stdout).toContain(
      `The change was merged as ${commit.slice(0, 10)}.`,
    );
    const user = daemon.clientOf({ project: shop.repository });
    const { items } = await user.call("event.list", { limit: 1000 });
    const outcomes = items.filter(({ type, subject }) => type === "run.outcome-changed" && subject === run.id);
    expect(outcomes.map(({ data }) => [data.outcome, data.commit])).toEqual([["merged", commit]]);
    const retried = await shop.sylk("run", "retry", run.id, "conclude");
    expect([retried.code, retried.stderr]).toEqual([4, expect.stringContaining("was merged")]);
  });

  it("that is merged as a branch leaves nothing either [RUN-15]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    expect((await shop.sylk("branch", "merge", run.workspace!.branch)).code).toBe(0);
    await until("it is cleared", async () => !(await seen(shop, run)).shown);
    expect(await seen(shop, run)).toEqual(gone);
  });

  it("keeps what is not merged: a file that was added to its tree later, until it is discarded by name [RUN-15]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    writeFileSync(join(run.workspace!.tree, "later.txt"), "mine\n");
    const merged = await shop.sylk("merge", run.id);
    expect(merged.stdout).toMatch(/^Its tree and branch stay, because its tree .* has changes that are not merged$/m);
    expect(await seen(shop, run)).toEqual(there);
    const kept = await shop.sylk("discard", "--finished");
    expect(kept.stdout).toMatch(new RegExp(`^Kept    ${run.id}  .*not merged$`, "m"));
    expect(await seen(shop, run)).toEqual(there);
    expect((await shop.sylk("discard", run.id)).code).toBe(0);
    expect(shop.git("show", `refs/sylk/quarantine/run-${run.id.slice(-8)}:later.txt`)).toBe("mine");
    expect(await seen(shop, run)).toEqual(gone);
  });
});

describe("sylk discard --finished", { timeout: 180_000 }, () => {
  it("clears failed runs into quarantine, keeps the others, and says why [RUN-15]", async () => {
    const shop = makeQuickShop(daemon);
    const failed = (await shop.run(givesUp)).run;
    const open = (await shop.run(goodChange(["tax"]))).run;
    const waiting = (await shop.run(goodChange(), { approve: false })).run;
    expect([failed.status, await seen(shop, failed)]).toEqual(["failed", there]);
    const { code, stdout } = await shop.sylk("discard", "--finished");
    const reference = `refs/sylk/quarantine/run-${failed.id.slice(-8)}`;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n").sort()).toEqual(
      [
        `Cleared ${failed.id}  failed; its changes are kept under ${reference}`,
        `Kept    ${open.id}  ${open.workspace!.branch}: it is verified and not merged`,
        `Kept    ${waiting.id}  ${waiting.workspace!.branch}: it is awaiting_approval`,
      ].sort(),
    );
    expect(await seen(shop, failed)).toEqual(gone);
    expect(shop.git("show", `${reference}:src/price.ts`)).toBe("export const price = 1;");
    for (const run of [open, waiting]) expect(await seen(shop, run)).toEqual(there);
    await shop.sylk("cancel", waiting.id);
    expect(readdirSync(shop.repository)).not.toContain("later.txt");
  });
});
