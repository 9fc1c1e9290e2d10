/** The registry's part in a daemon's life: tokens, last seen, live agents, the agent behind a hook. */
import { expect, it } from "vitest";
import { hashToken } from "../../platform/tokens.ts";
import { minuteMs, repository, scratchPorts } from "../testkit.ts";
import { agentsNow, projectsWithAgents } from "./agents-now.ts";
import { identifyHook } from "./identify-hook.ts";
import { trustUserToken } from "./trust-user-token.ts";
import { writeLastSeen } from "./write-last-seen.ts";

const actions = { action: undefined, since: undefined, before: undefined, limit: 10 };

it("trusts one user token at a time, and audits each change once", async () => {
  using ports = scratchPorts();
  const { tokens, audit } = ports.store.reader;
  await trustUserToken("first", ports);
  await trustUserToken("first", ports);
  expect(await audit.page(actions)).toMatchObject([{ action: "user-token.trusted", subject: "user" }]);
  await trustUserToken("second", ports);
  expect(await tokens.find(hashToken("first"))).toBeUndefined();
  expect(await tokens.find(hashToken("second"))).toBeDefined();
  expect(await audit.page(actions)).toHaveLength(2);
});

it("writes the last sign of life of every agent, a few in each transaction", async () => {
  using ports = scratchPorts();
  const { caller } = await ports.caller("heron");
  const at = ports.clock.now() + minuteMs;
  let transactions = 0;
  const transact: typeof ports.store.transact = (scope, work) => {
    transactions++;
    return ports.store.transact(scope, work);
  };
  const strangers = Array.from({ length: 50 }, (_, n) => [`agt_${n}` as typeof caller.agent.id, at] as const);
  await writeLastSeen(new Map([...strangers, [caller.agent.id, at]]), { transact });
  expect(transactions).toBe(2);
  expect(await ports.store.reader.agents.find(caller.agent.id)).toMatchObject({ lastSeenAt: at });
});

it("lists the agents that are alive: an agent sees its own project, the user all of them", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const otter = await ports.caller("otter", repository(ports.folder, "nest"));
  const names = async (caller: Parameters<typeof agentsNow>[0]) =>
    (await agentsNow(caller, ports)).map(({ agent }) => agent.name);
  expect(await names(heron.caller)).toEqual(["heron"]);
  expect((await names({ kind: "user", project: undefined })).toSorted()).toEqual(["heron", "otter"]);
  expect((await projectsWithAgents(ports.store)).toSorted()).toEqual(
    [heron.caller.project.id, otter.caller.project.id].toSorted(),
  );
  ports.clock.advance(6 * minuteMs);
  expect(await names({ kind: "user", project: undefined })).toEqual([]);
});

it("finds a hook's agent by its project's folder or id, and keeps the name of an unknown one", async () => {
  using ports = scratchPorts();
  const { caller } = await ports.caller("heron");
  const known = { project: caller.project.id, agent: { id: caller.agent.id, name: "heron" } };
  expect(await identifyHook({ agentKey: "heron", project: caller.tree }, ports.store)).toMatchObject(known);
  expect(await identifyHook({ agentKey: "heron", project: caller.project.id }, ports.store)).toMatchObject(known);
  expect(await identifyHook({ agentKey: "ghost", project: "/nowhere" }, ports.store)).toEqual({
    project: undefined,
    agent: { id: "ghost", name: "ghost" },
  });
  expect(await identifyHook({ agentKey: undefined, project: undefined }, ports.store)).toEqual({
    project: undefined,
    agent: undefined,
  });
});
