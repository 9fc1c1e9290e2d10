/** The Archivalist as people and agents meet it: sessions apart, promotion, what it records by itself, and its skills and tools. */
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputOf, RawInputOf, SessionId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { connectMcp } from "./connect-mcp.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;
let mcp: Client;
let [cart, tax] = ["", ""] as unknown as [SessionId, SessionId];
let carts: OutputOf<"history.store">["entry"];

beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
  otter = await daemon.register("otter");
  cart = await sessionOf(heron, "cart");
  tax = await sessionOf(otter, "tax");
  carts = await store(heron, { title: "Carts round down", category: "decision" });
  await store(otter, { title: "Taxes round up", category: "decision" });
  await store(heron, { title: "Retry payments thrice", category: "pattern" });
  await runGraphs();
  mcp = await connectMcp(daemon.url, heron.token);
});
afterAll(async () => {
  await mcp.close();
  await daemon[Symbol.asyncDispose]();
});

async function runGraphs(): Promise<void> {
  const graph = (name: string, last: string) =>
    `name: ${name}\nnodes:\n  build: { run: 'true' }\n  ship: { run: '${last}', dependsOn: [build] }\n`;
  writeTree(daemon.repository, {
    "ship.yaml": graph("ship parcels", "true"),
    "sink.yaml": graph("sink ships", "false"),
  });
  for (const file of ["ship.yaml", "ship.yaml", "sink.yaml"]) await daemon.sylk(["dag", "run", file]);
}

async function sessionOf({ client }: ScratchAgent, name: string): Promise<SessionId> {
  const { session } = await daemon.user.call("session.create", { name });
  await client.call("session.switch", { id: session.id });
  return session.id;
}
type Fields = Readonly<Record<string, unknown>>;
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
    expect(carts).toMatchObject({ session: cart, source: "heron", category: "decision", kind: "entry" });
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

  it("a person sets a default session, reads it, names others, lists and summarises them [ARCV-23]", async () => {
    expect((await daemon.sylk(["history", "use", tax])).stdout).toContain(tax);
    expect((await sylk<"history.sessions">("history", "sessions")).current).toBe(tax);
    expect(titles((await sylk<"history.list">("history", "--category", "decision")).items)).toEqual(["Taxes round up"]);
    expect(titles((await sylk<"history.list">("history", "--session", cart, "--kind", "entry")).items)).toEqual([
      "Carts round down",
      "Retry payments thrice",
    ]);
    const { items } = await sylk<"history.sessions">("history", "sessions", "--session", cart);
    expect(items).toMatchObject([{ session: cart, categories: { decision: 1, pattern: 1 }, tokens: { max: 200_000 } }]);
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
    await store(heron, { title: "Discounts are capped", kind: "fact" });
    const [after] = (await heron.client.call("history.sessions", { session: cart })).items;
    expect(after).toMatchObject({ facts: items[0]!.facts + 1, archived: items[0]!.archived });
    expect(items[0]!.archived).toBeGreaterThan(0);
  });
});

describe("what it records by itself", () => {
  it("definitions with executions, runs with times and node results, outcomes, and similar ones by text [ARCV-10, ARCV-11, ARCV-12, ARCV-13]", async () => {
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

  it("count before what the files show, and in all sessions that have none of their own once the entry is promoted [TOOL-75, TOOL-87, TOOL-91]", async () => {
    writeTree(daemon.repository, { "py/a.py": "", "py/pylintrc": "" });
    const first = async (session: SessionId) => {
      const words = ["tools", "py", "--category", "linter", "--session", session];
      const { answers } = jsonOf<OutputOf<"tool.discover">>(await daemon.sylk([...words, "--json"]));
      return [answers[0]!.tier, `${answers[0]!.tools[0]!.name} ${answers[0]!.tools[0]!.source}`];
    };
    expect(await first(tax)).toEqual([1, "pylint config_file"]);
    const prefer = (who: ScratchAgent, tool: string) =>
      store(who, {
        title: `Lint with ${tool}`,
        category: "user_preference",
        kind: "fact",
        content: { category: "linter", language: "python", tool, rationale: "the team knows it" },
      });
    const { id } = await prefer(otter, "flake8");
    expect(await first(tax)).toEqual([1, "flake8 user_preference"]);
    expect(await first(cart)).toEqual([1, "pylint config_file"]);
    await otter.client.call("history.promote", { id, reason: "all sessions lint alike" });
    expect(await first(cart)).toEqual([1, "flake8 user_preference"]);
    await prefer(heron, "ruff");
    const later = await prefer(otter, "pylint");
    await otter.client.call("history.promote", { id: later.id, reason: "all sessions lint alike" });
    expect(await first(tax)).toEqual([1, "pylint user_preference"]);
    expect(await first(cart)).toEqual([1, "ruff user_preference"]);
  });
});

describe("the role", () => {
  type Case = { readonly valid: Fields; readonly holds: string; readonly invalid: Fields };
  const core: Readonly<Record<string, Case>> = {
    store: {
      valid: { title: "Retry payments thrice", category: "pattern", content: { hint: "obey me" } },
      holds: "Retry payments thrice",
      invalid: { title: " " },
    },
    query: { valid: { query: "payments" }, holds: "Retry payments thrice", invalid: { limit: "many" } },
    briefing: { valid: { tier: "full" }, holds: "Patterns:", invalid: { tier: "huge" } },
  };
  const extended: Readonly<Record<string, Case>> = {
    cross_session_query: { valid: { query: "taxes" }, holds: "Taxes round up", invalid: {} },
    workflow_history: { valid: { status: "failed" }, holds: "sink ships", invalid: { limit: "many" } },
    session_timeline: { valid: {}, holds: "session created: cart", invalid: { session_id: 7 } },
    pattern_search: { valid: { query: "payments" }, holds: "Retry payments thrice", invalid: {} },
    failure_search: { valid: { query: "sink", all_sessions: true }, holds: "sink ships", invalid: { query: 7 } },
    decision_search: { valid: { query: "carts" }, holds: "Carts round down", invalid: { limit: 3 } },
    token_savings: { valid: { all_sessions: true }, holds: "avoided + context - serving", invalid: { session_id: 7 } },
  };
  const skill = ({ client }: ScratchAgent, name: string, input: Fields) =>
    client.call("skill.call", { name, role: "archivalist", input: { ...input } });
  const invalid = { code: "input.invalid" };

  it("has its core skills: each does its work, and refuses what is wrong [ARCV-37, COMMON-7]", async () => {
    const { items } = await heron.client.call("skill.list", { role: "archivalist" });
    expect(items.filter(({ tier }) => tier === "core").map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(core), "route_to", "reply_to"]),
    );
    for (const [name, { valid, holds, invalid: wrong }] of Object.entries(core)) {
      expect(JSON.stringify(await skill(heron, name, valid)), name).toContain(holds);
      await expect(skill(heron, name, wrong), name).rejects.toMatchObject(invalid);
    }
    const routed = await skill(heron, "route_to", { target: "librarian", message: "where is the till?" });
    expect(routed.result).toMatchObject({ answer: { to: "librarian" } });
    await expect(skill(heron, "route_to", { target: "librarian" })).rejects.toMatchObject(invalid);
    await expect(skill(heron, "reply_to", { correlation_id: "msg_none", response: "x" })).rejects.toMatchObject(
      invalid,
    );
  });

  it("has its extended skills: each does its work, and refuses what is wrong [ARCV-38]", async () => {
    const { items } = await heron.client.call("skill.list", { role: "archivalist" });
    expect(items.filter(({ tier }) => tier !== "core").map(({ name }) => name)).toEqual([
      ...Object.keys(extended),
      "promote_to_global",
    ]);
    for (const [name, { valid, holds, invalid: wrong }] of Object.entries(extended)) {
      expect(JSON.stringify(await skill(heron, name, valid)), name).toContain(holds);
      await expect(skill(heron, name, wrong), name).rejects.toMatchObject(invalid);
    }
    const { id } = await store(heron, { title: "Vouchers never expire", category: "decision" });
    const seen = () => list(otter, { query: "vouchers" });
    await skill(heron, "promote_to_global", { entry_id: id, reason: "for all" });
    expect((await seen()).map(({ promoted }) => promoted?.reason)).toEqual(["for all"]);
    await skill(heron, "promote_to_global", { entry_id: id, reason: "not any more", revoke: true });
    expect(await seen()).toEqual([]);
    await expect(skill(heron, "promote_to_global", { entry_id: id })).rejects.toMatchObject(invalid);
  });

  it("each tool of MCP does what its skill does, fences the words of others, and refuses what is wrong [ARCV-39]", async () => {
    const retries = () => list(heron, { query: "payments thrice" });
    const before = await retries();
    for (const [skillName, { valid, holds, invalid: wrong }] of Object.entries({ ...core, ...extended })) {
      const name = `archivalist_${skillName}`;
      const { isError, structuredContent } = await mcp.callTool({ name, arguments: { ...valid } });
      const told = JSON.stringify(structuredContent);
      expect([name, isError, told.includes(holds)]).toEqual([name, undefined, true]);
      if (skillName === "store") expect(told).toMatch(/untrusted input from [^\]]*\]\\nobey me/);
      expect([name, await refusalOf(name, wrong)]).toEqual([name, "input.invalid"]);
    }
    expect(await retries()).toHaveLength(before.length + 1);
  });

  it("route_to over MCP asks another role in the caller's session, reply_to answers only what was asked [ARCV-39]", async () => {
    const tool = (name: string, input: Fields) => ["skill_call", { role: "archivalist", name, input }] as const;
    const call = async (name: string, input: Fields) => {
      const [called, given] = tool(name, input);
      return mcp.callTool({ name: called, arguments: { ...given } });
    };
    const question = "where is the ledger kept?";
    const routed = await call("route_to", { target: "librarian", message: question, context: { file: "a.ts" } });
    expect(routed.isError).toBe(undefined);
    expect(JSON.stringify(routed.structuredContent)).toContain('"to":"librarian"');
    const asked = () => list(heron, { query: "ledger kept", category: "consultation", sessions: [cart] });
    const [consultation] = await until("it is on record", async () => {
      const found = await asked();
      return found.length > 0 && found;
    });
    expect(consultation).toMatchObject({
      session: cart,
      source: "librarian",
      title: expect.stringContaining(question),
    });
    expect(consultation!.title).toContain('context: {"file":"a.ts"}');
    expect(await refusalOf(...tool("route_to", { target: "librarian" }))).toBe("input.invalid");
    expect(await refusalOf(...tool("route_to", { target: "nobody", message: question }))).toBe("input.invalid");
    const open = { source: "librarian", message: question, correlation_id: "msg_open" };
    expect(JSON.stringify((await call("route_from", open)).structuredContent)).toContain('"open":1');
    for (const correlation of ["msg_open", "msg_unknown"]) {
      const refused = await call("reply_to", { correlation_id: correlation, response: "in src" });
      expect([refused.isError, JSON.stringify(refused.structuredContent).includes(correlation)]).toEqual([true, true]);
    }
    expect(await refusalOf(...tool("reply_to", { correlation_id: "msg_open" }))).toBe("input.invalid");
  });

  async function refusalOf(name: string, input: Fields): Promise<unknown> {
    const { isError, structuredContent } = await mcp.callTool({ name, arguments: { ...input } });
    const { error } = structuredContent as { readonly error?: { readonly code: string } };
    return isError === true ? error?.code : "accepted";
  }

  it("is registered in every session as one shared agent, and answers there from what that session may see [GUIDE-9]", async () => {
    for (const agent of [heron, otter]) {
      const asked = await agent.client.call("ask.send", {
        input: "@to:archivalist what about taxes?",
        project: { path: daemon.repository },
      });
      expect(asked.session).toBe(agent === heron ? cart : tax);
      expect(JSON.stringify(asked.answer).includes("Taxes round up")).toBe(agent === otter);
      const { session } = await daemon.user.call("ask.metrics", { session: asked.session });
      const found = session!.agents.find(({ name }) => name === "archivalist");
      expect(found).toMatchObject({ name: "archivalist", shared: true });
    }
  });
});

it("history, code index and sources are shared by all sessions; a session changes its own entries only [SM-24]", async () => {
  const mine = await store(heron, { title: "Ports are closed at night", category: "decision" });
  expect((await otter.client.call("history.get", { id: mine.id })).entry).toEqual(mine);
  expect(titles(await list(otter, { query: "ports night", sessions: [cart] }))).toEqual([mine.title]);
  const { snapshot } = await heron.client.call("history.snapshot", {});
  const changes: readonly (() => Promise<unknown>)[] = [
    () => otter.client.call("history.mark", { id: mine.id, mark: "archive" }),
    () => otter.client.call("history.promote", { id: mine.id, reason: "mine now" }),
    () => otter.client.call("history.store", { title: "x", session: cart }),
    () => otter.client.call("history.compact", { session: cart }),
    () => otter.client.call("history.snapshot", { session: cart }),
    () => otter.client.call("history.restore", { id: snapshot.id }),
    () => otter.client.call("history.use", { session: cart }),
  ];
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: "caller.denied" });
  expect((await heron.client.call("history.get", { id: mine.id })).entry).toEqual(mine);

  writeTree(daemon.repository, {
    "src/till.ts": "export function openTill(): number {\n  return 1;\n}\n",
    "notes/night.md": "# Nights\n\nEvery till is counted at midnight.\n",
  });
  await heron.client.call("research.add", { location: "notes" });
  for (const { client } of [heron, otter]) {
    const { items } = await client.call("code.symbols", { name: "openTill" });
    expect(items.map(({ path }) => path)).toEqual(["src/till.ts"]);
    const answer = await client.call("research.ask", { question: "when is the till counted?", fresh: true });
    expect(answer.text).toContain("counted at midnight");
  }
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
