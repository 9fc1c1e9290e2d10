/** Whom a tool call is for: an agent that is known for sure, or nobody, who may read and change nothing. */
import { spawn } from "node:child_process";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Agent, ClientName } from "../../src/contract/index.ts";
import { mainScript } from "./run-sylk.ts";
import { isAlive } from "./processes.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { send } from "./wire.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

const open = new Set<Client>();
afterEach(async () => {
  for (const client of open) await client.close();
  open.clear();
});

type Meta = Readonly<Record<string, unknown>>;
type Tools = (tool: string, input?: object, _meta?: Meta) => Promise<Readonly<Record<string, unknown>>>;

async function connected(transport: Transport): Promise<Tools> {
  const client = new Client({ name: "flows", version: "1" });
  open.add(client);
  await client.connect(transport);
  return async (tool, input = {}, _meta) => {
    const args = { name: "sylk_more", arguments: { call: tool, input } };
    const { structuredContent } = await client.callTool({ ...args, ...(_meta === undefined ? {} : { _meta }) });
    return structuredContent as Readonly<Record<string, unknown>>;
  };
}

/** `sylk mcp` as a client starts it: this process is the client's. */
function serverIn(project: string, env: Readonly<Record<string, string>> = {}): Promise<Tools> {
  const command = { command: process.execPath, args: [mainScript, "mcp"], env: { ...daemon.env, ...env } };
  return connected(new StdioClientTransport({ ...command, cwd: project, stderr: "ignore" }));
}

function overHttp(project: string): Promise<Tools> {
  const headers = { authorization: `Bearer ${daemon.userToken}`, "sylk-project": encodeURIComponent(project) };
  return connected(new StreamableHTTPClientTransport(new URL("/mcp", daemon.url), { requestInit: { headers } }));
}

/** As a hook does it at the start of a session in this process. */
async function hooked(project: string, sessionKey: string, client: ClientName = "opencode"): Promise<Agent> {
  const wanted = { sessionKey, client, project: { path: project }, pid: process.pid };
  return (await daemon.user.call("agent.register", wanted)).agent;
}

const agentsOf = async (project: string) => (await daemon.clientOf({ project }).call("agent.list", {})).items;
const holderOf = (answer: Readonly<Record<string, unknown>>) =>
  (answer as { reservation?: { holder: { id: string } } }).reservation?.holder.id;
const unidentified = { error: { code: "agent.unidentified", message: expect.stringContaining("agent_register") } };
/** A change that agents, that anyone and that users make. */
const changes = [
  ["reservation_acquire", { paths: ["a.ts"] }],
  ["work_item_create", { title: "Whose?" }],
  ["health_report", { reports: [{ kind: "hook", component: "x", outcome: "failed", ms: 1 }] }],
  ["guard_start", { sessionKey: "made-up", client: "other", project: { path: "/" } }],
  ["store_backup", {}],
] as const;

describe("a server process without a key", () => {
  it("reads, changes nothing, and makes no agent, not even the person's [IDN-1, IDN-8]", async () => {
    const project = daemon.addRepository("nobodys");
    const tools = await serverIn(project);
    expect(await tools("work_item_ready")).toMatchObject({ items: [] });
    expect(await tools("discover_agents")).toMatchObject({ items: [] });
    for (const [tool, input] of changes) expect(await tools(tool, input), tool).toMatchObject(unidentified);
    expect(await tools("mail_inbox")).toMatchObject(unidentified);
    expect(await agentsOf(project)).toEqual([]);
  });

  it("becomes the session whose key it registers, and stays it when that registers a sub-agent [IDN-1, IDN-2]", async () => {
    const project = daemon.addRepository("told");
    const wanted = { sessionKey: "told-1", client: "gemini", project: { path: project } } as const;
    const { agent } = await daemon.user.call("agent.register", wanted);
    const tools = await serverIn(project);
    expect(await tools("reservation_acquire", { paths: ["a.ts"] })).toMatchObject(unidentified);
    expect(await tools("agent_register", wanted)).toMatchObject({ agent: { id: agent.id } });
    await tools("agent_register", { ...wanted, sessionKey: "told-1/helper", parent: agent.id });
    expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"] }))).toBe(agent.id);
    expect(await agentsOf(project)).toHaveLength(2);
  });

  it("is the agent of the token in its environment, and no other's [IDN-1]", async () => {
    const project = daemon.addRepository("token");
    const heron = await daemon.register("token-bearer", { project });
    await hooked(project, "another");
    const tools = await serverIn(project, { SYLK_TOKEN: heron.token });
    expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"] }))).toBe(heron.agent.id);
  });

  it("is the one session of its client's process, and none as soon as there are two [IDN-1, IDN-8]", async () => {
    const project = daemon.addRepository("shared-process");
    const first = await hooked(project, "first");
    await daemon.user.call("agent.register", {
      sessionKey: "first/sub",
      client: "opencode",
      project: { path: project },
      pid: process.pid,
      parent: first.id,
    });
    const tools = await serverIn(project);
    expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"] }))).toBe(first.id);
    const second = await hooked(project, "second");
    const refused = await tools("reservation_acquire", { paths: ["b.ts"] });
    expect(refused).toMatchObject(unidentified);
    expect(refused).toMatchObject({
      error: { message: expect.stringMatching(`${second.name} and ${first.name} share the process`) },
    });
    const candidates = (refused as { error: { details: { candidates: { id: string }[] } } }).error.details.candidates;
    expect(candidates.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
    expect(await tools("discover_agents")).toMatchObject({ items: [{}, {}, {}] });
    await tools("agent_register", { sessionKey: "second", client: "opencode", project: { path: project } });
    expect(holderOf(await tools("reservation_acquire", { paths: ["b.ts"] }))).toBe(second.id);
    expect(await agentsOf(project)).toHaveLength(3);
  });
});

it("goes with a client that begins anew in the same process, whose server keeps the old variable [IDN-1, IDN-6]", async () => {
  const project = daemon.addRepository("cleared");
  const before = await hooked(project, "before", "claude-code");
  const tools = await serverIn(project, { CLAUDE_CODE_SESSION_ID: "before" });
  expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"] }))).toBe(before.id);
  await daemon.user.call("agent.end", { id: before.id });
  expect(await tools("reservation_acquire", { paths: ["b.ts"] })).toMatchObject({ error: { code: "agent.ended" } });
  const after = await hooked(project, "after", "claude-code");
  expect(holderOf(await tools("reservation_acquire", { paths: ["b.ts"] }))).toBe(after.id);
});

it("takes a call for the session it names, whatever its process's variables and neighbours say [IDN-1]", async () => {
  const project = daemon.addRepository("named");
  const [one, two] = [await hooked(project, "thread-1", "codex"), await hooked(project, "thread-2", "codex")];
  const tools = await serverIn(project, { CLAUDE_CODE_SESSION_ID: "outer" });
  const sayings: readonly [Meta, Agent][] = [
    [{ "x-codex-turn-metadata": { session_id: "thread-1" } }, one],
    [{ sessionId: "thread-2", threadId: "t", callId: "c" }, two],
  ];
  for (const [meta, { id, name }] of sayings)
    expect(holderOf(await tools("reservation_acquire", { paths: [`${name}.ts`] }, meta))).toBe(id);
  expect(await agentsOf(project)).toHaveLength(2);
});

it("makes no agent over HTTP for the user's token: it must say which one it acts for [IDN-1, IDN-8]", async () => {
  const project = daemon.addRepository("http");
  const { agent } = await daemon.register("over-http", { project });
  const tools = await overHttp(project);
  expect(await tools("reservation_acquire", { paths: ["a.ts"] })).toMatchObject(unidentified);
  expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"] }, { "sylk/agent": agent.name }))).toBe(
    agent.id,
  );
  expect(await agentsOf(project)).toHaveLength(1);
});

describe("an agent that a model registers through its client's server process", () => {
  const statusOf = async (id: Agent["id"]) => (await daemon.user.call("agent.get", { id })).agent.status;
  const isFree = async (project: string) =>
    (await daemon.clientOf({ project }).call("reservation.list", {})).items.length === 0;
  const registration = (sessionKey: string) => ({ sessionKey, client: "other" });

  it("ends when the client closes its end, and what it held is free; the same key brings it back [IDN-10, IDN-6]", async () => {
    const project = daemon.addRepository("closed-end");
    const tools = await serverIn(project);
    const { agent } = (await tools("agent_register", registration("closing"))) as { agent: Agent };
    expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"] }))).toBe(agent.id);
    for (const client of open) await client.close();
    await until("the agent has ended", async () => (await statusOf(agent.id)) === "ended", { withinMs: 5_000 });
    expect(await isFree(project)).toBe(true);
    const again = await serverIn(project);
    expect(await again("agent_register", registration("closing"))).toMatchObject({ agent: { id: agent.id } });
    expect(await statusOf(agent.id)).toBe("active");
  });

  it("ends when the client is killed, within seconds [IDN-10]", async () => {
    const project = daemon.addRepository("killed-client");
    const client = startRawClient(project);
    const { agent } = await client.call("agent_register", registration("killed"));
    await client.call("reservation_acquire", { paths: ["a.ts"] });
    expect(await isFree(project)).toBe(false);
    client.kill();
    await until("the agent has ended", async () => (await statusOf(agent.id)) === "ended", { withinMs: 5_000 });
    expect(await isFree(project)).toBe(true);
  });

  it("is left alone where a hook of the session named the client's process, which lives on [IDN-10, IDN-1]", async () => {
    const project = daemon.addRepository("hook-lives");
    const agent = await hooked(project, "with-hook");
    const tools = await serverIn(project);
    await tools("agent_register", registration("with-hook"));
    const server = [...open].at(-1)!;
    const { pid } = server.transport as StdioClientTransport;
    await server.close();
    await until("the server is gone", () => !isAlive(pid!));
    expect(await statusOf(agent.id)).toBe("active");
  });
});

/** A client of its own process, which starts `sylk mcp` and passes lines on; killing it leaves the server an orphan. */
function startRawClient(project: string) {
  const script = `
    const server = require("node:child_process").spawn(process.execPath, [${JSON.stringify(mainScript)}, "mcp"], { stdio: ["pipe", "pipe", "ignore"] });
    process.stdin.pipe(server.stdin); server.stdout.pipe(process.stdout);`;
  const child = spawn(process.execPath, ["-e", script], {
    cwd: project,
    env: daemon.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = (async function* () {
    let rest = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      const parts = (rest + String(chunk)).split("\n");
      rest = parts.pop()!;
      yield* parts;
    }
  })();
  const ask = async (method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
    return JSON.parse((await lines.next()).value as string) as { result: { structuredContent: { agent: Agent } } };
  };
  const ready = ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  });
  return {
    async call(tool: string, input: object) {
      await ready;
      const { result } = await ask("tools/call", { name: "sylk_more", arguments: { call: tool, input } });
      return result.structuredContent;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

describe("a client over HTTP that can set neither headers nor _meta", () => {
  async function addressOf(project: string): Promise<URL> {
    const { code, stdout, stderr } = await daemon.sylk(["mcp", "url", "--json"], { cwd: project });
    expect(code, stderr).toBe(0);
    return new URL((JSON.parse(stdout) as { url: string }).url);
  }
  async function listedTools(url: URL): Promise<Client> {
    const client = new Client({ name: "flows", version: "1" });
    open.add(client);
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  }
  type Registered = { readonly agent: Agent; readonly handle: string };
  const wanted = (sessionKey: string) => ({ sessionKey, client: "other" });

  it("registers once without naming its project, and acts by its handle, as the agent of its own hooks [IDN-11]", async () => {
    const project = daemon.addRepository("no-headers");
    const byHook = await hooked(project, "headless");
    const url = await addressOf(project);
    const tools = await connected(new StreamableHTTPClientTransport(url));
    expect(await tools("reservation_acquire", { paths: ["a.ts"] })).toMatchObject(unidentified);
    const answer = await tools("agent_register", wanted("headless"));
    const { agent, handle } = answer as Registered;
    expect([agent.id, handle]).toEqual([byHook.id, expect.stringMatching(/^hdl_[0-9a-f]{24}$/)]);
    expect(JSON.stringify(answer), "a model sees no token").not.toMatch(/sylk_(agt|usr|mcp)_/);
    expect(holderOf(await tools("reservation_acquire", { paths: ["a.ts"], as: handle }))).toBe(agent.id);
    const client = await listedTools(url);
    const { tools: listed } = await client.listTools();
    expect(listed.every(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, "as"))).toBe(true);
    const direct = await client.callTool({
      name: "reservation_acquire",
      arguments: { paths: ["b.ts"], as: handle },
    });
    expect(holderOf(direct.structuredContent as never)).toBe(agent.id);
    expect(await agentsOf(project)).toHaveLength(1);
  });

  it("keeps address and handle over a restart of the daemon, and loses the handle with the agent [IDN-11]", async () => {
    const project = daemon.addRepository("stays");
    const url = await addressOf(project);
    const before = await connected(new StreamableHTTPClientTransport(url));
    const { agent, handle } = (await before("agent_register", wanted("stays"))) as unknown as Registered;
    await daemon.kill();
    await daemon.restart();
    expect((await addressOf(project)).href).toBe(url.href);
    const tools = await connected(new StreamableHTTPClientTransport(url));
    expect(holderOf(await tools("reservation_acquire", { paths: ["c.ts"], as: handle }))).toBe(agent.id);
    await daemon.user.call("agent.end", { id: agent.id });
    expect(await tools("reservation_acquire", { paths: ["d.ts"], as: handle })).toMatchObject({
      error: { code: "agent.not-found", message: expect.stringContaining("agent_register") },
    });
  });

  it("may do nothing else with its address: no other agent's name, no act of the user, no other route [IDN-11, CORE-20]", async () => {
    const project = daemon.addRepository("least");
    const other = await daemon.register("least-other", { project });
    const url = await addressOf(project);
    const tools = await connected(new StreamableHTTPClientTransport(url));
    for (const as of [other.agent.id, other.agent.name, `hdl_${"0".repeat(24)}`])
      expect(await tools("reservation_acquire", { paths: ["a.ts"], as }), as).toMatchObject({
        error: { code: as.startsWith("hdl_") ? "agent.not-found" : "input.invalid" },
      });
    expect(
      await tools("reservation_acquire", { paths: ["a.ts"] }, { "sylk/agent": other.agent.name }),
      "only a handle names an agent",
    ).toMatchObject({ error: { code: "agent.not-found" } });
    expect(await tools("store_backup")).toMatchObject({ error: { code: "caller.denied" } });
    expect(await tools("agent_end", { id: other.agent.id })).toMatchObject(unidentified);
    expect(await tools("discover_agents")).toMatchObject({ items: [{ id: other.agent.id }] });
    const key = url.pathname.split("/").at(-1)!;
    const place = { host: "127.0.0.1", port: daemon.port };
    const bearer = { authorization: `Bearer ${key}` };
    for (const path of ["/v1/status", "/mcp", "/v1/agents"])
      expect((await send(place, { path, headers: bearer })).status, path).toBe(401);
    expect((await send(place, { path: `/mcp/${key.slice(0, -1)}` })).status).toBe(401);
  });
});
