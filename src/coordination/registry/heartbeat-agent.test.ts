import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endAgent } from "../agent-end/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { minuteMs, repository, scratchPorts } from "../testkit.ts";
import { heartbeatAgent } from "./heartbeat-agent.ts";

const user = { kind: "user", project: undefined } as const;

it("renews the agent's liveness and is no event", async () => {
  using ports = scratchPorts();
  const { caller } = await ports.caller("heron");
  ports.clock.advance(2 * minuteMs);
  const { agent } = await heartbeatAgent(caller.agent.id, caller, ports);
  expect(agent).toMatchObject({ status: "active", lastSeenAt: ports.clock.now() });
  expect(await ports.eventTypes()).toEqual(["agent.registered"]);
});

it("is refused for another agent, and for one of another project [CORE-20]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const otter = await ports.caller("otter");
  const lynx = await ports.caller("lynx", repository(ports.folder, "bank"));
  ports.clock.advance(2 * minuteMs);
  for (const other of [otter, lynx])
    await expect(heartbeatAgent(heron.caller.agent.id, other.caller, ports)).rejects.toMatchObject({
      code: "caller.denied",
    });
  expect(ports.liveness.silenceMs(heron.caller.agent.id)).toBe(2 * minuteMs);
});

it("does not bring an ended agent back", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await endAgent(heron.caller.agent.id, heron, ports);
  await expect(heartbeatAgent(heron.caller.agent.id, user, ports)).rejects.toMatchObject({
    code: "agent.ended",
    details: { agent: { name: "heron" } },
  });
});

it("brings an agent back that was found offline, also when the user sends it", async () => {
  using ports = scratchPorts();
  const { agent } = (await ports.caller("heron")).caller;
  ports.clock.advance(5 * minuteMs);
  const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  await sweeper.sweep();
  sweeper.stop();
  expect(await heartbeatAgent(agent.id, user, ports)).toMatchObject({ agent: { status: "active" } });
  expect(await ports.eventTypes()).toEqual(["agent.registered", "agent.offline", "agent.returned"]);
});

it("notices another branch of the tree, with one event, and keeps what it knew of a tree that is not there [IDN-3]", async () => {
  using ports = scratchPorts();
  const { caller } = await ports.caller("heron");
  const beat = async () => (await heartbeatAgent(caller.agent.id, caller, ports)).agent.branch;
  expect(await beat()).toBe("main");
  const head = join(caller.tree, ".git", "HEAD");
  writeFileSync(head, "ref: refs/heads/feature/orders\n");
  expect([await beat(), await beat()]).toEqual(["feature/orders", "feature/orders"]);
  writeFileSync(head, "4e1243bd22c66e76c2ba9eddc1f91394e57f9f83\n");
  expect(await beat()).toBeUndefined();
  expect(await ports.eventTypes()).toEqual(["agent.registered", "agent.changed", "agent.changed"]);
});
