/** Whom a tool call is for: an agent that is known for sure, or nobody, who may read and change nothing. */
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Agent, ClientName } from "../../src/contract/index.ts";
import { mainScript } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

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
