/** One identity per client session, whatever process of the session calls; sub-agents; capabilities; the agent card. */
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Agent, DomainError, Reservation } from "../../src/contract/index.ts";
import { jsonOf, mainScript, startProcess } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { send } from "./wire.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

let fresh = 0;
const freshPath = (): string => `fresh/${++fresh}.ts`;
const agentsNow = async (): Promise<readonly Agent[]> => (await daemon.user.call("agent.list", { limit: 500 })).items;
const refusal = (promise: Promise<unknown>): Promise<DomainError> =>
  promise.then(
    () => expect.fail("it was not refused"),
    (error: unknown) => error as DomainError,
  );

/** The name under which a command reserved something. */
async function reservedBy(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const run = await daemon.sylk(["reserve", freshPath(), "--json", ...args], { env });
  return jsonOf<{ reservation: Reservation }>(run).reservation.holder.name;
}

it("gives eight processes that register one session at once one agent, and a working token each [IDN-1]", async () => {
  const args = ["agent", "register", "--session-key", "race", "--client", "codex", "--json"];
  const runs = await Promise.all(Array.from({ length: 8 }, () => daemon.sylk(args)));
  const answers = runs.map((run) => jsonOf<{ agent: Agent; token: string }>(run));
  expect(new Set(answers.map(({ agent }) => agent.id)).size).toBe(1);
  expect(new Set(answers.map(({ token }) => token)).size).toBe(8);
  for (const { agent, token } of answers) {
    const seen = await daemon.clientOf({ token }).call("agent.get", { id: agent.id });
    expect(seen.agent.name).toBe(answers[0]!.agent.name);
  }
});

it("lets hook, MCP process, command and git hook of one session be one agent, in any order and at once [IDN-1, IDN-7]", async () => {
  const session = "claude-session-7f3a";
  const env = { CLAUDE_CODE_SESSION_ID: session };
  const project = daemon.addRepository("shared");
  const hook = join(project, ".git", "hooks", "pre-commit");
  writeFileSync(
    hook,
    `#!/bin/sh\nexec "${process.execPath}" "${mainScript}" reserve from-git-hook.ts --json > "${hook}.out"\n`,
  );
  chmodSync(hook, 0o755);
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@sylk.invalid"];
  const git = () =>
    execFileSync("git", [...identity, "commit", "--allow-empty", "-m", "x"], {
      cwd: project,
      env: { ...daemon.env, ...env },
      stdio: "ignore",
    });
  const overMcp = async () => {
    const client = new Client({ name: "flows", version: "1" });
    const transport = { command: process.execPath, args: [mainScript, "mcp"], env: { ...daemon.env, ...env } };
    await client.connect(new StdioClientTransport({ ...transport, cwd: project }));
    await client.callTool({ name: "reservation_acquire", arguments: { paths: ["from-mcp.ts"] } });
    await client.close();
  };
  const wanted = { sessionKey: session, client: "claude-code", project: { path: project } } as const;
  const [{ agent }] = await Promise.all([
    daemon.user.call("agent.register", wanted),
    daemon.sylk(["reserve", "from-command.ts"], { env, cwd: project }),
    overMcp(),
    Promise.resolve().then(git),
  ]);
  const { items } = await daemon.clientOf({ project }).call("reservation.list", {});
  expect(new Set(items.map(({ holder }) => `${holder.id} ${holder.name}`))).toEqual(
    new Set([`${agent.id} ${agent.name}`]),
  );
  expect(items.flatMap(({ paths }) => paths).toSorted()).toEqual([
    "from-command.ts",
    "from-git-hook.ts",
    "from-mcp.ts",
  ]);
  expect((await daemon.clientOf({ project }).call("agent.list", {})).items).toHaveLength(1);
});

it("takes a tool call for the Codex session it says it comes from, over both transports [IDN-1]", async () => {
  const project = daemon.addRepository("codex-shop");
  const headers = { authorization: `Bearer ${daemon.userToken}`, "sylk-project": encodeURIComponent(project) };
  const transports = [
    new StdioClientTransport({ command: process.execPath, args: [mainScript, "mcp"], env: daemon.env, cwd: project }),
    new StreamableHTTPClientTransport(new URL("/mcp", daemon.url), { requestInit: { headers } }),
  ];
  for (const [index, transport] of transports.entries()) {
    const client = new Client({ name: "flows", version: "1" });
    await client.connect(transport);
    const _meta = { "x-codex-turn-metadata": { session_id: "codex-7", turn_id: "1" } };
    await client.callTool({ name: "reservation_acquire", arguments: { paths: [`${index}.ts`] }, _meta });
    await client.close();
  }
  const { items } = await daemon.clientOf({ project }).call("agent.list", {});
  expect(items).toMatchObject([{ client: "codex", status: "active" }]);
  const { items: held } = await daemon.clientOf({ project }).call("reservation.list", {});
  expect(held.map(({ holder }) => holder.id)).toEqual([items[0]!.id, items[0]!.id]);
});

it("acts as who is named, else as the session's agent, else as the nearest registered process, else as the user [IDN-1]", async () => {
  const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
  const codex = { CODEX_SESSION_ID: "codex-1" };
  await daemon.user.call("agent.register", {
    sessionKey: "codex-1",
    client: "codex",
    project: { path: daemon.repository },
    name: "lynx",
  });
  expect(await reservedBy(["--as", "heron"], { SYLK_AGENT: "otter", ...codex })).toBe("heron");
  expect(await reservedBy([], { SYLK_AGENT: "otter", ...codex })).toBe("otter");
  expect(await reservedBy([], codex)).toBe("lynx");
  const human = await reservedBy([]);
  expect([heron.agent.name, otter.agent.name, "lynx"]).not.toContain(human);

  const parent = `read _; "${process.execPath}" "${mainScript}" reserve ${freshPath()} --json`;
  const shell = startProcess("sh", ["-c", parent], { env: daemon.env, cwd: daemon.repository, input: "pipe" });
  const { agent } = await daemon.user.call("agent.register", {
    sessionKey: "opencode-1",
    client: "opencode",
    project: { path: daemon.repository },
    pid: shell.pid,
  });
  shell.child.stdin!.end("\n");
  expect(jsonOf<{ reservation: Reservation }>(await shell.ended).reservation.holder.id).toBe(agent.id);
});

it("makes no identity for a session that only looks, and says of one that has ended how to register [IDN-8]", async () => {
  const env = { GEMINI_SESSION_ID: "gemini-1" };
  const registered = async () => (await daemon.user.call("event.list", { type: "agent.registered" })).items.length;
  const before = await registered();
  expect((await daemon.sylk(["who"], { env })).code).toBe(0);
  expect(await registered()).toBe(before);
  const name = await reservedBy([], env);
  const agent = (await agentsNow()).find((one) => one.name === name)!;
  expect(agent).toMatchObject({ client: "gemini", status: "active" });
  await daemon.user.call("agent.end", { id: agent.id });
  for (const args of [
    ["reserve", "a.ts"],
    ["work", "add", "Too late"],
  ]) {
    const run = await daemon.sylk(args, { env });
    expect([run.code, run.stderr]).toEqual([
      5,
      expect.stringContaining('sylk agent register --session-key "gemini-1" --client gemini'),
    ]);
  }
  const unknown = await daemon.sylk(["reserve", "a.ts", "--as", "nobody-here"]);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("sylk agent register")]);
});

it("shows the same name on every surface: who, conflicts, claims, reservations, events, tools [IDN-7]", async () => {
  const heron = await daemon.register("name-bearer");
  const otter = await daemon.register("onlooker");
  const path = freshPath();
  await heron.client.call("reservation.acquire", { paths: [path] });
  const { workItem } = await heron.client.call("work-item.create", { title: "Rate-limit POST /orders" });
  await heron.client.call("work-item.claim", { id: workItem.id });
  const conflict = await refusal(otter.client.call("reservation.acquire", { paths: [path] }));
  const taken = await refusal(otter.client.call("work-item.claim", { id: workItem.id }));
  const { items: held } = await otter.client.call("reservation.list", { path });
  const { items: events } = await otter.client.call("event.list", { type: "reservation.acquired", limit: 1000 });
  const who = await daemon.sylk(["who"]);
  const names = [
    (conflict.details as { holder: { name: string } }).holder.name,
    (taken.details as { holder: { name: string } }).holder.name,
    held[0]!.holder.name,
    (events.at(-1)!.data as { reservation: Reservation }).reservation.holder.name,
    (await otter.client.call("work-item.get", { id: workItem.id })).workItem.owner!.name,
    (await agentsNow()).find(({ id }) => id === heron.agent.id)!.name,
  ];
  expect(new Set(names)).toEqual(new Set(["name-bearer"]));
  expect(who.stdout).toMatch(/name-bearer +other +active .*Rate-limit POST \/orders .*main/);
});

describe("an agent's record", () => {
  it("says client, process, host, tree, branch, capabilities, work and last activity [IDN-3]", async () => {
    // Not this process: the commands of the other tests descend from it.
    const client = startProcess("sleep", ["60"], { env: daemon.env, cwd: daemon.repository });
    const { agent, token } = await daemon.user.call("agent.register", {
      sessionKey: "full",
      client: "sylk",
      project: { path: daemon.repository },
      capabilities: ["code-review", "lang:go"],
      pid: client.pid,
    });
    const own = daemon.clientOf({ token });
    const { workItem } = await own.call("work-item.create", { title: "Tidy up" });
    await own.call("work-item.claim", { id: workItem.id });
    const seen = (await agentsNow()).find(({ id }) => id === agent.id);
    expect(seen).toMatchObject({
      client: "sylk",
      pid: client.pid,
      host: expect.stringMatching(/./),
      tree: daemon.repository,
      branch: "main",
      capabilities: ["code-review", "lang:go"],
      workItem: { id: workItem.id, title: "Tidy up" },
      lastSeenAt: expect.any(Number),
    });
    expect((await own.call("agent.get", { id: agent.id })).agent).toMatchObject({ workItem: { id: workItem.id } });
    client.child.kill("SIGKILL");
  });

  it("is found by capability and language over HTTP, as a tool and on the command line [CAP-1, CAP-2]", async () => {
    const project = daemon.addRepository("reviewers");
    const enrol = (name: string, capabilities: string[]) =>
      daemon.user.call("agent.register", {
        sessionKey: name,
        client: "other",
        project: { path: project },
        name,
        capabilities,
      });
    await enrol("gopher", ["Code-Review", "lang:go"]);
    await enrol("crab", ["code-review", "lang:rust"]);
    await enrol("idler", []);
    const headers = { authorization: `Bearer ${daemon.userToken}`, "sylk-project": encodeURIComponent(project) };
    const path = "/v1/agents?capability=code-review&language=go";
    const { body } = await send({ host: "127.0.0.1", port: daemon.port }, { path, headers });
    expect((JSON.parse(body) as { items: Agent[] }).items.map(({ name }) => name)).toEqual(["gopher"]);
    const run = await daemon.sylk(["who", "--capability", "code-review", "--language", "Go", "--json"], {
      cwd: project,
    });
    expect(jsonOf<{ items: Agent[] }>(run).items.map(({ name }) => name)).toEqual(["gopher"]);
    const client = new Client({ name: "flows", version: "1" });
    const transport = { command: process.execPath, args: [mainScript, "mcp"], env: daemon.env, cwd: project };
    await client.connect(new StdioClientTransport({ ...transport }));
    const found = await client.callTool({ name: "discover_agents", arguments: { capability: "code-review" } });
    await client.close();
    const { items } = found.structuredContent as { items: Agent[] };
    expect(items.map(({ name }) => name).toSorted()).toEqual(["crab", "gopher"]);
  });

  it("keeps its capabilities when a later process of the session declares none, and drops them for an empty list [CAP-1]", async () => {
    const again = async (capabilities?: string[]) =>
      (
        await daemon.user.call("agent.register", {
          sessionKey: "declared",
          client: "codex",
          project: { path: daemon.repository },
          ...(capabilities === undefined ? {} : { capabilities }),
        })
      ).agent.capabilities;
    expect(await again(["tests", "tests"])).toEqual(["tests"]);
    expect(await again()).toEqual(["tests"]);
    expect(await again([])).toEqual([]);
  });
});

it("refuses what is no capability, name, key or parent, with the field's name, and registers no agent [IDN-1, CAP-1]", async () => {
  const before = (await daemon.user.call("event.list", { type: "agent.registered", limit: 1000 })).items.length;
  const wanted = { sessionKey: "bad", client: "codex", project: { path: daemon.repository } } as const;
  const bad: readonly [object, string][] = [
    [{ capabilities: Array.from({ length: 10_000 }, (_, index) => `c${index}`) }, "capabilities"],
    [{ capabilities: [""] }, "capabilities.0"],
    [{ capabilities: ["code\u0007review"] }, "capabilities.0"],
    [{ capabilities: ["c\u043ede-review"] }, "capabilities.0"], // a Cyrillic o
    [{ name: "her\u043en" }, "name"],
    [{ name: "heron\u001b[31m" }, "name"],
    [{ name: "heron\n" }, "name"],
    [{ name: "HERON" }, "name"],
    [{ name: "" }, "name"],
    [{ sessionKey: "" }, "sessionKey"],
    [{ sessionKey: "x".repeat(201) }, "sessionKey"],
    [{ pid: -1 }, "pid"],
    [{ pid: 1.5 }, "pid"],
    [{ client: "Telnet" }, "client"],
    [{ parent: "" }, "parent"],
    [{ nonsense: 1 }, "nonsense"],
  ];
  const place = { socketPath: daemon.paths.socket };
  const headers = { authorization: `Bearer ${daemon.userToken}`, "content-type": "application/json" };
  for (const [terms, field] of bad) {
    const body = JSON.stringify({ ...wanted, ...terms });
    const answer = await send(place, { method: "POST", path: "/v1/agents", headers, body });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`"path":"${field}`)]);
  }
  const after = (await daemon.user.call("event.list", { type: "agent.registered", limit: 1000 })).items.length;
  expect(after).toBe(before);
});

it("refuses identity headers that cannot be what they say", async () => {
  const place = { host: "127.0.0.1", port: daemon.port };
  const authorization = `Bearer ${daemon.userToken}`;
  const bad = [
    { "sylk-session": "%" },
    { "sylk-session": "a" },
    { "sylk-session": "a", "sylk-client": "Telnet" },
    { "sylk-session": "a", "sylk-client": "codex", "sylk-pid": "-3" },
    { "sylk-session": "x".repeat(201), "sylk-client": "codex" },
    { "sylk-ancestors": "1,two" },
    { "sylk-ancestors": "1,".repeat(70) },
  ];
  for (const headers of bad) {
    const { status, body } = await send(place, { path: "/v1/agents", headers: { authorization, ...headers } });
    expect([status, body]).toEqual([400, expect.stringContaining('"input.invalid"')]);
  }
});

describe("sub-agents", () => {
  const child = (name: string, parent: string, project = daemon.repository) =>
    daemon.user.call("agent.register", { sessionKey: name, client: "other", project: { path: project }, name, parent });

  it("have an identity of their own; a child's end frees only its own, a parent's end ends its children [IDN-2]", async () => {
    const parent = await daemon.register("parent");
    const [first, second] = [await child("child-a", parent.agent.id), await child("child-b", "test-parent")];
    expect([first.agent.parent, second.agent.parent]).toEqual([parent.agent.id, parent.agent.id]);
    const paths = [freshPath(), freshPath(), freshPath()] as const;
    await parent.client.call("reservation.acquire", { paths: [paths[0]] });
    await daemon.clientOf({ token: first.token }).call("reservation.acquire", { paths: [paths[1]] });
    await daemon.clientOf({ token: second.token }).call("reservation.acquire", { paths: [paths[2]] });

    expect(await daemon.clientOf({ token: first.token }).call("agent.end", { id: first.agent.id })).toMatchObject({
      releasedReservations: 1,
      endedChildren: 0,
    });
    const held = async () => {
      const { items } = await daemon.user.call("reservation.list", { limit: 500 });
      return paths.filter((path) => items.some((item) => item.paths.includes(path)));
    };
    expect(await held()).toEqual([paths[0], paths[2]]);
    expect(await daemon.user.call("agent.end", { id: parent.agent.id })).toMatchObject({
      releasedReservations: 2,
      endedChildren: 1,
    });
    expect(await held()).toEqual([]);
    const late = await refusal(daemon.clientOf({ token: second.token }).call("agent.list", {}));
    expect(late.code).toBe("token.unknown");
  });

  it("are refused below an unknown agent, below an ended agent, in another project, and with another parent later [IDN-2, IDN-8]", async () => {
    const [one, other] = [await daemon.register("one"), await daemon.register("other-one")];
    const crow = await daemon.register("crow", { project: daemon.addRepository("nest") });
    await child("grandchild", one.agent.id);
    await daemon.user.call("agent.end", { id: other.agent.id });
    const codes = [
      (await refusal(child("lost", "no-such-key"))).code,
      (await refusal(child("lost", other.agent.id))).code,
      (await refusal(child("lost", crow.agent.id))).code,
      (await refusal(child("test-one", "grandchild"))).code, // a cycle
      (await refusal(child("grandchild", "test-crow"))).code,
      (await refusal(child("self", "self"))).code,
    ];
    expect(codes).toEqual([
      "agent.not-found",
      "agent.ended",
      "caller.denied",
      "input.invalid",
      "agent.not-found",
      "agent.not-found",
    ]);
  });
});

it("sends one heartbeat a minute, however many processes want to, and keeps its state in a file of its own [IDN-4]", async () => {
  const { agent } = await daemon.register("beating");
  const folder = join(daemon.paths.home, "heartbeats");
  const beat = async () => jsonOf<{ sent: boolean }>(await daemon.sylk(["heartbeat", agent.id, "--json"])).sent;
  const sent = await Promise.all(Array.from({ length: 6 }, beat));
  expect(sent.filter((one) => one)).toHaveLength(1);
  expect([await beat(), await beat()]).toEqual([false, false]);
  expect(readdirSync(folder)).toEqual([agent.id]);
  const aMinuteAgo = statSync(join(folder, agent.id)).mtimeMs / 1000 - 61;
  utimesSync(join(folder, agent.id), aMinuteAgo, aMinuteAgo);
  expect([await beat(), await beat()]).toEqual([true, false]);
  await daemon.user.call("agent.end", { id: agent.id });
  utimesSync(join(folder, agent.id), aMinuteAgo, aMinuteAgo);
  // What was refused counts as not sent: it is said again.
  for (let tries = 0; tries < 2; tries++) expect((await daemon.sylk(["heartbeat", agent.id])).code).toBe(5);
  expect((await daemon.sylk(["heartbeat", "../../etc/passwd"])).code).toBe(2);
});

/** As A2A 1.0 defines it, in the JSON of its protocol buffers; a binding that is not A2A's own is named by a URI. */
const A2aCard = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  version: z.string().min(1),
  supportedInterfaces: z
    .array(
      z.strictObject({
        url: z.url(),
        protocolBinding: z.union([z.enum(["JSONRPC", "GRPC", "HTTP+JSON"]), z.url({ protocol: /^(https|urn)$/ })]),
        protocolVersion: z.literal("1.0"),
      }),
    )
    .min(1),
  capabilities: z.strictObject({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extendedAgentCard: z.boolean(),
  }),
  securitySchemes: z.record(
    z.string(),
    z.strictObject({ httpAuthSecurityScheme: z.strictObject({ scheme: z.string() }) }),
  ),
  securityRequirements: z.array(
    z.strictObject({ schemes: z.record(z.string(), z.strictObject({ list: z.array(z.string()) })) }),
  ),
  defaultInputModes: z.array(z.string()).min(1),
  defaultOutputModes: z.array(z.string()).min(1),
  skills: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        name: z.string().min(1),
        description: z.string().min(1),
        tags: z.array(z.string()).min(1),
        examples: z.array(z.string()).optional(),
      }),
    )
    .min(1),
});

it("answers which companions are installed, and whether each is active, outdated or missing [CAP-4]", async () => {
  await using own = await openScratchDaemon();
  const states = async () => {
    const { items } = await own.user.call("companion.list", {});
    return Object.fromEntries(items.map(({ name, state }) => [name, state]));
  };
  expect([await states(), (await own.sylk(["companions"])).stdout]).toEqual([
    {},
    expect.stringContaining("Nothing is installed yet"),
  ]);
  for (const client of ["claude-code", "gemini"]) await own.sylk(["install", client, "--yes"]);
  const active = { "claude-code": "active", gemini: "active", launcher: "active", "commit-gate": "active" };
  expect(await states()).toEqual(active);

  const launcher = join(own.paths.home, "hooks", "sylk-hook");
  const [script, gate] = [readFileSync(launcher, "utf8"), join(own.repository, ".git", "hooks", "pre-commit")];
  writeFileSync(launcher, script.replace("Exit code 2", "Exit code 3"));
  rmSync(gate);
  writeFileSync(join(own.repository, ".claude", "settings.local.json"), "{}\n");
  expect(await states()).toEqual({
    "claude-code": "missing",
    gemini: "active",
    launcher: "outdated",
    "commit-gate": "missing",
  });
  const table = (await own.sylk(["companions"])).stdout;
  expect(table).toMatch(/^claude-code +missing +\S+/m);
  expect(table).toMatch(/^claude-code: .*settings\.local\.json has none of our hooks$/m);
  expect(table).toMatch(/^launcher +outdated +all repositories$/m);
  expect(table).toMatch(/^launcher: .*is not this version's$/m);
  rmSync(launcher);
  expect((await states()).launcher).toBe("missing");
  await own.sylk(["upgrade", "--yes"]);
  expect(await states()).toEqual(active);
});

it("publishes an agent card that everyone may read and that holds nothing of any project [CAP-4]", async () => {
  const secret = await daemon.register("secret-name", { project: daemon.addRepository("secret-project") });
  for (const place of [{ host: "127.0.0.1", port: daemon.port }, { socketPath: daemon.paths.socket }]) {
    const { status, body } = await send(place, { path: "/.well-known/agent-card.json" });
    const card = JSON.parse(body) as { skills: { id: string; tags: string[] }[]; supportedInterfaces: object[] };
    expect([status, card]).toMatchObject([
      200,
      {
        name: "Sylk",
        description: expect.any(String),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        capabilities: expect.any(Object),
        defaultInputModes: ["application/json"],
        defaultOutputModes: ["application/json"],
      },
    ]);
    expect(A2aCard.safeParse(card).error?.issues).toBeUndefined();
    expect(card.skills.length).toBeGreaterThan(2);
    for (const skill of card.skills) expect(skill.tags.length).toBeGreaterThan(0);
    for (const name of [secret.agent.name, "secret-project", daemon.root, daemon.userToken])
      expect(body).not.toContain(name);
  }
  const foreign = await send(
    { host: "127.0.0.1", port: daemon.port },
    { path: "/.well-known/agent-card.json", headers: { host: "evil.example" } },
  );
  expect(foreign.status).toBe(403);
});
