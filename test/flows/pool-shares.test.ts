/** Who gets the next slot of the pool, as settings and sessions say: real commands of real graphs, one slot. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { SessionId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

const env = { SYLK_POOL_WORKERS: "1", SYLK_POOL_AGEING_MS: "3600000" };
let daemon: ScratchDaemon;
let round = 0;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env });
});
afterAll(() => daemon[Symbol.asyncDispose]());
beforeEach(() => void round++);

const gate = (): string => join(daemon.root, `gate-${round}`);
const started = (): readonly string[] => {
  const file = join(daemon.root, `started-${round}`);
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};
const waiting = async (): Promise<number> => (await daemon.user.call("session.stats", {})).pool.waiting;

async function newSession(name: string): Promise<SessionId> {
  const made = await daemon.sylk(["session", "new", name, "--json"]);
  return jsonOf<{ session: { id: SessionId } }>(made).session.id;
}

/** Nodes without dependencies, each of which writes its name when it starts. */
async function start(session: SessionId, lanes: Readonly<Record<string, string>>, run?: string): Promise<void> {
  const nodes = Object.entries(lanes).map(([name, priority]) => {
    const command = run ?? `echo ${name} >> ${join(daemon.root, `started-${round}`)}`;
    return `  ${name}: { run: [sh, -c, '${command}'], priority: ${priority} }`;
  });
  writeTree(daemon.repository, { "graph.yaml": ["nodes:", ...nodes].join("\n") });
  const { code, stderr } = await daemon.sylk(["dag", "run", "graph.yaml", "--session", session, "--detach"]);
  expect([code, stderr]).toEqual([0, ""]);
}

/** Holds the only slot until `open`. */
async function holdSlot(): Promise<() => void> {
  const file = gate();
  await start(await newSession("gate"), { gate: "critical" }, `while [ ! -e ${file} ]; do sleep 0.02; done`);
  await until("the slot is taken", async () => (await daemon.user.call("session.stats", {})).pool.running === 1);
  return () => writeFileSync(file, "");
}

async function orderOf(count: number, open: () => void): Promise<readonly string[]> {
  await until(`${count} jobs wait`, async () => (await waiting()) === count);
  open();
  await until("all have started", () => started().length === count);
  return started();
}

const eight = (letter: string) =>
  Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${letter}${index}`, "normal"]));

/** How many of the first n started jobs are of that session. */
const shareOf = (letter: string, order: readonly string[], n: number) =>
  order.slice(0, n).filter((name) => name.startsWith(letter)).length;

it("a session with weight 3 gets three turns for one of a session without a weight, within one turn, also after a restart [POOL-8]", async () => {
  const [heavy, light] = [await newSession("heavy"), await newSession("light")];
  const refused = await daemon.sylk(["session", "set", "weight", "101", "--session", heavy]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("whole number from 1 to 100")]);
  const set = await daemon.sylk(["session", "set", "weight", "3", "--session", heavy]);
  expect(set.stdout).toContain("weight 3");
  for (const life of ["this", "the next"]) {
    if (life === "the next") {
      await daemon.sylk(["down"]);
      await daemon.restart({ env });
      round++;
    }
    const open = await holdSlot();
    await start(light, eight("l"));
    await start(heavy, eight("h"));
    const order = await orderOf(16, open);
    for (const turns of [4, 8]) {
      expect(shareOf("h", order, turns), `${life} daemon: ${order.join(" ")}`).toBeGreaterThanOrEqual(turns * 0.75 - 1);
      expect(shareOf("l", order, turns), `${life} daemon: ${order.join(" ")}`).toBeGreaterThanOrEqual(turns * 0.25 - 1);
    }
    expect(shareOf("h", order, 8), `${life} daemon: ${order.join(" ")}`).toBeGreaterThanOrEqual(5);
  }
  await daemon.sylk(["session", "unset", "weight", "--session", heavy]);
  round++;
  const open = await holdSlot();
  await start(light, eight("l"));
  await start(heavy, eight("h"));
  const order = await orderOf(16, open);
  for (const turns of [2, 4, 8]) expect(shareOf("h", order, turns), order.join(" ")).toBe(turns / 2);
});

it("a worker for background jobs takes them first, and any other job when there are none [POOL-3]", async () => {
  const session = await newSession("mixed");
  const lanes = { urgent: "high", usual: "normal", later: "background" };
  const plain = await holdSlot();
  await start(session, lanes);
  expect(await orderOf(3, plain)).toEqual(["urgent", "usual", "later"]);
  await daemon.sylk(["down"]);
  await daemon.restart({ env: { ...env, SYLK_POOL_BACKGROUND_WORKERS: "1" } });
  round++;
  const bound = await holdSlot();
  await start(session, lanes);
  expect(await orderOf(3, bound)).toEqual(["later", "urgent", "usual"]);
});
