/** What becomes of a run's change: looked at, merged, or put into quarantine. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { edit, finish, plan, work } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, makeShop, type Shop, shopEnv } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function outcomeOf(shop: Shop, { id }: Run): Promise<Run["outcome"]> {
  return jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json")).run.outcome;
}

describe.concurrent("merge", { timeout: 180_000 }, () => {
  it("refuses a dirty file that it changes and leaves all as it was; then brings in exactly what was checked, once [RUN-9, GIT-17]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    expect(run.status).toBe("verified");
    const diff = await shop.sylk("diff", run.id);
    expect([diff.code, diff.stdout]).toEqual([0, expect.stringContaining("+export const price = 1;")]);
    expect(jsonOf(await shop.sylk("diff", run.id, "--json"))).toMatchObject({
      files: [{ path: "src/price.ts", kind: "added", added: 1, removed: 0 }],
      truncated: false,
    });

    // A change of another file stays as it is, staged or not.
    writeFileSync(join(shop.repository, "src/cart.ts"), "// being edited\n");
    writeFileSync(join(shop.repository, "src/staged.ts"), "// staged\n");
    shop.git("add", "src/staged.ts");
    const others = shop.git("status", "--porcelain");
    writeFileSync(join(shop.repository, "src/price.ts"), "// in the way\n");
    const [before, head] = [shop.snapshot(), shop.git("rev-parse", "HEAD")];
    const dirty = await shop.sylk("merge", run.id, "--json");
    expect(dirty.code).toBe(4);
    expect(jsonOf(dirty)).toMatchObject({ error: { code: "workspace.dirty", details: { changes: ["src/price.ts"] } } });
    expect([shop.snapshot(), shop.git("rev-parse", "HEAD")]).toEqual([before, head]);
    rmSync(join(shop.repository, "src/price.ts"));

    // Somebody goes on working on the branch: that was never checked.
    writeFileSync(join(run.workspace!.tree, "src/later.ts"), "export const later = 1;\n");
    shop.git("-C", run.workspace!.tree, "add", "--all");
    shop.git("-C", run.workspace!.tree, "commit", "--quiet", "--message", "later");

    const merged = await shop.sylk("merge", run.id);
    expect([merged.code, merged.stdout]).toEqual([0, expect.stringContaining("Merged")]);
    expect(readFileSync(join(shop.repository, "src/price.ts"), "utf8")).toBe("export const price = 1;\n");
    expect(existsSync(join(shop.repository, "src/later.ts"))).toBe(false);
    expect(shop.git("log", "-1", "--format=%s %P")).toBe(`Change the shop ${head} ${run.commit}`);
    expect(shop.git("status", "--porcelain")).toBe(others);
    expect(readFileSync(join(shop.repository, "src/cart.ts"), "utf8")).toBe("// being edited\n");
    const after = shop.git("rev-parse", "HEAD");
    expect((await shop.sylk("merge", run.id)).code).toBe(0);
    expect(shop.git("rev-parse", "HEAD"), "a repeated merge adds nothing").toBe(after);

    const cleared = await shop.sylk("discard", run.id);
    expect([cleared.code, cleared.stdout]).toEqual([0, expect.stringContaining("stays merged")]);
    expect([existsSync(run.workspace!.tree), shop.git("rev-parse", "HEAD")]).toEqual([false, after]);
    const shown = jsonOf<{ run: Run }>(await shop.sylk("run", "show", run.id, "--json")).run;
    expect(shown.outcome).toBe("merged");
    expect((await shop.sylk("diff", run.id)).stdout).toContain("+export const price = 1;");
  });

  it("that conflicts leaves the tree as it was; discard then keeps everything in quarantine and clears away [RUN-9]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run([
      plan([{ key: "format" }]),
      ...work("format", edit("src/format.ts", '1999 -> "19.99"', "the run's own words"), finish()),
    ]);
    expect(run.status).toBe("verified");
    const { tree, branch } = run.workspace!;
    const head = shop.commit({ "src/format.ts": "/** the user's own words */\nexport const formatPrice = String;\n" });
    const before = shop.snapshot();
    const conflict = await shop.sylk("merge", run.id, "--json");
    expect(conflict.code).toBe(4);
    expect(jsonOf(conflict)).toMatchObject({
      error: { code: "workspace.conflict", details: { branch, conflicts: ["src/format.ts"] } },
    });
    expect([shop.snapshot(), shop.git("rev-parse", "HEAD"), shop.git("status", "--porcelain")]).toEqual([
      before,
      head,
      "",
    ]);
    expect(existsSync(join(shop.repository, ".git", "MERGE_HEAD"))).toBe(false);

    writeFileSync(join(tree, "src/untracked.ts"), "export const untracked = 1;\n");
    const discarded = await shop.sylk("discard", run.id);
    const reference = `refs/sylk/quarantine/${branch.replace("sylk/", "")}`;
    expect([discarded.code, discarded.stdout]).toEqual([0, expect.stringContaining(reference)]);
    expect(shop.git("show", `${reference}:src/format.ts`)).toContain("the run's own words");
    expect(shop.git("show", `${reference}:src/untracked.ts`)).toBe("export const untracked = 1;");
    expect([
      existsSync(tree),
      shop.git("branch", "--list", branch),
      shop.git("worktree", "list").split("\n").length,
    ]).toEqual([false, "", 1]);
    for (const words of ["discard", "merge", "diff"]) {
      const again = await shop.sylk(words, run.id);
      expect([again.code, again.stderr], words).toEqual([4, expect.stringContaining("was discarded")]);
    }
    expect(shop.snapshot()).toEqual(before);
  });

  it("waits for the holder of a file it changes, asks it, tells it, and the run's state follows [GIT-17]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    const heron = await daemon.register("heron", { project: shop.repository });
    const { reservation } = await heron.client.call("reservation.acquire", { paths: ["src/price.ts"] });
    const held = await shop.sylk("merge", run.id);
    expect([held.code, held.stderr]).toEqual([4, expect.stringMatching(/"src\/price.ts" is held by heron.*--wait/s)]);
    expect([existsSync(join(shop.repository, "src/price.ts")), await outcomeOf(shop, run)]).toEqual([false, "open"]);

    const waiting = shop.sylk("merge", run.id, "--wait");
    const [asked] = await until("heron is asked", async () => {
      const { items } = await heron.client.call("mail.inbox", { channel: "requests" });
      return items.length > 0 && items;
    });
    expect(asked).toMatchObject({ content: { kind: "release-request", reservation: reservation.id } });
    await heron.client.call("reservation.release", { id: reservation.id });
    const merged = await waiting;
    expect([merged.code, merged.stdout]).toEqual([0, expect.stringContaining(`\nTold ${heron.agent.name}\n`)]);
    expect([existsSync(join(shop.repository, "src/price.ts")), await outcomeOf(shop, run)]).toEqual([true, "merged"]);
    const { items } = await heron.client.call("mail.inbox", { channel: "notices" });
    expect(items).toMatchObject([{ content: { kind: "commit-notice", paths: ["src/price.ts"] } }]);
  });

  it("by the merge queue is the same merge, and the run's state follows it [GIT-17]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    expect((await shop.sylk("branch", "merge", run.workspace!.branch)).code).toBe(0);
    await until("the run is merged", async () => (await outcomeOf(shop, run)) === "merged");
    const head = shop.git("rev-parse", "HEAD");
    expect((await shop.sylk("merge", run.id)).code).toBe(0);
    expect(shop.git("rev-parse", "HEAD")).toBe(head);
  });

  it("of an unverified change needs its flag [RUN-9]", async () => {
    const shop = makeShop(daemon, { "package.json": "{}\n" });
    const { run } = await shop.run(goodChange());
    expect(run.status).toBe("unverified");
    const refused = await shop.sylk("merge", run.id);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("--unverified")]);
    expect(existsSync(join(shop.repository, "src/price.ts"))).toBe(false);
    expect((await shop.sylk("merge", run.id, "--unverified")).code).toBe(0);
    expect(existsSync(join(shop.repository, "src/price.ts"))).toBe(true);
    expect(shop.git("log", "-1", "--format=%b")).toContain("unverified");
  });
});
