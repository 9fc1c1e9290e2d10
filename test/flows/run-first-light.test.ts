/** One request from the command line to a verified change, through every role, and the same over HTTP and MCP. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maySend, type Message, type Run } from "../../src/contract/index.ts";
import { workersUnder } from "./run-processes.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import {
  endedRun,
  goodChange,
  makeQuickShop,
  makeShop,
  messagesOf,
  nodeMoves,
  shopEnv,
  type EndedRun,
  type Shop,
} from "./scratch-shop.ts";
import { until } from "./until.ts";
import { waysInto } from "./ways-in.ts";

type KeptContent = Pick<Run, "status" | "plan" | "checks" | "cost" | "findings"> & {
  readonly nodes: readonly object[];
};

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe("sylk run", () => {
  let shop: Shop;
  let ended: EndedRun;
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    shop = makeShop(daemon);
    before = shop.snapshot();
    const request = "@to:architect Add percentage discounts to the cart";
    ended = endedRun(await shop.sylk("run", request, "--rehearse", "--yes", "--json"));
  });

  it("takes a request to a verified commit on a branch of its own, and leaves the user's tree alone [RUN-1]", () => {
    const { code, run } = ended;
    expect([code, run.status, run.reason, run.label]).toEqual([0, "verified", undefined, "rehearsal"]);
    const { branch, baseCommit, tree } = run.workspace!;
    expect(shop.git("rev-parse", branch)).toBe(run.commit);
    expect(shop.git("rev-parse", `${branch}^`)).toBe(baseCommit);
    expect(shop.git("diff", "--name-status", baseCommit, branch).split("\n")).toEqual([
      "M\tsrc/cart.ts",
      "A\tsrc/discount.ts",
      "A\tsrc/receipt.ts",
      "A\ttest/discount.test.ts",
    ]);
    expect(readFileSync(join(tree, "src/cart.ts"), "utf8")).toContain("discountedTotal");
    expect(shop.snapshot()).toEqual(before);
    expect([shop.git("status", "--porcelain"), shop.git("branch", "--show-current")]).toEqual(["", "main"]);
  });

  it("has checked that commit with the project's own linter and tests, in Sylk's own process [RUN-1, RUN-6]", () => {
    const { run } = ended;
    const tree = shop.git("rev-parse", `${run.commit}^{tree}`);
    expect(run.checks.map(({ kind, round, outcome, exitCode }) => [kind, round, outcome, exitCode])).toEqual([
      ["inspection", 0, "fail", 1],
      ["tests", 0, "pass", 0],
      ["inspection", 1, "pass", 0],
      ["tests", 1, "pass", 0],
    ]);
    expect(run.checks.at(-1)).toMatchObject({
      command: ["npm", "run", "--silent", "test"],
      source: 'script "test" of package.json at the base commit',
      contentHash: tree,
      passed: 5,
      failed: 0,
    });
  });

  it("passes each hop as one typed message with correlation, from an allowed sender to an allowed receiver [RUN-1]", () => {
    const messages = messagesOf(ended.events);
    const seen = new Map<string, Message>();
    for (const message of messages) {
      expect(maySend(message.type, message.from, message.to), message.type).toBe(true);
      expect([message.session, message.run]).toEqual([ended.run.session, ended.run.id]);
      if (message.parentId !== undefined) expect(seen.has(message.parentId), message.type).toBe(true);
      const request = seen.get(message.correlationId);
      if (message.id === message.correlationId) expect(message.status).toBe("processing");
      else {
        expect([request?.from, request?.to, message.status]).toEqual([message.to, message.from, "completed"]);
        expect(message.parentId).toBe(request?.id);
      }
      seen.set(message.id, message);
    }
    const requests = messages.filter(({ id, correlationId }) => id === correlationId);
    expect(messages.length, "every request was answered").toBe(2 * requests.length);
  });

  it("goes through Guide, Architect, Librarian, Orchestrator, Engineers, Inspector, Tester and Archive, in that order [RUN-1]", () => {
    const hops = messagesOf(ended.events).map(({ from, to, type }) => `${from} ${type} ${to}`);
    const task = "orchestrator TASK_DISPATCH engineer";
    const done = "engineer TASK_COMPLETE orchestrator";
    const inspected = ["orchestrator VALIDATE_TASK inspector", "inspector VALIDATION_RESULT orchestrator"];
    const tested = ["orchestrator TESTS_READY tester", "tester TEST_RESULTS orchestrator"];
    expect(hops).toEqual([
      "user USER_INPUT architect",
      "architect CONTEXT_REQUEST librarian",
      "librarian CONTEXT_RESPONSE architect",
      "architect PLAN_RESPONSE user",
      task,
      task,
      done,
      done,
      task,
      done,
      inspected[0],
      "inspector VALIDATION_CORRECTIONS architect",
      "architect ACK inspector",
      inspected[1],
      ...tested,
      task,
      done,
      ...inspected,
      ...tested,
      "orchestrator STORE_REQUEST archivalist",
      "archivalist ACK orchestrator",
    ]);
    expect(messagesOf(ended.events)[0]?.payload).toEqual({
      text: "Add percentage discounts to the cart",
      routedBy: "tag",
    });
  });

  it("records each node's way from pending to succeeded before the next step [RUN-1]", () => {
    const ways = new Map<string, string[]>();
    for (const { node, from, to } of nodeMoves(ended.events)) ways.set(node, [...(ways.get(node) ?? [from]), to]);
    expect([...ways.keys()]).toEqual(ended.run.nodes.map(({ id }) => id));
    for (const way of ways.values()) expect(way).toEqual(["pending", "queued", "running", "succeeded"]);
    const sequences = ended.events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  });

  it("stands in the ledger call by call: by session, by role and by node the same tokens [COST-1]", async () => {
    const { calls, inputTokens, outputTokens, unknownCalls } = ended.run.cost;
    expect([unknownCalls, calls > 3]).toEqual([0, true]);
    for (const by of ["session", "role", "node"] as const) {
      const { items, total } = await daemon.user.call("ledger.show", { by });
      expect(total).toMatchObject({ calls, input: inputTokens, output: outputTokens });
      expect(items.reduce((sum, item) => sum + (item.output ?? 0), 0)).toBe(outputTokens);
      const names = items.map(({ name }) => name);
      if (by === "session") expect(names).toEqual([ended.run.session]);
      if (by === "role") expect(names).toEqual(expect.arrayContaining(["architect", "engineer"]));
      if (by === "node") expect(names).toEqual(expect.arrayContaining(ended.run.plan!.nodes.map(({ id }) => id)));
    }
  });

  it("is kept by the archive with plan, node results, findings, checks and cost [RUN-1]", async () => {
    const { items } = jsonOf<{ items: { id: string; content: KeptContent }[] }>(
      await shop.sylk("history", "percentage discounts", "--all-sessions", "--json"),
    );
    const kept = items.find(({ id }) => id === ended.run.id)!.content;
    expect(kept.status).toBe("verified");
    expect(kept.plan).toEqual(ended.run.plan);
    expect(kept.checks).toHaveLength(2);
    expect(kept.cost).toEqual(ended.run.cost);
    expect(kept.findings).toEqual(ended.run.findings);
    expect(kept.nodes).toHaveLength(4);
    expect(kept.nodes[0]).toMatchObject({
      state: "succeeded",
      result: { summary: expect.stringContaining("applyDiscount") },
    });
  });

  it("leaves no process, no reservation and no agent of the run behind [RUN-1, RUN-3]", async () => {
    const client = daemon.clientOf({ project: shop.repository });
    expect((await client.call("reservation.list", {})).items).toEqual([]);
    await until("the worker is gone", () => workersUnder(daemon.root).length === 0);
    const { items } = await client.call("agent.list", {});
    expect(items.filter(({ client: kind, status }) => kind === "sylk" && status !== "offline")).toEqual([]);
  });
});

describe.concurrent("the same run", { timeout: 180_000 }, () => {
  it.each(["HTTP on TCP", "MCP"] as const)("over %s [RUN-1]", async (name) => {
    const shop = makeQuickShop(daemon);
    await using ways = waysInto(daemon);
    const way = ways.all.find((candidate) => candidate.name === name)!;
    const project = shop.repository;
    const testCommand = ["node", "--test", "test/format.test.ts"];
    const rehearse = shop.scenario(goodChange());
    const input = { request: "Change the shop", project: { path: project }, rehearse, approve: true, testCommand };
    const started = await way.call("run.start", input, { project });
    expect(started.body).toMatchObject({ run: { status: "planning" } });
    const { id } = (started.body as { run: Run }).run;
    const run = await until(
      "the run rests",
      async () => {
        const { run } = await daemon.clientOf({ project }).call("run.get", { id });
        return run.status === "planning" || run.status === "running" ? undefined : run;
      },
      { withinMs: 30_000 },
    );
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(shop.git("show", `${run.commit}:src/price.ts`)).toBe("export const price = 1;");
    expect(existsSync(join(shop.repository, "src/price.ts"))).toBe(false);
  });
});
