import { expect, it } from "vitest";
import { createLog } from "../../platform/log/index.ts";
import { createDispatch } from "../../platform/operations/index.ts";
import { hashToken } from "../../platform/tokens.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, worktree, type ScratchPorts } from "../testkit.ts";
import type { Wanted } from "./ports.ts";
import { projectWanted, registerAgent } from "./register-agent.ts";

function wantedIn(ports: ScratchPorts, terms: Partial<Wanted> = {}): Wanted {
  return { sessionKey: "cc-1", client: "claude-code", project: { path: repository(ports.folder, "shop") }, ...terms };
}
const register = (ports: ScratchPorts, terms: Partial<Wanted> = {}) =>
  registerAgent(wantedIn(ports, terms), ports.store, ports);
const ownerOf = async (token: string, { store }: ScratchPorts) =>
  (await store.reader.tokens.find(hashToken(token)))?.agent;

it("registers in the project that is named, else in that of the call, else nowhere", () => {
  const [named, folder] = [{ path: "/named" }, "/called-from"];
  expect(projectWanted({ project: named }, { folder })).toEqual(named);
  expect(projectWanted({}, { folder })).toEqual({ path: folder });
  expect(() => projectWanted({}, {})).toThrow(expect.objectContaining({ code: "input.invalid" }));
});

it("gives a new session an identity, a token and an event", async () => {
  using ports = scratchPorts();
  const { agent, token } = await register(ports, { capabilities: ["code-review"], pid: 4711 });
  expect(agent).toMatchObject({
    client: "claude-code",
    status: "active",
    capabilities: ["code-review"],
    pid: 4711,
    registeredAt: ports.clock.now(),
    project: { name: "shop" },
    tree: repository(ports.folder, "shop"),
  });
  expect(await ownerOf(token, ports)).toBe(agent.id);
  expect((await ports.events()).map(({ type, subject, data }) => ({ type, subject, data }))).toEqual([
    { type: "agent.registered", subject: agent.id, data: { agent } },
  ]);
});

it("gives the same session the same agent and a new token; the old one stays valid [IDN-1]", async () => {
  using ports = scratchPorts();
  const first = await register(ports);
  const second = await register(ports);
  expect(second.agent).toEqual(first.agent);
  expect(second.token).not.toBe(first.token);
  for (const token of [first.token, second.token]) expect(await ownerOf(token, ports)).toBe(first.agent.id);
  expect(await ports.eventTypes()).toEqual(["agent.registered"]);
});

it("gives many processes of one session that register at once one agent and a token each [IDN-1]", async () => {
  using ports = scratchPorts();
  const answers = await Promise.all(Array.from({ length: 12 }, () => register(ports)));
  expect(new Set(answers.map(({ agent }) => agent.id)).size).toBe(1);
  expect(new Set(answers.map(({ token }) => token)).size).toBe(12);
  expect(await ports.eventTypes()).toEqual(["agent.registered"]);
});

it("takes one session key in two projects for two agents, and all worktrees of one repository for one project", async () => {
  using ports = scratchPorts();
  const shop = repository(ports.folder, "shop");
  const here = await register(ports);
  const elsewhere = await register(ports, { project: { path: repository(ports.folder, "bank") } });
  const tree = worktree(ports.folder, shop, "shop-feature");
  const inWorktree = await register(ports, { sessionKey: "cc-2", project: { path: tree } });
  expect(elsewhere.agent.id).not.toBe(here.agent.id);
  expect(elsewhere.agent.project.id).not.toBe(here.agent.project.id);
  expect(inWorktree.agent.project).toEqual(here.agent.project);
  expect([here.agent.tree, inWorktree.agent.tree]).toEqual([shop, tree]);
});

it("keeps at most 16 tokens of an agent and revokes the oldest", async () => {
  using ports = scratchPorts();
  const tokens: string[] = [];
  for (let process = 0; process < 18; process++) {
    tokens.push((await register(ports)).token);
    ports.clock.advance(1);
  }
  const valid = await Promise.all(tokens.map(async (token) => (await ownerOf(token, ports)) !== undefined));
  expect(valid).toEqual(tokens.map((_, index) => index >= 2));
});

it("revokes the oldest token, not the newest, after the wall clock went back [CORE-19]", async () => {
  using ports = scratchPorts();
  const tokens: string[] = [];
  for (let process = 0; process < 16; process++) tokens.push((await register(ports)).token);
  ports.clock.jumpWall(-3_600_000);
  const { token } = await register(ports);
  expect([await ownerOf(tokens[0]!, ports), (await ownerOf(token, ports)) !== undefined]).toEqual([undefined, true]);
});

it("does not touch the tokens of other agents", async () => {
  using ports = scratchPorts();
  const other = await register(ports, { sessionKey: "cc-2" });
  for (let process = 0; process < 20; process++) await register(ports);
  expect(await ownerOf(other.token, ports)).toBe(other.agent.id);
});

it("gives names that are unique in the project, with a number where the wanted one is taken [IDN-1]", async () => {
  using ports = scratchPorts();
  const nameOf = async (sessionKey: string, name: string, path?: string) =>
    (await register(ports, { sessionKey, name, ...(path === undefined ? {} : { project: { path } }) })).agent.name;
  expect([await nameOf("a", "heron"), await nameOf("b", "heron"), await nameOf("c", "heron")]).toEqual([
    "heron",
    "heron-2",
    "heron-3",
  ]);
  expect(await nameOf("d", "heron", repository(ports.folder, "bank"))).toBe("heron");
  const long = "x".repeat(40);
  expect([await nameOf("e", long), await nameOf("f", long)]).toEqual([long, expect.stringMatching(/^x{34}-2$/)]);
});

it("chooses names itself where none is wanted, also for more agents than it knows words [IDN-1]", async () => {
  using ports = scratchPorts();
  const answers = await Promise.all(
    Array.from({ length: 130 }, (_, index) => register(ports, { sessionKey: `session-${index}` })),
  );
  const names = answers.map(({ agent }) => agent.name);
  expect(new Set(names).size).toBe(130);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
});

it("keeps the name when a session comes back with another wish, and what it does not say anew", async () => {
  using ports = scratchPorts();
  await register(ports, { name: "heron", capabilities: ["code-review"], pid: 1 });
  const { agent } = await register(ports, { name: "otter", pid: 2 });
  expect(agent).toMatchObject({ name: "heron", capabilities: ["code-review"], pid: 2 });
});

it("brings an agent back that had ended, with the same name and a working token", async () => {
  using ports = scratchPorts();
  const { agent, token } = await register(ports);
  await endAgent(agent.id, { caller: { kind: "user", project: undefined }, transact: ports.store.transact }, ports);
  expect(await ownerOf(token, ports)).toBeUndefined();
  const back = await register(ports);
  expect(back.agent).toMatchObject({ id: agent.id, name: agent.name, status: "active" });
  expect(back.agent.endedAt).toBeUndefined();
  expect(await ownerOf(back.token, ports)).toBe(agent.id);
  expect(await ports.eventTypes()).toEqual(["agent.registered", "agent.ended", "agent.returned"]);
});

it("says of an agent that it is active, however long the daemon or the agent has been silent before", async () => {
  using ports = scratchPorts();
  ports.clock.advance(60 * minuteMs);
  expect((await register(ports)).agent.status).toBe("active");
  ports.clock.advance(2 * minuteMs);
  expect((await register(ports)).agent.status).toBe("active");
  const [registered] = await ports.events();
  expect(registered?.data.agent).toMatchObject({ status: "active" });
});

it("refuses a folder that is not there, and one that is not absolute", async () => {
  using ports = scratchPorts();
  const missing = register(ports, { project: { path: `${ports.folder.path}/missing` } });
  await expect(missing).rejects.toMatchObject({ code: "project.not-found" });
  const relative = register(ports, { project: { path: "shop" } });
  await expect(relative).rejects.toMatchObject({
    code: "input.invalid",
    details: { problems: [{ path: "project.path", message: "must be absolute" }] },
  });
  expect(await ports.events()).toEqual([]);
});

it("mints a new token for a replayed registration and keeps none in any file [CORE-12, CORE-20]", async () => {
  using ports = scratchPorts();
  const dispatch = createDispatch({
    handlers: { "agent.register": (input: Wanted, call: never) => registerAgent(input, call, ports) } as never,
    store: ports.store,
    clock: ports.clock,
    log: createLog({ level: "debug", clock: ports.clock, write: () => {} }),
    idempotencyKeepMs: 24 * 60 * minuteMs,
    clean: (value) => value,
  });
  const user = { kind: "user", project: undefined } as const;
  const answer = () => dispatch("agent.register", wantedIn(ports), user, { idempotencyKey: "key-1" });
  const [first, second] = [await answer(), await answer()];
  expect(second.agent).toEqual(first.agent);
  expect(second.token).not.toBe(first.token);
  for (const token of [first.token, second.token]) expect(await ownerOf(token, ports)).toBe(first.agent.id);
  expect(await ports.eventTypes()).toEqual(["agent.registered"]);

  const kept = await ports.store.reader.idempotency.find({ caller: "user", operation: "agent.register", key: "key-1" });
  expect(JSON.parse(kept!.answer)).toEqual({ value: first.agent });
  const written = ports.folder.content();
  expect(written).toContain(first.agent.id);
  expect(written).toContain(hashToken(first.token));
  for (const token of [first.token, second.token]) {
    expect(written).not.toContain(token);
    expect(written).not.toContain(token.slice("sylk_agt_".length));
  }
});
