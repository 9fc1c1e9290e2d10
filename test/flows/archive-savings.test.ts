/** What the Archivalist counts as saved: cache hits by session, work that exists already, consultations, and the report. */
import type { Client } from "@modelcontextprotocol/client";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputOf, SessionId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { edit, finish, plan, type Turn, work, write } from "./scenario-turns.ts";
import { connectMcp } from "./connect-mcp.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { makeQuickShop, type Shop, shopEnv } from "./scratch-shop.ts";
import { until } from "./until.ts";

type Report = OutputOf<"history.savings">;

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;
let mcp: Client;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  heron = await daemon.register("heron");
  otter = await daemon.register("otter");
  mcp = await connectMcp(daemon.url, heron.token);
  writeTree(daemon.repository, {
    "notes/lease.md": "# Leases\n\nEvery live lease gets 300 seconds. A lease ends when its holder is silent.\n",
    "notes/lock.md": "# Locks\n\nA lock stays until its holder frees it.\n",
  });
  await heron.client.call("research.add", { location: "notes" });
});
afterAll(async () => {
  await mcp.close();
  await daemon[Symbol.asyncDispose]();
});

async function inSession({ client }: ScratchAgent, name: string): Promise<SessionId> {
  const { session } = await daemon.user.call("session.create", { name });
  await client.call("session.switch", { id: session.id });
  return session.id;
}
const sylkSavings = async (...words: readonly string[]): Promise<Report> =>
  jsonOf<Report>(await daemon.sylk(["history", "savings", ...words, "--json"]));
const of = async (session: SessionId) => (await sylkSavings("--session", session)).total;
const all = async () => (await daemon.user.call("history.savings", { allSessions: true })).total;

describe("cache hits are recorded for the session that had them", () => {
  it.each<[string, (agent: ScratchAgent) => Promise<unknown>, number]>([
    ["a question over HTTP", ({ client }) => client.call("research.ask", { question: "how long is a lease?" }), 1],
    [
      "the skill research",
      ({ client }) =>
        client.call("skill.call", { name: "research", role: "academic", input: { query: "when does a lease end?" } }),
      1,
    ],
    ["the tool academic_research", () => mcpCall("academic_research", { query: "who frees a lock?" }), 1],
    ["the command /research", (agent) => askIn(agent, "/research what is a holder?"), 1],
    ["the command /compare", (agent) => askIn(agent, "/compare leases vs locks"), 2],
    ["a comparison", ({ client }) => client.call("research.compare", { topic: "lease holder vs lock holder" }), 2],
    ["a paper", ({ client }) => client.call("research.paper", { topic: "holders of a lease" }), 4],
    ["a question to the Academic", (agent) => askIn(agent, "@to:academic how long does a lock stay?"), 1],
  ])("%s [ARCV-14]", async (name, ask, hits) => {
    const [first, second] = [await inSession(heron, `first ${name}`), await inSession(otter, `second ${name}`)];
    await ask(heron);
    expect((await of(first)).cacheHits).toBe(0);
    await ask(heron);
    expect([(await of(first)).cacheHits, (await of(second)).cacheHits]).toEqual([hits, 0]);
  });

  it("a route that the session remembers, whatever the role, and an answer of the archive itself [ARCV-14]", async () => {
    const [first, second] = [await inSession(heron, "routes"), await inSession(otter, "other routes")];
    for (const question of ["where is the function total defined?", "what did we decide about leases before?"]) {
      const before = (await of(first)).cacheHits;
      for (const by of ["rules", "session-cache"]) expect(await askIn(heron, question)).toMatchObject({ by });
      expect((await of(first)).cacheHits - before, question).toBe(1);
    }
    expect((await of(second)).cacheHits).toBe(0);
    const cachedIn = async () => [(await of(first)).queries.cached, (await of(second)).queries.cached];
    const start = await cachedIn();
    for (let turn = 0; turn < 3; turn++) await heron.client.call("history.list", { query: "leases" });
    expect(await cachedIn()).toEqual([start[0]! + 2, start[1]]);
  });

  it("a model's answer that is reused saves what the first call cost: measured, for its session and in all [ARCV-14, ARCV-17]", async () => {
    const scenario = `${daemon.root}/lease.yaml`;
    const reply = [{ text: "Every live lease gets 300 seconds [1]." }];
    const turns = [{ when: { mentions: "Passages:" }, reply, usage: { input: 50, output: 7 } }];
    writeFileSync(scenario, JSON.stringify({ name: "lease", turns }));
    const [first, second] = [await inSession(heron, "first"), await inSession(otter, "second")];
    const ask = ({ client }: ScratchAgent) =>
      client.call("research.ask", { question: "how long is a lease?", rehearse: scenario });
    const before = await all();
    expect(await ask(heron)).toMatchObject({ method: "model", cached: false, tokens: 57 });
    expect(await all()).toEqual(before);
    for (const agent of [otter, otter, heron]) expect(await ask(agent)).toMatchObject({ cached: true });
    const none = { avoided: 0, context: 0, serving: 0, saved: 0 };
    const measured = (avoided: number) => ({ avoided, context: 0, serving: 0, saved: avoided });
    expect(await of(first)).toMatchObject({ cacheHits: 1, measured: measured(57), estimated: none });
    expect(await of(second)).toMatchObject({ cacheHits: 2, measured: measured(114), estimated: none });
    const after = await all();
    expect(after.cacheHits - before.cacheHits).toBe(3);
    expect([after.measured, after.estimated]).toEqual([measured(before.measured.avoided + 171), before.estimated]);
  });
});

describe("work that was skipped", () => {
  const existing = (files: readonly string[]) => [{ title: "Formatting of prices", files }];
  const planned = (files: readonly string[], turn: number): Turn => {
    const proposal = plan([{ key: "price" }], turn);
    const [call] = proposal.reply as [{ tool: string; input: object }];
    return { ...proposal, reply: [{ tool: call.tool, input: { ...call.input, existing: existing(files) } }] };
  };
  const skippedIn = async (shop: Shop): Promise<Report> =>
    jsonOf<Report>(await shop.sylk("history", "savings", "--all-sessions", "--json"));

  it("because a plan found it in the repository: told to the user, and counted once with what one node cost [ARCV-15]", async () => {
    const shop = makeQuickShop(daemon);
    const price = work("price", write("src/price.ts", "export const price = 1;\n"), finish());
    const refused = { ...planned(["src/format.ts"], 1), expect: { toolResult: "there is no file src/nowhere.ts" } };
    const { run } = await shop.run([planned(["src/nowhere.ts"], 0), refused, ...price]);
    expect([run.status, run.plan?.existing]).toEqual(["verified", existing(["src/format.ts"])]);
    expect((await shop.sylk("run", "show", run.id)).stdout).toContain(
      "exists already: Formatting of prices (src/format.ts)",
    );
    const [saved, ...others] = (await skippedIn(shop)).sessions;
    expect([saved!.session, saved!.skippedWork, others]).toEqual([run.session, 1, []]);
    expect(saved!.estimated.avoided).toBeGreaterThanOrEqual(run.cost.inputTokens + run.cost.outputTokens);
    const entry = await shop.sylk("history", "show", run.id, "--json");
    expect(jsonOf<OutputOf<"history.get">>(entry).entry.content).toMatchObject({
      plan: { existing: existing(["src/format.ts"]) },
    });
  });

  it("a run that ends twice counts it once, and the approval of its plan names it [ARCV-15]", async () => {
    const shop = makeQuickShop(daemon);
    const touched = edit("test/format.test.ts", '"19.99"', "formatPrice(1999)");
    const steps = work("price", [write("src/price.ts", "export const price = 1;\n"), touched], finish());
    const { run } = await shop.run([planned(["src/format.ts"], 0), ...steps], { approve: false });
    expect(run.status).toBe("awaiting_approval");
    const { items } = jsonOf<OutputOf<"approval.list">>(await shop.sylk("approvals", "--json"));
    expect(items[0]!.details).toContain("exists already: Formatting of prices (src/format.ts)");
    for (const status of ["unverified", "verified"]) {
      const { stdout } = await shop.sylk("approve", run.id);
      expect(stdout).toContain(status);
      expect((await skippedIn(shop)).total.skippedWork).toBe(1);
    }
  });

  it("because a person said so: a node of a graph that is skipped as done [ARCV-15]", async () => {
    const before = (await all()).skippedWork;
    writeTree(daemon.repository, { "gate.yaml": "name: gate\nnodes:\n  first: { run: 'true', approve: true }\n" });
    for (const count of [1, 2]) {
      await daemon.sylk(["dag", "run", "gate.yaml", "--detach"]);
      const id = await until("the gate waits", async () => {
        const { items } = await daemon.user.call("dag.list", { limit: 1 });
        return items[0]?.name === "gate" && items[0].status === "waiting" ? items[0].id : undefined;
      });
      await daemon.user.call("dag.skip", { id, node: "first", treatAsDone: count > 0 });
      await until("the skip is on record", async () => (await all()).skippedWork === before + count);
    }
    writeTree(daemon.repository, { "gate.yaml": "name: plain\nnodes:\n  first: { run: 'true' }\n" });
    await daemon.sylk(["dag", "run", "gate.yaml"]);
    expect((await all()).skippedWork).toBe(before + 2);
  });
});

it("consultations are recorded with question and answer, and the report states its formula, by session and in all [ARCV-16, ARCV-17]", async () => {
  const before = await all();
  const question = "where is the function subtotal defined?";
  for (let turn = 0; turn < 2; turn++) await daemon.sylk(["ask", question]);
  await daemon.sylk(["ask", "@to:academic how long is a lease?"]);
  await daemon.sylk(["ask", "@to:archivalist what about leases?"]);
  const kept = await daemon.sylk(["history", "--category", "consultation", "--json"]);
  const own = jsonOf<OutputOf<"history.list">>(kept).items.slice(0, 3);
  expect(own.map(({ title, source, content }) => [title, source, content.to, content.from])).toEqual([
    ["how long is a lease?", "academic", "academic", "user"],
    [question, "librarian", "librarian", "user"],
    [question, "librarian", "librarian", "user"],
  ]);
  expect(own[0]!.content.answer).toContain("300 seconds");
  const report = await sylkSavings("--all-sessions");
  expect(report.total.consultations - before.consultations).toBe(3);
  expect(report.formula).toContain("saved = avoided + context - serving");
  const sum = (rows: readonly { readonly saved: number }[]) => rows.reduce((total, { saved }) => total + saved, 0);
  for (const kind of ["measured", "estimated"] as const) {
    const { avoided, context, serving, saved } = report.total[kind];
    expect(saved).toBe(avoided + context - serving);
    expect(sum(report.sessions.map((one) => one[kind]))).toBe(saved);
  }
  expect(report.total.estimated.saved).toBeGreaterThan(before.estimated.saved);
  const [mine] = (await sylkSavings()).sessions;
  expect([mine!.consultations, mine!.measured.saved]).toEqual([3, 0]);
  const { stdout } = await daemon.sylk(["history", "savings", "--all-sessions"]);
  expect(stdout).toMatch(/session +measured +estimated +cache hits +skipped +consulted/);
  expect(stdout).toContain("saved = avoided + context - serving");
});

async function mcpCall(name: string, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { isError } = await mcp.callTool({ name, arguments: input });
  expect(isError).toBe(undefined);
}

function askIn({ client }: ScratchAgent, input: string) {
  return client.call("ask.send", { input, project: { path: daemon.repository } });
}
