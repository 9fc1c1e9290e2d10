/** One inbox: everything that waits for a person, in one list and settled by one verb. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunId } from "../../src/contract/index.ts";
import { startRun, waitingApproval } from "./rehearsed-runs.ts";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, patience, shopEnv } from "./scratch-shop.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => void (daemon = await openScratchDaemon({ env: shopEnv })));
afterAll(() => daemon[Symbol.asyncDispose]());

const waiting = async () => (await daemon.user.call("approval.list", {})).items;

it("lists a hold that an agent asks a person for; approving releases it, rejecting keeps it a while longer [RUN-16]", async () => {
  const heron = await daemon.register("heron");
  for (const file of ["a.ts", "b.ts"]) expect((await daemon.sylk(["reserve", file])).code).toBe(0);
  const held = (await daemon.user.call("reservation.list", {})).items;
  for (const { id } of held) await heron.client.call("reservation.ask", { id, reason: "the build is red" });
  const list = (await daemon.sylk(["approvals"])).stdout;
  expect(list).toMatch(/^hold {2}Release a\.ts\? {2}rsv_/m);
  expect(list).toContain("the build is red");
  expect(list).toMatch(/asked by heron \d+ s ago/);
  expect(list).toMatch(/without an answer heron may take it \((10|9) min/);
  const [a, b] = ["a.ts", "b.ts"].map((path) => held.find(({ paths }) => paths.includes(path))!);
  expect((await daemon.sylk(["approve", a!.id])).stdout).toContain("hold approved, for this hold only");
  expect((await daemon.sylk(["reject", b!.id])).stdout).toContain("hold rejected, for this hold only");
  expect(await waiting()).toEqual([]);
  expect((await heron.client.call("reservation.acquire", { paths: ["a.ts"] })).reservation.holder.name).toBe("heron");
  await expect(heron.client.call("reservation.acquire", { paths: ["b.ts"] })).rejects.toMatchObject({
    code: "reservation.conflict",
  });
  expect((await daemon.sylk(["approve", b!.id])).code, "it was answered already").toBe(3);
});

it("says of a plan who asks, for what, and for whom a decision holds; rejecting ends the run and leaves nothing [RUN-16]", async () => {
  const run = await startRun({ daemon });
  const { id } = await waitingApproval(run, { daemon });
  expect(await waiting()).toMatchObject([
    {
      id,
      kind: "plan",
      by: "architect",
      about: "Add a discount",
      byDefault: "it waits",
      holdsFor: "this plan of this run",
      createdAt: expect.any(Number),
    },
  ]);
  const rejected = await daemon.sylk(["reject", run, "--reason", "too much"]);
  expect(rejected.stdout).toContain("plan rejected, for this plan of this run");
  expect(await waiting()).toEqual([]);
});

it("keeps the other question when one of two is rejected, and takes it back when the graph is cancelled [RUN-16]", async () => {
  const nodes = { deploy: { run: ["true"], approve: true }, drop: { run: ["true"], approve: true } };
  const project = { path: daemon.repository };
  const hasty = (await daemon.user.call("dag.run", { project, nodes })).dag.id;
  await until("both wait", async () => (await waiting()).length === 2);
  await daemon.sylk(["reject", (await waiting())[0]!.id]);
  await until("a graph that fails fast takes its other question back", async () => (await waiting()).length === 0);
  expect((await daemon.user.call("dag.show", { id: hasty })).dag.status).toBe("failed");
  const { dag } = await daemon.user.call("dag.run", { project, nodes, policy: { failFast: false } });
  await until("both wait", async () => (await waiting()).length === 2);
  const several = await daemon.sylk(["approve", dag.id]);
  expect([several.code, several.stderr]).toEqual([3, expect.stringContaining("waits for 2 decisions")]);
  const [first] = await waiting();
  expect((await daemon.sylk(["reject", first!.id])).code).toBe(0);
  expect((await waiting()).map(({ id }) => id)).not.toContain(first!.id);
  expect(await waiting()).toHaveLength(1);
  await daemon.kill();
  await daemon.restart();
  await until("it still waits after a kill", async () => (await waiting()).length === 1);
  await daemon.user.call("dag.cancel", { id: dag.id });
  await until("nothing waits", async () => (await waiting()).length === 0);
});

it("leaves no question behind: one answer is for both engineers who ask, and an engineer that leaves takes its own along [RUN-16]", async () => {
  const shop = makeQuickShop(daemon);
  const client = daemon.clientOf({ project: shop.repository });
  const copy = command("cp", "src/cart.ts", "src/copied.ts");
  const started = async (turns: Parameters<typeof shop.scenario>[0]) => {
    const terms = { request: "Copy", project: { path: shop.repository }, rehearse: shop.scenario(turns) };
    const testCommand = ["node", "test/format.test.ts"];
    return (await client.call("run.start", { ...terms, approve: true, testCommand })).run.id;
  };
  const asked = (keys: readonly string[]) => {
    const done = (key: string) => [write(`src/${key}.ts`, `export const ${key} = 1;\n`), finish()];
    return started([plan(keys.map((key) => ({ key }))), ...keys.flatMap((key) => work(key, copy, done(key)))]);
  };
  const open = async (run: RunId) =>
    (await client.call("approval.list", { run })).items.filter(({ status }) => status === "waiting");
  const waits = (run: RunId, count: number) =>
    until(`${count} wait`, async () => (await open(run)).length === count, patience);
  const rests = (run: RunId) =>
    until("it rests", async () => (await client.call("run.get", { id: run })).run.status !== "running", patience);

  const both = await asked(["one", "two"]);
  await waits(both, 2);
  await shop.sylk("reject", (await open(both))[0]!.id);
  expect(await open(both), "the other engineer asked the same").toEqual([]);
  await rests(both);
  const { status, reason } = (await client.call("run.get", { id: both })).run;
  expect([status, reason]).toEqual(["verified", undefined]);

  const left = await asked(["three"]);
  await waits(left, 1);
  await client.call("run.pause", { id: left, abort: true });
  await waits(left, 0);
  await client.call("run.resume", { id: left });
  await waits(left, 1);
  await daemon.kill();
  await daemon.restart();
  await waits(left, 1);
  expect(await open(left), "asked anew, once, after a kill").toHaveLength(1);
  await client.call("run.cancel", { id: left });
  await waits(left, 0);

  const words = { question: "Which currency?" };
  const clarify = { tool: "clarify", input: { question: "Which currency do your customers pay in?" } };
  const blocked = await started([
    plan([{ key: "four" }, { key: "five" }]),
    { when: { tool: "answer_engineer", mentions: words.question }, reply: [clarify] },
    ...work("four", { tool: "request_help", input: words }),
    ...work("five", copy, finish()),
  ]);
  await waits(blocked, 2);
  expect((await open(blocked)).map(({ kind }) => kind).toSorted()).toEqual(["command", "question"]);
  await client.call("run.skip", { id: blocked, node: "Node four" });
  await waits(blocked, 1);
  expect(
    (await open(blocked)).map(({ kind }) => kind),
    "a skipped node asks nothing",
  ).toEqual(["command"]);
  await client.call("run.cancel", { id: blocked });
  await waits(blocked, 0);
  expect((await daemon.sylk(["approvals", "--all"])).stdout).toBe("No decisions are waiting\n");
});

it("covers all projects with --all, and is refused to an agent [CORE-33]", async () => {
  const nest = daemon.addRepository("nest");
  const crow = await daemon.register("crow", { project: nest });
  const nodes = { deploy: { run: ["true"], approve: true } };
  await daemon.clientOf({ project: nest }).call("dag.run", { project: { path: nest }, nodes });
  await until("it waits", async () => (await daemon.sylk(["approvals", "--all"])).stdout.startsWith("nest  node"));
  expect((await daemon.sylk(["approvals"])).stdout).toBe("No decisions are waiting\n");
  await expect(crow.client.call("approval.list", { all: true })).rejects.toMatchObject({ code: "caller.denied" });
  const page = await fetch(new URL("/v1/approvals", daemon.url), {
    headers: { authorization: `Bearer ${daemon.userToken}` },
  });
  expect(await page.json()).toMatchObject({ items: [{ project: "nest", kind: "node", by: "graph" }] });
});
