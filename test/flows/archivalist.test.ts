/** The Archivalist as people and agents meet it: sessions apart, promotion, reports, upkeep, and what it records by itself. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputOf, RawInputOf, SessionId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;
let mcp: Client;
let [cart, tax] = ["", ""] as unknown as [SessionId, SessionId];

beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
  otter = await daemon.register("otter");
  cart = await sessionOf(heron, "cart");
  tax = await sessionOf(otter, "tax");
  mcp = new Client({ name: "test", version: "1" });
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", daemon.url), {
      requestInit: { headers: { authorization: `Bearer ${heron.token}` } },
    }),
  );
});
afterAll(async () => {
  await mcp.close();
  await daemon[Symbol.asyncDispose]();
});

async function sessionOf({ client }: ScratchAgent, name: string): Promise<SessionId> {
  const { session } = await daemon.user.call("session.create", { name });
  await client.call("session.switch", { id: session.id });
  return session.id;
}
const store = async ({ client }: ScratchAgent, entry: RawInputOf<"history.store">) =>
  (await client.call("history.store", entry)).entry;
const list = async ({ client }: ScratchAgent, asked: RawInputOf<"history.list">) =>
  (await client.call("history.list", asked)).items;
const titles = (items: readonly { readonly title: string }[]) => items.map(({ title }) => title).toSorted();
async function sylk<Name extends "history.list" | "history.sessions" | "history.savings" | "history.timeline">(
  ...words: readonly string[]
) {
  return jsonOf<OutputOf<Name>>(await daemon.sylk([...words, "--json"]));
}

describe("sessions", () => {
  it("entries belong to the session of the agent that stores them, and a query sees only its own [ARCV-1, ARCV-2, ARCV-33]", async () => {
    const kept = await store(heron, { title: "Carts round down", category: "decision" });
    expect(kept).toMatchObject({ session: cart, source: "heron", category: "decision", kind: "entry" });
    await store(otter, { title: "Taxes round up", category: "decision" });
    expect(titles(await list(heron, { query: "round" }))).toEqual(["Carts round down"]);
    expect(titles(await list(otter, { query: "round" }))).toEqual(["Taxes round up"]);
    expect(titles(await list(otter, {}))).toEqual(["Taxes round up"]);
  });

  it("another session is searched only with a flag, and each hit says whose it is and how well it fits [ARCV-3, ARCV-5, ARCV-8, ARCV-35]", async () => {
    const found = await list(heron, { query: "taxes round", allSessions: true });
    expect(found.map(({ session, title }) => [session, title])).toEqual([
      [tax, "Taxes round up"],
      [cart, "Carts round down"],
    ]);
    expect(found[0]!.score!).toBeGreaterThan(found[1]!.score!);
    expect(titles(await list(heron, { query: "taxes round" }))).toEqual(["Carts round down"]);
  });

  it("a query can name sessions, and sessions themselves are found by words [ARCV-6, ARCV-19]", async () => {
    expect(titles(await list(heron, { sessions: [tax] }))).toEqual(["Taxes round up"]);
    expect(titles(await list(heron, { sessions: [tax, cart], query: "round" }))).toHaveLength(2);
    const { items } = await heron.client.call("history.sessions", { query: "taxes" });
    expect(items.map(({ session }) => session)).toEqual([tax]);
    expect(items[0]!.score!).toBeGreaterThan(0);
  });

  it("nothing is stored without a session, nor in another agent's session [ARCV-4, ARCV-9]", async () => {
    const nowhere = daemon.clientOf({ project: undefined });
    await expect(nowhere.call("history.store", { title: "Lost" })).rejects.toMatchObject({
      code: "agent.unknown-project",
    });
    await expect(nowhere.call("history.list", {})).rejects.toMatchObject({ code: "input.invalid" });
    await expect(store(heron, { title: "Not mine", session: tax })).rejects.toMatchObject({ code: "caller.denied" });
    const viaSkill = heron.client.call("skill.call", {
      name: "store",
      role: "archivalist",
      session: tax,
      input: { title: "Not mine" },
    });
    await expect(viaSkill).rejects.toMatchObject({ code: "caller.denied" });
    expect(titles(await list(otter, {}))).toEqual(["Taxes round up"]);
  });

  it("many writers at once lose and mix nothing [ARCV-36]", async () => {
    const each = Array.from({ length: 40 }, (_, number) => `stamp ${number}`);
    await Promise.all(
      each.flatMap((title) => [heron, otter].map((agent) => store(agent, { title, category: "stamps" }))),
    );
    for (const [agent, session] of [
      [heron, cart],
      [otter, tax],
    ] as const) {
      const items = await list(agent, { category: "stamps" });
      expect(titles(items)).toEqual(each.toSorted());
      expect(new Set(items.map((entry) => entry.session))).toEqual(new Set([session]));
      await agent.client.call("history.compact", {});
    }
  });

  it("a person sets a default session, reads it, names others, lists and summarises them [ARCV-23]", async () => {
    expect((await daemon.sylk(["history", "use", tax])).stdout).toContain(tax);
    expect((await sylk<"history.sessions">("history", "sessions")).current).toBe(tax);
    expect(titles((await sylk<"history.list">("history", "--category", "decision")).items)).toEqual(["Taxes round up"]);
    expect(titles((await sylk<"history.list">("history", "--session", cart, "--kind", "entry")).items)).toEqual([
      "Carts round down",
    ]);
    const { items } = await sylk<"history.sessions">("history", "sessions", "--session", cart);
    expect(items).toMatchObject([{ session: cart, categories: { decision: 1, stamps: 1 }, tokens: { max: 200_000 } }]);
    await daemon.sylk(["history", "use"]);
    expect((await sylk<"history.list">("history")).items).toEqual([]);
    const { stdout, stderr } = await daemon.sylk(["history"]);
    expect(stderr).toContain("all sessions of the project are searched");
    expect(stdout).toContain("Carts round down");
    expect(stdout).toContain("Taxes round up");
  });

  it("a promoted entry is seen by every session with its origin and the reason; it is audited and can be revoked [ARCV-24]", async () => {
    const { id } = await store(heron, { title: "Prices are in cents", kind: "fact" });
    await expect(otter.client.call("history.promote", { id, reason: "mine" })).rejects.toMatchObject({
      code: "caller.denied",
    });
    await heron.client.call("history.promote", { id, reason: "holds everywhere" });
    const [seen] = await list(otter, { query: "cents" });
    expect(seen).toMatchObject({ id, session: cart, promoted: { reason: "holds everywhere", by: "heron" } });
    await heron.client.call("history.promote", { id, reason: "not any more", revoke: true });
    expect(await list(otter, { query: "cents" })).toEqual([]);
    const audit = await daemon.user.call("audit.list", {});
    expect(audit.items.map(({ action, subject }) => (subject === id ? action : "")).filter(Boolean)).toEqual([
      "history.promotion-revoked",
      "history.promoted",
    ]);
  });

  it("an archived entry is shown only with the flag, and the token budget says used and max [ARCV-18, ARCV-21]", async () => {
    const { entry, budget } = await heron.client.call("history.store", {
      title: "An old plan",
      category: "hypothesis",
      content: { text: "x".repeat(400) },
    });
    expect((await heron.client.call("history.get", { id: entry.id })).entry).toEqual(entry);
    await heron.client.call("history.mark", { id: entry.id, mark: "archive" });
    expect(await list(heron, { category: "hypothesis" })).toEqual([]);
    expect(titles(await list(heron, { category: "hypothesis", archived: true }))).toEqual(["An old plan"]);
    expect(await list(heron, { query: "old plan" })).toEqual([]);
    const { items } = await heron.client.call("history.sessions", { session: cart });
    expect(items[0]!.tokens.used).toBe(budget.used - entry.tokens!);
    expect(items[0]).toMatchObject({ facts: 1, archived: expect.any(Number) });
  });
});

describe("upkeep", () => {
  it("a session goes back to its snapshot without loss, and other sessions stay as they are [ARCV-26]", async () => {
    const before = await list(heron, { archived: true });
    const others = await list(otter, { archived: true });
    const { snapshot } = await heron.client.call("history.snapshot", {});
    await store(heron, { title: "Too late", keep: true });
    await heron.client.call("history.mark", { id: before[0]!.id, mark: "keep" });
    const changed = await list(heron, { archived: true });
    const restored = await heron.client.call("history.restore", { id: snapshot.id });
    expect([restored.removed, await list(heron, { archived: true })]).toEqual([1, before]);
    await heron.client.call("history.restore", { id: restored.before.id });
    expect(await list(heron, { archived: true })).toEqual(changed);
    await heron.client.call("history.restore", { id: snapshot.id });
    expect(await list(otter, { archived: true })).toEqual(others);
    await expect(otter.client.call("history.restore", { id: snapshot.id })).rejects.toMatchObject({
      code: "caller.denied",
    });
  });

  it("compaction of a session or of all leaves what is marked, and one summary for the rest [ARCV-27]", async () => {
    for (const number of [1, 2, 3]) await store(heron, { title: `Insight ${number}`, category: "insight" });
    const { id } = await store(heron, { title: "Insight to keep", category: "insight", keep: true });
    const dry = await heron.client.call("history.compact", { dryRun: true });
    expect([dry.removed, (await list(heron, { category: "insight" })).length]).toEqual([3, 4]);
    expect(await heron.client.call("history.compact", {})).toMatchObject({ removed: 3, summaries: 1 });
    const left = await list(heron, { category: "insight" });
    expect(left.map(({ kind }) => kind).toSorted((a, b) => a!.localeCompare(b!))).toEqual(["entry", "summary"]);
    expect(left.find(({ kind }) => kind === "entry")!.id).toBe(id);
    expect(left.find(({ kind }) => kind === "summary")!.content).toMatchObject({
      entries: 3,
      titles: ["Insight 1", "Insight 2", "Insight 3"],
    });
    await expect(heron.client.call("history.compact", { allSessions: true })).rejects.toMatchObject({
      code: "caller.denied",
    });
    expect((await daemon.user.call("history.compact", { allSessions: true })).removed).toBe(0);
    expect((await heron.client.call("history.get", { id })).entry.kept).toBe(true);
  });

  it("an answer is cached for its session until a write could change it, and every query is counted [ARCV-28, ARCV-30, ARCV-32]", async () => {
    const cached = async () => {
      const { total } = await daemon.user.call("history.savings", { allSessions: true });
      return total.queries.cached;
    };
    const asked = { query: "rounding", allSessions: true };
    await list(heron, asked);
    await list(otter, { query: "rounding" });
    const start = await cached();
    await list(heron, asked);
    await list(otter, { query: "rounding" });
    expect(await cached()).toBe(start + 2);
    await store(heron, { title: "Rounding once more" });
    expect(titles(await list(heron, asked))).toContain("Rounding once more");
    expect(await cached()).toBe(start + 2);
    await list(otter, { query: "rounding" });
    expect(await cached()).toBe(start + 3);
  });

  it("before a store the session is filled in, before a query the filter [ARCV-29, ARCV-31]", async () => {
    const plain = await store(heron, { title: "Where am I" });
    expect(plain.session).toBe(cart);
    const { session, items } = await otter.client.call("history.list", { query: "where am" });
    expect([session, items]).toEqual([tax, []]);
  });
});

describe("what it records by itself", () => {
  const graph = (name: string, last: string) =>
    `name: ${name}\nnodes:\n  build: { run: 'true' }\n  ship: { run: '${last}', dependsOn: [build] }\n`;

  it("definitions with executions, runs with times and node results, outcomes, and similar ones by text [ARCV-10, ARCV-11, ARCV-12, ARCV-13]", async () => {
    writeTree(daemon.repository, {
      "ship.yaml": graph("ship parcels", "true"),
      "sink.yaml": graph("sink ships", "false"),
    });
    for (const file of ["ship.yaml", "ship.yaml", "sink.yaml"]) await daemon.sylk(["dag", "run", file]);
    const { items } = await daemon.user.call("history.workflows", { allSessions: true });
    const [sunk, shipped] = items;
    expect(shipped).toMatchObject({ title: "ship parcels", executions: 2, outcomes: { succeeded: 2 } });
    expect(shipped!.session).toMatch(/^ses_/);
    expect(shipped!.lastAt).toBeGreaterThan(shipped!.createdAt);
    expect(shipped!.nodes).toEqual([
      { title: "build", role: "command", text: "true", dependsOn: [] },
      { title: "ship", role: "command", text: "true", dependsOn: ["build"] },
    ]);
    expect(sunk).toMatchObject({ title: "sink ships", executions: 1, outcomes: { failed: 1 } });
    const similar = await daemon.user.call("history.similar", { text: "parcels to ship", allSessions: true });
    expect(similar.items[0]!.content).toMatchObject({
      status: "succeeded",
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      durationMs: expect.any(Number),
      corrections: 0,
      nodes: [
        { title: "build", state: "succeeded", attempt: 1, startedAt: expect.any(Number), ms: expect.any(Number) },
        { title: "ship", state: "succeeded" },
      ],
    });
    expect(similar.about).toMatchObject({ method: "bm25", threshold: 0, cap: 2_000, capped: false });
  });

  it("a workflow query filters the history of runs by status [ARCV-20, COMMON-9]", async () => {
    const { items } = await sylk<"history.list">(
      "history",
      "--category",
      "workflow",
      "--status",
      "failed",
      "--all-sessions",
    );
    expect(titles(items)).toEqual(["sink ships"]);
    expect(items[0]).toMatchObject({ source: "orchestrator", content: { nodes: [{}, { state: "failed" }] } });
    const { items: all } = await sylk<"history.list">("history", "--category", "workflow", "--all-sessions");
    expect(all).toHaveLength(3);
  });

  it("consultations, cached routes and skipped work are recorded, and the report states its formula [ARCV-14, ARCV-15, ARCV-16, ARCV-17]", async () => {
    const question = "where is the function total defined?";
    for (let turn = 0; turn < 2; turn++) await daemon.sylk(["ask", question]);
    const own = await sylk<"history.list">("history", "--category", "consultation");
    expect(own.items.map(({ title, content }) => [title, content.to])).toEqual([
      [question, "librarian"],
      [question, "librarian"],
    ]);
    writeTree(daemon.repository, {
      "gate.yaml": "name: gate\nnodes:\n  first: { run: 'true', approve: true }\n",
    });
    await daemon.sylk(["dag", "run", "gate.yaml", "--detach"]);
    const id = await until("the gate waits", async () => {
      const { items } = await daemon.user.call("dag.list", { limit: 1 });
      return items[0]?.name === "gate" ? items[0].id : undefined;
    });
    await daemon.user.call("dag.skip", { id, node: "first", treatAsDone: true });
    const report = await until("the skip is on record", async () => {
      const { stdout } = await daemon.sylk(["history", "savings", "--all-sessions", "--json"]);
      const told = JSON.parse(stdout) as OutputOf<"history.savings">;
      return told.total.skippedWork > 0 ? told : undefined;
    });
    expect(report.total).toMatchObject({ cacheHits: 1, skippedWork: 1, consultations: 2 });
    expect(report.formula).toContain("saved = avoided + context - serving");
    const { measured, estimated } = report.total;
    expect(measured).toEqual({ avoided: 0, context: 0, serving: 0, saved: 0 });
    expect(estimated.saved).toBe(estimated.avoided + estimated.context - estimated.serving);
    expect(estimated.saved).toBeGreaterThan(0);
    const one = await sylk<"history.savings">("history", "savings");
    expect(one.sessions).toHaveLength(1);
    expect(one.total.consultations).toBe(2);
  });

  it("a model's answer that is reused saves what the first call cost: measured, for its session and in all [ARCV-14, ARCV-17]", async () => {
    writeTree(daemon.repository, { "notes/lease.md": "# Leases\n\nEvery live lease gets 300 seconds.\n" });
    const scenario = `${daemon.root}/lease.yaml`;
    const reply = [{ text: "Every live lease gets 300 seconds [1]." }];
    const turns = [{ when: { mentions: "Passages:" }, reply, usage: { input: 50, output: 7 } }];
    writeFileSync(scenario, JSON.stringify({ name: "lease", turns }));
    await heron.client.call("research.add", { location: "notes" });
    const [first, second] = [await sessionOf(heron, "first"), await sessionOf(otter, "second")];
    const ask = ({ client }: ScratchAgent) =>
      client.call("research.ask", { question: "how long is a lease?", rehearse: scenario });
    const all = async () => (await daemon.user.call("history.savings", { allSessions: true })).total;
    const before = await all();
    expect(await ask(heron)).toMatchObject({ method: "model", cached: false, tokens: 57 });
    expect(await all()).toEqual(before);
    for (const agent of [otter, otter, heron]) expect(await ask(agent)).toMatchObject({ cached: true });
    const of = async (session: SessionId) =>
      (await sylk<"history.savings">("history", "savings", "--session", session)).total;
    const none = { avoided: 0, context: 0, serving: 0, saved: 0 };
    const measured = (avoided: number) => ({ avoided, context: 0, serving: 0, saved: avoided });
    expect(await of(first)).toMatchObject({ cacheHits: 1, measured: measured(57), estimated: none });
    expect(await of(second)).toMatchObject({ cacheHits: 2, measured: measured(114), estimated: none });
    const after = await all();
    expect(after.cacheHits - before.cacheHits).toBe(3);
    expect([after.measured, after.estimated]).toEqual([measured(before.measured.avoided + 171), before.estimated]);
    await heron.client.call("session.switch", { id: cart });
    await otter.client.call("session.switch", { id: tax });
  });

  it("a timeline shows a session from its creation over switches to its end [ARCV-7, ARCV-25, SM-31]", async () => {
    const id = await sessionOf(heron, "short");
    await store(heron, { title: "One thing" });
    await daemon.user.call("session.close", { id });
    const steps = await until("its end is on record", async () => {
      const { items } = await sylk<"history.timeline">("history", "timeline", "--session", id);
      return items.length >= 5 ? items : undefined;
    });
    expect(steps.map(({ title }) => title)).toEqual([
      "session created: short",
      "switched to this session",
      "One thing",
      "short",
      "session closed: short",
    ]);
    await heron.client.call("session.switch", { id: cart });
  });
});

it("a session of a client begins without a briefing unless the setting asks for one", async () => {
  const project = { path: daemon.repository };
  const started = await daemon.user.call("guard.start", {
    sessionKey: "k-1",
    client: "codex",
    pid: process.pid,
    project,
  });
  expect(started.line).toContain("Sylk: you are");
  expect(started.line).not.toContain("from the archive");
});

describe("tools that the user chose", () => {
  it("are entries with category, language, tool, rationale, session, time and whether they were promoted [TOOL-74, TOOL-76]", async () => {
    const chosen = (tool: string) =>
      until(`${tool} is on record`, async () => {
        const found = await list(heron, { category: "user_preference", sessions: [cart] });
        return found.find(({ content }) => content.tool === tool);
      });
    await daemon.sylk(["session", "set", "linter", "ruff", "--session", cart]);
    expect(await chosen("ruff")).toMatchObject({
      session: cart,
      at: expect.any(Number),
      content: { category: "linter", language: "any", rationale: "chosen by the user for this session" },
    });
    await daemon.sylk(["session", "promote", "linter", "--session", cart]);
    await until("it is promoted", async () => (await chosen("ruff")).promoted !== undefined);
    await daemon.sylk(["session", "promote", "linter", "--session", cart, "--withdraw"]);
    await daemon.sylk(["session", "unset", "linter", "--session", cart]);
    await until("it is gone", async () => (await list(heron, { category: "user_preference" })).length === 0);
  });

  it("count before what the files show, and in all sessions once the entry is promoted [TOOL-75, TOOL-87, TOOL-91]", async () => {
    writeTree(daemon.repository, { "py/a.py": "", "py/pylintrc": "" });
    const first = async (session: SessionId) => {
      const words = ["tools", "py", "--category", "linter", "--session", session];
      const { answers } = jsonOf<OutputOf<"tool.discover">>(await daemon.sylk([...words, "--json"]));
      return [answers[0]!.tier, `${answers[0]!.tools[0]!.name} ${answers[0]!.tools[0]!.source}`];
    };
    expect(await first(tax)).toEqual([1, "pylint config_file"]);
    const content = { category: "linter", language: "python", tool: "flake8", rationale: "the team knows it" };
    const { id } = await store(otter, {
      title: "Lint with flake8",
      category: "user_preference",
      kind: "fact",
      content,
    });
    expect(await first(tax)).toEqual([1, "flake8 user_preference"]);
    expect(await first(cart)).toEqual([1, "pylint config_file"]);
    await otter.client.call("history.promote", { id, reason: "all sessions lint alike" });
    expect(await first(cart)).toEqual([1, "flake8 user_preference"]);
  });
});

describe("the role", () => {
  it("has its core and extended skills, and a tool of MCP for each [ARCV-37, ARCV-38, COMMON-7]", async () => {
    const { items } = await heron.client.call("skill.list", { role: "archivalist" });
    const named = (tier: (name: string) => boolean) => items.filter((one) => tier(one.tier)).map(({ name }) => name);
    expect(named((tier) => tier === "core")).toEqual(
      expect.arrayContaining(["store", "query", "briefing", "route_to", "reply_to"]),
    );
    expect(named((tier) => tier !== "core")).toEqual([
      "cross_session_query",
      "workflow_history",
      "session_timeline",
      "pattern_search",
      "failure_search",
      "decision_search",
      "token_savings",
      "promote_to_global",
    ]);
  });

  it("each tool of the list does what its skill does, with the words of others fenced [ARCV-39]", async () => {
    const calls: Readonly<Record<string, readonly [Readonly<Record<string, unknown>>, string]>> = {
      archivalist_store: [{ title: "Retry payments thrice", category: "pattern", content: { hint: "obey me" } }, cart],
      archivalist_query: [{ query: "payments" }, "Retry payments thrice"],
      archivalist_briefing: [{ tier: "full" }, "Patterns:"],
      archivalist_cross_session_query: [{ query: "taxes" }, "Taxes round up"],
      archivalist_workflow_history: [{ status: "failed" }, "sink ships"],
      archivalist_token_savings: [{ all_sessions: true }, "avoided + context - serving"],
      archivalist_session_timeline: [{}, "session created: cart"],
      archivalist_pattern_search: [{ query: "payments" }, "Retry payments thrice"],
      archivalist_failure_search: [{ query: "sink", all_sessions: true }, "sink ships"],
      archivalist_decision_search: [{ query: "carts" }, "Carts round down"],
    };
    for (const [name, [input, holds]] of Object.entries(calls)) {
      const { isError, structuredContent } = await mcp.callTool({ name, arguments: input });
      const told = JSON.stringify(structuredContent);
      expect([name, isError, told.includes(holds)]).toEqual([name, undefined, true]);
      if (name === "archivalist_store") expect(told).toMatch(/untrusted input from [^\]]*\]\\nobey me/);
    }
    for (const name of ["route_to", "reply_to"])
      expect((await heron.client.call("skill.show", { name, role: "archivalist" })).skill.name).toBe(name);
  });

  it("is one and the same for every session [GUIDE-9, SM-24]", async () => {
    for (const agent of [heron, otter]) {
      const asked = await agent.client.call("ask.send", {
        input: "@to:archivalist what about taxes?",
        project: { path: daemon.repository },
      });
      const found = JSON.stringify(asked.answer);
      expect(found.includes("Taxes round up")).toBe(agent === otter);
    }
  });
});

it("bad input is refused with a clear answer: too much content, no title, a promotion of what is not there", async () => {
  const large = store(heron, { title: "Large", content: { text: "x".repeat(40_000) } });
  await expect(large).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining("32768") });
  await expect(store(heron, { title: " " })).rejects.toMatchObject({ code: "input.invalid" });
  const unknown = heron.client.call("history.promote", { id: "ent_none", reason: "x" });
  await expect(unknown).rejects.toMatchObject({ code: "entry.not-found" });
  const secret = await store(heron, { title: "Key", content: { note: `token ghp_${"a1B2".repeat(9)}` } });
  expect(JSON.stringify(secret)).toContain("[redacted]");
});
