/** After the end of a daemon: what still writes is ended first, and a run goes on by itself or when it is told to. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import type { Run } from "../../src/contract/index.ts";
import { isAlive, killAndWait } from "../flows/processes.ts";
import { processesIn, workersUnder } from "../flows/run-processes.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { command, finish, plan, work, write } from "../flows/scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { makeQuickShop, nodeMoves, patience, shopEnv, type Shop, workOf } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import { aboutRun, eventsOf, rested } from "./killed-run.ts";

/** In its first life it writes its heartbeat for ever and is deaf to polite requests; in a later one it passes at once. */
const writer = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
process.on("SIGTERM", () => {});
test("writes", async () => {
  if (existsSync("beat.log")) return;
  for (;;) {
    appendFileSync("beat.log", process.pid + " " + Date.now() + "\\n");
    await new Promise((go) => setTimeout(go, 10));
  }
});
`;
const writing = [
  plan([{ key: "before" }, { key: "writer", dependsOn: ["before"] }]),
  ...work("before", write("src/before.ts", "export const before = 1;\n"), finish()),
  ...work("writer", write("slow/writer.test.ts", writer), command("node", "--test", "slow/writer.test.ts"), finish()),
];

it(
  "whose worker dies between the registration of an Engineer and its work gives that work to no other worker as this Engineer [RUN-4]",
  { timeout: 180_000 },
  async () => {
    const preload = join(import.meta.dirname, "kill-at-registration.ts");
    await using daemon = await openScratchDaemon({ env: shopEnv, nodeOptions: ["--import", preload] });
    const shop = makeQuickShop(daemon);
    // Long enough for the daemon to notice that the Engineer's process is gone: an Engineer that ended may not write.
    const slow = { reply: [write("src/price.ts", "export const price = 1;\n")], fault: { delayMs: 3_000 } };
    const { run, events } = await shop.run([plan([{ key: "price" }]), ...work("price", slow, finish())]);
    expect([run.status, shop.git("diff", "--name-only", run.workspace!.baseCommit, run.commit!)]).toEqual([
      "verified",
      "src/price.ts",
    ]);
    const interrupted = nodeMoves(events).filter(
      ({ title, cause }) => title === "Node price" && cause === "interrupted",
    );
    expect(interrupted, "the first attempt ended with its worker").toHaveLength(1);
  },
);

describe.concurrent("a command that outlives daemon and worker", { timeout: 180_000 }, () => {
  it("is ended before its node is dispatched again, and never writes afterwards [RUN-4]", async () => {
    // A sandboxed command does not outlive its worker.
    await using daemon = await openScratchDaemon({ env: { ...shopEnv, SYLK_RUNS_SANDBOX: "off" } });
    const { shop, id, tree, beats } = await beating(daemon);
    const [worker] = workersUnder(daemon.root);
    await Promise.all([daemon.kill(), killAndWait(worker!)]);
    const [orphan] = beats().at(-1)!;
    const count = beats().length;
    await until("it writes on without anybody", () => beats().length > count + 5);
    expect(isAlive(orphan)).toBe(true);

    await daemon.restart();
    const run = await rested(daemon, shop, id);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(isAlive(orphan)).toBe(false);
    const moves = nodeMoves(aboutRun(await eventsOf(daemon, shop.repository), id));
    const dispatches = moves.filter(({ title, to }) => title === "Node writer" && to === "running");
    expect(dispatches.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const events = await eventsOf(daemon, shop.repository);
    const dispatchedAgain = events.find(({ sequence }) => sequence === dispatches[1]!.sequence)!.at;
    expect(beats().at(-1)![1]).toBeLessThan(dispatchedAgain);
    expect(new Set(beats().map(([pid]) => pid)).size).toBe(1);
    expect(moves.filter(({ title, to }) => title === "Node before" && to === "running")).toHaveLength(1);
    expect(processesIn(tree)).toEqual([]);
  });
});

describe.concurrent("a run", { timeout: 180_000 }, () => {
  it("whose worker is killed leaves no sandboxed command, also without a daemon", async ({ skip }) => {
    skip(noSandbox !== "", noSandbox);
    await using daemon = await openScratchDaemon({ env: shopEnv });
    const { tree } = await beating(daemon);
    const [worker] = workersUnder(daemon.root);
    await Promise.all([daemon.kill(), killAndWait(worker!)]);
    await expect.poll(() => processesIn(tree), { timeout: 45_000 }).toEqual([]);
  });

  it("that is under way when the daemon is stopped in good order continues with the next one [RUN-4]", async () => {
    await using daemon = await openScratchDaemon({ env: shopEnv });
    const { shop, id, tree, beats } = await beating(daemon);
    expect((await shop.sylk("down")).code).toBe(0);
    expect([workersUnder(daemon.root), processesIn(tree)]).toEqual([[], []]);
    const count = beats().length;
    await daemon.restart();
    expect((await rested(daemon, shop, id)).status).toBe("verified");
    expect(beats().length).toBe(count);
    const moves = nodeMoves(aboutRun(await eventsOf(daemon, shop.repository), id));
    expect(moves.filter(({ title, to }) => title === "Node before" && to === "running")).toHaveLength(1);
  });

  it("stays paused when the daemon starts without auto-resume, with nothing of it running, until it is resumed [RUN-4]", async () => {
    await using daemon = await openScratchDaemon({ env: shopEnv });
    const { shop, id, tree, beats } = await beating(daemon);
    await daemon.kill();
    await daemon.restart({ args: ["--no-auto-resume"] });
    const paused = await rested(daemon, shop, id);
    expect([paused.status, paused.reason]).toEqual(["paused", `the daemon stopped; continue with "sylk resume ${id}"`]);
    expect([workersUnder(daemon.root), processesIn(tree)]).toEqual([[], []]);
    const count = beats().length;
    const resumed = await shop.sylk("resume", id);
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("verified")]);
    expect(beats().length).toBe(count);
  });

  it("that is interrupted stops what it was doing, and resume does only that again; cancelled it is over for good [RUN-4]", async () => {
    await using daemon = await openScratchDaemon({ env: shopEnv });
    const { shop, id, tree, beats } = await beating(daemon);
    const interrupted = jsonOf<{ run: Run }>(await shop.sylk("interrupt", id, "--json")).run;
    expect(interrupted.status).toBe("paused");
    expect(workOf(interrupted).map(({ state }) => state)).toEqual(["succeeded", "queued"]);
    expect([workersUnder(daemon.root), processesIn(tree)]).toEqual([[], []]);
    const count = beats().length;
    expect((await shop.sylk("resume", id)).code).toBe(0);
    expect(beats().length).toBe(count);
    const moves = nodeMoves(aboutRun(await eventsOf(daemon, shop.repository), id));
    expect(moves.filter(({ title, to }) => title === "Node before" && to === "running")).toHaveLength(1);

    const second = await beating(daemon);
    const cancelled = jsonOf<{ run: Run }>(await second.shop.sylk("cancel", second.id, "--json")).run;
    expect([cancelled.status, cancelled.reason]).toEqual(["cancelled", "cancelled; its changes stay on its branch"]);
    expect(workOf(cancelled).map(({ state }) => state)).toEqual(["succeeded", "cancelled"]);
    expect([workersUnder(daemon.root), processesIn(second.tree)]).toEqual([[], []]);
    expect(existsSync(join(second.tree, "src/before.ts"))).toBe(true);
    await daemon.kill();
    await daemon.restart();
    expect((await rested(daemon, second.shop, second.id)).status).toBe("cancelled");
    expect((await second.shop.sylk("resume", second.id)).code).toBe(4);
  });
});

/** A run whose second node has begun to write. */
async function beating(daemon: ScratchDaemon) {
  const shop: Shop = makeQuickShop(daemon);
  const { run } = await daemon.clientOf({ project: shop.repository }).call("run.start", {
    request: "Write",
    project: { path: shop.repository },
    rehearse: shop.scenario(writing),
    approve: true,
    testCommand: ["node", "test/format.test.ts"],
  });
  const { tree } = run.workspace!;
  const beats = (): (readonly [pid: number, at: number])[] => {
    const file = join(tree, "beat.log");
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").filter(Boolean) : [];
    return lines.map((line) => line.split(" ").map(Number) as unknown as readonly [number, number]);
  };
  await until("it writes", () => beats().length > 3, patience);
  return { shop, id: run.id, tree, beats };
}
