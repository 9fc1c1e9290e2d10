/** Privileged acts of a real daemon, as the user sees them; and what becomes of the chain when somebody lays hands on it. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Approval, AuditEntry, ChainReport } from "../../src/contract/index.ts";
import { provider } from "./rehearsed-runs.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, shopEnv } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function acts(...args: readonly string[]): Promise<readonly AuditEntry[]> {
  const listed = await daemon.sylk(["audit", "list", "--json", ...args]);
  return jsonOf<{ items: AuditEntry[] }>(listed).items.toReversed();
}
async function verified(...args: readonly string[]): Promise<readonly [code: number | null, report: ChainReport]> {
  const run = await daemon.sylk(["audit", "verify", "--json", ...args]);
  return [run.code, jsonOf<ChainReport>(run)];
}

/** Kills the daemon, changes its file behind its back, starts it again. */
async function spoil(statement: string): Promise<void> {
  await daemon.kill();
  const connection = new Database(daemon.paths.database);
  connection.exec("DROP TRIGGER IF EXISTS audit_is_never_changed; DROP TRIGGER IF EXISTS audit_is_never_removed");
  connection.exec(statement);
  connection.close();
  await daemon.restart();
}

describe("the audit", { timeout: 180_000 }, () => {
  it("has every act by which the user's authority went beyond a protection, in order, and they are intact", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    await shop.sylk("merge", run.id);
    const { run: waiting } = await shop.run(goodChange(), { approve: false });
    const decided = await shop.sylk("approve", waiting.id, "--reject", "--json");
    const { approval } = jsonOf<{ approval: Approval }>(decided);
    await shop.sylk("discard", waiting.id);
    await daemon.user.call("provider.add", provider("acme"));
    await daemon.user.call("provider.remove", { name: "acme" });
    await daemon.user.call("provider.remove", { name: "nobody" }).catch(() => {});
    await daemon.user.call("dashboard.link", {});
    const heron = await daemon.register("heron");
    await heron.client.call("reservation.acquire", { paths: ["src/a.ts"] });
    await daemon.user.call("agent.end", { id: heron.agent.id });

    const recorded = await acts();
    expect(recorded.map(({ action, actor, subject }) => [action, actor.kind, subject])).toEqual([
      ["user-token.trusted", "daemon", "user"],
      ["run.approved-in-advance", "user", run.id],
      ["run.merged", "user", run.id],
      ["approval.rejected", "user", approval.id],
      ["run.discarded", "user", waiting.id],
      ["provider.added", "user", "acme"],
      ["provider.removed", "user", "acme"],
      ["dashboard.link-made", "user", "user"],
      ["agent.ended", "user", heron.agent.id],
    ]);
    expect(recorded[2]!.details).toMatchObject({
      status: "verified",
      unverified: false,
      commit: shop.git("rev-parse", "HEAD"),
    });
    expect(await verified()).toEqual([0, expect.objectContaining({ intact: true, entries: 9, head: "matches" })]);
    const { code, stdout } = await daemon.sylk(["audit", "verify"]);
    expect([code, stdout]).toEqual([0, `Intact: rows 1 to 9 are unchanged. Last hash ${recorded[8]!.hash}\n`]);
    const table = (await daemon.sylk(["audit", "list", "--action", "provider"])).stdout;
    expect(table).toMatch(/#\s+when\s+who\s+what[^]*provider\.removed\s+acme[^]*provider\.added\s+acme\s+kind=/);
  });

  it("has what retention took out of the event log", async () => {
    await spoil("UPDATE events SET at = 1");
    const [act] = await until("retention has run", async () => {
      const removed = await acts("--action", "events.removed");
      return removed.length > 0 && removed;
    });
    expect(act).toMatchObject({ sequence: 10, actor: { kind: "daemon" }, details: { removed: expect.any(Number) } });
  });

  it("names the first row that was changed, says what to do, and ends with code 7", async () => {
    await spoil("UPDATE audit SET subject = 'acme2' WHERE sequence = 6");
    expect(await verified()).toEqual([
      7,
      expect.objectContaining({ intact: false, entries: 5, problem: expect.objectContaining({ sequence: 6 }) }),
    ]);
    const { code, stdout } = await daemon.sylk(["audit", "verify"]);
    expect([code, stdout]).toEqual([7, expect.stringMatching(/^Broken at row 6: row 6 was changed\n.*Keep copies/)]);
    await spoil("UPDATE audit SET subject = 'acme' WHERE sequence = 6");
    expect((await verified())[0]).toBe(0);
  });

  it("reports rows that were cut off at the end, in the log and for ever, and a copy from before is good", async () => {
    const copy = join(daemon.root, "copy.db");
    await daemon.kill();
    const connection = new Database(daemon.paths.database);
    connection.exec(`VACUUM INTO '${copy}'`);
    connection.close();
    await daemon.restart();
    await spoil("DELETE FROM audit WHERE sequence >= 9");
    expect((await verified())[1].problem).toMatchObject({ sequence: 9, what: "rows 9 to 10 were removed" });
    const { stdout } = await daemon.sylk(["logs", "--json", "--lines", "1000"]);
    expect(stdout).toMatch(/"event":"audit\.broken"/);
    await daemon.user.call("dashboard.link", {});
    expect((await verified())[0], "a new act covers nothing up").toBe(7);
    expect(await verified("--file", copy)).toEqual([0, expect.objectContaining({ entries: 10, head: "not-compared" })]);
    // The way out that the user is told: take the head away, and the daemon records that it made a new one.
    rmSync(join(daemon.paths.home, "audit-head"));
    await daemon.kill();
    await daemon.restart();
    expect((await verified())[0]).toBe(0);
    expect((await acts("--limit", "1"))[0]).toMatchObject({ action: "audit.head-rebuilt", actor: { kind: "daemon" } });
  });
});
