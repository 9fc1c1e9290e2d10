/** A run before one's eyes: lines of JSON, plain text in a pipe, a tree that is drawn again on a terminal. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEvent, Run } from "../../src/contract/index.ts";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, patience, shopEnv } from "./scratch-shop.ts";
import { hasTerminal, noTerminal, startOnTerminal } from "./terminal.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const testCommand = ["--test-command", "node test/format.test.ts"];

describe.concurrent("sylk run", { timeout: 180_000 }, () => {
  it("with --json writes each event of the run as one line while it happens, and the run itself last [RUN-10]", async () => {
    const shop = makeQuickShop(daemon);
    const running = shop.start([
      plan([{ key: "slow" }]),
      ...work(
        "slow",
        { reply: [write("src/slow.ts", "export const slow = 1;\n")], fault: { delayMs: 1_000 } },
        finish(),
      ),
    ]);
    await until("the node runs", () => running.output().includes('"to":"running","attempt":1'), patience);
    expect(running.output(), "it is told before the end").not.toContain('"verified"');
    const { code, stdout } = await running.ended;
    expect([code, stdout.endsWith("\n")]).toEqual([0, true]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as LogEvent | { run: Run });
    const events = lines.slice(0, -1) as LogEvent[];
    expect(lines.at(-1)).toMatchObject({ run: { status: "verified" } });
    expect(events[0]).toMatchObject({ type: "run.started" });
    expect(events.at(-1)).toMatchObject({ type: "run.status-changed", data: { to: "verified" } });
    const { items } = await daemon.clientOf({ project: shop.repository }).call("event.list", { limit: 1000 });
    const { id } = (lines.at(-1) as { run: Run }).run;
    const logged = items.filter(({ subject, data }) => subject === id || data.run === id);
    expect(events, "all of them, each once").toEqual(logged);
  });

  it("works on after the log has dropped its beginning, and reads nothing that is older than the run [RUN-10]", async () => {
    await using old = await openScratchDaemon({ env: { ...shopEnv, SYLK_EVENTS_MAX_COUNT: "1000" } });
    const heron = await old.register("heron");
    for (let batch = 0; batch < 11; batch++)
      await Promise.all(
        Array.from({ length: 100 }, () => heron.client.call("work-item.create", { title: "Earlier", type: "task" })),
      );
    await old.kill();
    await old.restart();
    await expect(heron.client.call("event.list", { after: 0 })).rejects.toMatchObject({ code: "events.truncated" });
    const { stdout } = await makeQuickShop(old).start(goodChange()).ended;
    const [first, ...rest] = stdout.trimEnd().split("\n");
    expect(JSON.parse(first!)).toMatchObject({ type: "run.started" });
    const { run } = JSON.parse(rest.at(-1)!) as { run: Run };
    expect([run.status, run.since]).toEqual(["verified", expect.toSatisfy((since: number) => since >= 1_100)]);
  });

  it("in a pipe says plan, nodes, questions, checks and result once each, without a single escape code [RUN-10]", async () => {
    const shop = makeQuickShop(daemon);
    const turns = [
      plan([{ key: "copy" }]),
      ...work("copy", command("cp", "src/cart.ts", "src/copied.ts"), finish("it is copied")),
    ];
    const scenario = shop.scenario(turns);
    const running = daemon.start(["run", "Copy", "--rehearse", scenario, "--yes", ...testCommand], {
      cwd: shop.repository,
    });
    const id = await until(
      "it asks",
      () => /asks {2}Run this command\? cp .*sylk approve (apr_\w+)/.exec(running.output())?.[1],
      patience,
    );
    await shop.sylk("approve", id);
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
    for (const said of [
      "Plan  A small plan.",
      "  1. Node copy",
      "pass     tests: 1 test passed",
      "verified",
      "added  src/copied.ts",
    ])
      expect(stdout.split(said).length, said).toBe(2);
    expect(stdout).toMatch(/✔ Node copy {2}\w+\n {6}it is copied/);
    expect(stdout).toContain("merge it: sylk merge run_");
  });

  it("on a terminal draws the tree again in place, with progress, cost and the rehearsal's label", async ({ skip }) => {
    skip(!hasTerminal(), noTerminal);
    const shop = makeQuickShop(daemon);
    const args = ["run", "Change", "--rehearse", shop.scenario(goodChange(["price", "tax"])), "--yes", ...testCommand];
    const { stdout } = await startOnTerminal({ ...daemon, repository: shop.repository }, args).ended;
    const drawings = stdout.split(/\u001b\[\d+A\u001b\[J/);
    expect(drawings.length).toBeGreaterThan(4);
    expect(stdout).toContain("▸");
    expect(drawings.at(-1)).toMatch(/█{20} 2\/2 {2}5 model calls, \d+ tokens/u);
    expect(drawings.at(-1)).toContain("[rehearsal]");
    expect(drawings.at(-1)).toMatch(/✔.* Node price/);
  });
});
