import { once } from "node:events";
import { expect, it } from "vitest";
import type { Message } from "../../contract/index.ts";
import type { Answer, RoleHandler } from "../../orchestration/guide/index.ts";
import { createAskBus } from "../../platform/bus/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createAgent } from "./agent-life.ts";
import { defineRole, type RoutingInfo } from "./define-role.ts";

const role = defineRole({ name: "librarian", description: "Knows the code", intents: ["recall"], core: [] });
const answer: Answer = { type: "CONTEXT_RESPONSE", payload: {} };
const question = {} as Message;

function realBus() {
  const bus = createAskBus<Message, Answer>({ clock: manualClock() });
  const infos: RoutingInfo[] = [];
  return {
    infos,
    ask: () => bus.ask("librarian.requests", question, { deadlineMs: 1_000, signal: new AbortController().signal }),
    register(name: string, handler: RoleHandler, info: RoutingInfo) {
      infos.push(info);
      return bus.respond(`${name}.requests`, handler);
    },
  };
}

it("answers on the bus between start and stop, starts once at a time, and stops as often as one likes [COMMON-5]", async () => {
  const bus = realBus();
  const agent = createAgent(role, async () => answer);
  expect(agent.isRunning).toBe(false);
  await expect(bus.ask()).rejects.toThrow("0 answer");
  agent.start(bus);
  expect(agent.isRunning).toBe(true);
  expect(await bus.ask()).toBe(answer);
  expect(() => agent.start(bus)).toThrow("the librarian runs already; stop it before you start it again");
  expect(await bus.ask(), "the failed start left one listener").toBe(answer);
  agent.stop();
  agent.stop();
  expect(agent.isRunning).toBe(false);
  await expect(bus.ask()).rejects.toThrow("0 answer");
  agent.start(bus);
  expect(await bus.ask()).toBe(answer);
  expect(bus.infos, "each start registers its routing info").toEqual([role.routing, role.routing]);
});

it("tells whoever is under way that it stops, also where the bus cannot forget it", async () => {
  let listening: RoleHandler | undefined;
  const agent = createAgent(role, async (_, signal) => {
    await once(signal, "abort");
    throw signal.reason;
  });
  agent.start({ register: (_, handler) => void (listening = handler) });
  const underWay = listening!(question, new AbortController().signal);
  agent.stop();
  await expect(underWay).rejects.toThrow("the librarian was stopped");
  await expect(listening!(question, new AbortController().signal)).rejects.toThrow("answers nothing more");
});
