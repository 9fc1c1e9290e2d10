import { userInfo } from "node:os";
import { expect, it } from "vitest";
import type { Credentials } from "../../contract/index.ts";
import { hashToken, newToken } from "../../platform/tokens.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, worktree, type ScratchPorts } from "../testkit.ts";
import { createAuthenticate } from "./authenticate.ts";
import { registerAgent } from "./register-agent.ts";

type Actor = "user" | "agent" | "anyone";

/** The user's token and agents with a token each, as the daemon has issued them. */
async function scratchAuth(ports: ScratchPorts) {
  const userToken = newToken("usr");
  await ports.store.transact("tokens", (tx) => tx.tokens.issue(hashToken(userToken), undefined, ports.clock.now()));
  const authenticate = createAuthenticate(ports);
  return {
    userToken,
    shop: repository(ports.folder, "shop"),
    bank: repository(ports.folder, "bank"),
    call: (credentials: Partial<Credentials>, actor: Actor = "agent") =>
      authenticate({ token: undefined, ...credentials }, actor),
    enrol: (name: string, path = repository(ports.folder, "shop")) =>
      registerAgent({ sessionKey: name, client: "other", project: { path }, name }, ports.store, ports),
  };
}

it.each(["user", "agent", "anyone"] as const)(
  "refuses a call of %s without a token or with a wrong one [CORE-20]",
  async (actor) => {
    using ports = scratchPorts();
    const { call, enrol, userToken } = await scratchAuth(ports);
    const { token } = await enrol("heron");
    await expect(call({}, actor)).rejects.toMatchObject({ code: "token.missing" });
    for (const wrong of [
      "",
      "nonsense",
      newToken("agt"),
      newToken("usr"),
      token.slice(0, -1),
      hashToken(token),
      hashToken(userToken),
    ])
      await expect(call({ token: wrong }, actor)).rejects.toMatchObject({ code: "token.unknown" });
  },
);

it("refuses tokens that were revoked by the agent's end or pushed out by newer ones [CORE-20]", async () => {
  using ports = scratchPorts();
  const { call, enrol } = await scratchAuth(ports);
  const heron = await enrol("heron");
  await call({ token: heron.token });
  for (let process = 0; process < 16; process++) await enrol("heron");
  await expect(call({ token: heron.token })).rejects.toMatchObject({ code: "token.unknown" });

  const otter = await enrol("otter");
  const user = { kind: "user", project: undefined } as const;
  await endAgent(otter.agent.id, { caller: user, transact: ports.store.transact }, ports);
  await expect(call({ token: otter.token })).rejects.toMatchObject({ code: "token.unknown" });
});

it("takes an agent's token for that agent, in its project and tree", async () => {
  using ports = scratchPorts();
  const { call, enrol, shop } = await scratchAuth(ports);
  const { agent, token } = await enrol("heron");
  const { id, name, client, project, tree } = agent;
  const expected = { kind: "agent", agent: { id, name, client }, project, tree };
  const feature = worktree(ports.folder, shop, "shop-feature");
  for (const credentials of [{}, { actAs: id }, { actAs: name }, { projectPath: shop }, { projectPath: feature }])
    expect(await call({ token, ...credentials })).toEqual(expected);
});

it("refuses an agent's token for another agent and for another project [CORE-20]", async () => {
  using ports = scratchPorts();
  const { call, enrol, bank } = await scratchAuth(ports);
  const heron = await enrol("heron");
  const otter = await enrol("otter");
  for (const credentials of [{ actAs: otter.agent.id }, { actAs: "otter" }, { actAs: "nobody" }, { projectPath: bank }])
    await expect(call({ token: heron.token, ...credentials })).rejects.toMatchObject({
      code: "caller.denied",
      details: { needed: expect.stringContaining("token") },
    });
});

it("lets the user act for an agent of the project by id or name, and for no other", async () => {
  using ports = scratchPorts();
  const { call, enrol, userToken: token, shop, bank } = await scratchAuth(ports);
  const heron = await enrol("heron");
  const { id } = heron.agent;
  for (const credentials of [{ actAs: id }, { actAs: id, projectPath: shop }, { actAs: "heron", projectPath: shop }])
    expect(await call({ token, ...credentials })).toMatchObject({ kind: "agent", agent: { id } });
  await expect(call({ token, actAs: id, projectPath: bank })).rejects.toMatchObject({ code: "caller.denied" });
  for (const credentials of [
    { actAs: "heron" },
    { actAs: "otter", projectPath: shop },
    { actAs: "heron", projectPath: bank },
  ])
    await expect(call({ token, ...credentials })).rejects.toMatchObject({ code: "agent.not-found" });
  await endAgent(id, { caller: { kind: "user", project: undefined }, transact: ports.store.transact }, ports);
  await expect(call({ token, actAs: id })).rejects.toMatchObject({ code: "agent.ended" });
});

it("takes the user's token alone for the user, with the project that was named", async () => {
  using ports = scratchPorts();
  const { call, userToken: token, shop } = await scratchAuth(ports);
  expect(await call({ token, projectPath: shop }, "user")).toEqual({ kind: "user", project: undefined, folder: shop });
  expect(await call({ token }, "anyone")).toEqual({ kind: "user", project: undefined });
  expect(await call({ token, projectPath: shop }, "anyone")).toMatchObject({ kind: "user", project: { name: "shop" } });
});

it("lets the user act as one human agent in each project, made when first needed", async () => {
  using ports = scratchPorts();
  const { call, userToken: token, shop, bank } = await scratchAuth(ports);
  const first = await call({ token, projectPath: shop });
  const again = await Promise.all([call({ token, projectPath: shop }), call({ token, projectPath: shop })]);
  expect(first).toMatchObject({ kind: "agent", agent: { client: "human" }, project: { name: "shop" }, tree: shop });
  expect(again).toEqual([first, first]);
  const elsewhere = await call({ token, projectPath: bank });
  expect(elsewhere).toMatchObject({ agent: { client: "human" }, project: { name: "bank" } });
  expect(await ports.eventTypes()).toEqual(["agent.registered", "agent.registered"]);
  const record = await ports.store.reader.agents.findBySessionKey(first.project!.id, `human:${userInfo().username}`);
  expect(record?.name).toMatch(/^[a-z][a-z0-9-]{0,39}$/);
});

it("lets the human agent follow the user into another worktree, and come back from its end", async () => {
  using ports = scratchPorts();
  const { call, userToken: token, shop } = await scratchAuth(ports);
  const feature = worktree(ports.folder, shop, "shop-feature");
  const first = await call({ token, projectPath: shop });
  const moved = await call({ token, projectPath: feature });
  expect(moved).toEqual({ ...first, tree: feature });
  const { id } = first.kind === "agent" ? first.agent : { id: expect.fail("not an agent") };
  await endAgent(id, { caller: { kind: "user", project: undefined }, transact: ports.store.transact }, ports);
  expect(await call({ token, projectPath: feature })).toEqual(moved);
});

it("says which header is missing when the user's call needs a project", async () => {
  using ports = scratchPorts();
  const { call, userToken: token } = await scratchAuth(ports);
  await expect(call({ token })).rejects.toMatchObject({
    code: "agent.unknown-project",
    details: { header: "sylk-project" },
  });
});

it("renews the agent's liveness with every call, and with no refused one", async () => {
  using ports = scratchPorts();
  const { call, enrol } = await scratchAuth(ports);
  const { agent, token } = await enrol("heron");
  ports.clock.advance(2 * minuteMs);
  await call({ token, actAs: "otter" }).catch(() => {});
  expect(ports.liveness.silenceMs(agent.id)).toBe(2 * minuteMs);
  await call({ token });
  expect(ports.liveness.silenceMs(agent.id)).toBe(0);
});

it("brings an agent back that was found offline, with one event for any number of calls", async () => {
  using ports = scratchPorts();
  const { call, enrol } = await scratchAuth(ports);
  const { agent, token } = await enrol("heron");
  await ports.store.transact("sweep", async (tx) =>
    tx.agents.update({ ...(await tx.agents.find(agent.id))!, offlineAt: ports.clock.now() }),
  );
  await Promise.all([call({ token }), call({ token }), call({ token })]);
  const record = (await ports.store.reader.agents.find(agent.id))!;
  expect(ports.liveness.statusOf(record)).toBe("active");
  expect(await ports.eventTypes()).toEqual(["agent.registered", "agent.returned"]);
});

it("keeps tokens as hashes only, in every file of the home [CORE-20]", async () => {
  using ports = scratchPorts();
  const { call, enrol, userToken, shop } = await scratchAuth(ports);
  const { token } = await enrol("heron");
  await call({ token });
  await call({ token: userToken, projectPath: shop });
  const written = ports.folder.content();
  for (const secret of [token, userToken]) {
    expect(written).toContain(hashToken(secret));
    expect(written).not.toContain(secret);
    expect(written).not.toContain(secret.slice("sylk_agt_".length));
  }
});

it("finds whom a call is for by its session, and by the nearest process that is registered and still the same [IDN-1]", async () => {
  using ports = scratchPorts();
  const { call, userToken: token, shop, bank } = await scratchAuth(ports);
  ports.processes.set(100, "start-100").set(200, "start-200");
  const enrol = (sessionKey: string, pid: number, path = shop) =>
    registerAgent({ sessionKey, client: "opencode", project: { path }, pid }, ports.store, ports);
  const [inner, outer] = [(await enrol("inner", 100)).agent.id, (await enrol("outer", 200)).agent.id];
  await enrol("elsewhere", 100, bank);
  const actor = async (credentials: Partial<Credentials>, kind: Actor = "agent") => {
    const caller = await call({ token, projectPath: shop, ...credentials }, kind);
    return caller.kind === "agent" ? caller.agent.id : undefined;
  };
  expect(await actor({ ancestors: [999, 100, 200] })).toBe(inner);
  expect(await actor({ ancestors: [999, 200, 100] }, "anyone")).toBe(outer);
  const session = { key: "outer", client: "opencode" } as const;
  expect(await actor({ session, ancestors: [100] })).toBe(outer);
  expect(await actor({ actAs: inner, session })).toBe(inner);
  ports.processes.set(100, "another start");
  expect(await actor({ ancestors: [100, 200] })).toBe(outer);
  expect(await actor({ ancestors: [100] }, "anyone")).toBeUndefined();
});

it("makes a session's agent when it first acts, in one go for calls at once, and none for one that only looks [IDN-1]", async () => {
  using ports = scratchPorts();
  const { call, userToken: token, shop } = await scratchAuth(ports);
  const session = { key: "cc-7f3a", client: "claude-code", pid: 4711 } as const;
  const credentials = { token, projectPath: shop, session };
  expect(await call(credentials, "anyone")).toMatchObject({ kind: "user" });
  expect(await ports.eventTypes()).toEqual([]);
  const callers = await Promise.all(Array.from({ length: 5 }, () => call(credentials)));
  expect(new Set(callers.map((caller) => JSON.stringify(caller))).size).toBe(1);
  expect(callers[0]).toMatchObject({ kind: "agent", agent: { client: "claude-code" } });
  expect(await ports.eventTypes()).toEqual(["agent.registered"]);
});
