import { once } from "node:events";
import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { type Answer, createGuide, type RoleHandler, standardCards } from "../../orchestration/guide/index.ts";
import { messageOf } from "../../orchestration/guide/testkit.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { createAgent } from "./agent-life.ts";
import { defineRole } from "./define-role.ts";

const role = defineRole({ card: standardCards.librarian, core: [], extended: [] });
const answer: Answer = { type: "CONTEXT_RESPONSE", payload: { files: [], fileCount: 0, found: [] } };
const question = messageOf("CONTEXT_REQUEST", { question: "where?" });

function realGuide() {
  const clock = manualClock();
  const router = createGuide({ clock, ids: randomIds(clock), record: async () => {} }).open("ses_1" as SessionId);
  const terms = { deadlineMs: 1_000, signal: new AbortController().signal };
  return {
    router,
    ask: async () =>
      (await router.ask("architect", "librarian", "CONTEXT_REQUEST", { question: "where?" }, terms)).payload,
  };
}

it("answers through the Guide between start and stop, starts once at a time, and stops as often as one likes", async () => {
  const { router, ask } = realGuide();
  const agent = createAgent(role, async () => answer);
  expect([agent.isRunning, router.agents()]).toEqual([false, []]);
  await expect(ask()).rejects.toThrow("librarian");
  agent.start(router);
  expect([agent.isRunning, router.agents()]).toEqual([true, [role.card]]);
  expect(await ask()).toEqual(answer.payload);
  expect(() => agent.start(router)).toThrow("the librarian runs already; stop it before you start it again");
  expect(await ask(), "the failed start left one listener").toEqual(answer.payload);
  agent.stop();
  agent.stop();
  expect([agent.isRunning, router.agents()]).toEqual([false, []]);
  await expect(ask()).rejects.toThrow("librarian");
  agent.start(router);
  expect(await ask()).toEqual(answer.payload);
});

it("tells every agent under way that it stops, also where the bus cannot forget it", async () => {
  let listening: RoleHandler | undefined;
  const agent = createAgent(role, async (_, signal) => {
    await once(signal, "abort");
    throw signal.reason;
  });
  agent.start({ register: (_, handler) => void (listening = handler), unregister: () => false });
  const underWay = listening!(question, new AbortController().signal);
  agent.stop();
  await expect(underWay).rejects.toThrow("the librarian was stopped");
  await expect(listening!(question, new AbortController().signal)).rejects.toThrow("answers nothing more");
});
