/** What `sylk ask` does with models: one may say whom a question is for; a role whose worker falls silent is left alone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { type ScriptedServer, startScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import type { DomainError, OutputOf, RawInputOf } from "../../src/contract/index.ts";
import { workersUnder } from "./run-processes.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, type Shop } from "./scratch-shop.ts";
import { until } from "./until.ts";

const slowMs = 30_000;
const scenario = {
  name: "routes",
  turns: [
    { when: { mentions: ["Whom is this for?", "the weather"] }, reply: [{ text: "the weather is fine" }] },
    {
      when: { mentions: ["Whom is this for?", "good morning"] },
      reply: [{ text: "librarian 0.95" }],
      usage: { input: 80, output: 5 },
    },
    { when: { mentions: "think slowly" }, reply: [{ text: "Done." }], fault: { delayMs: slowMs } },
    { when: { mentions: "For the tester" }, reply: [{ text: "All of it." }] },
  ],
};
/** How many answers the model holds back. */
let slowAnswers = 0;
let server: ScriptedServer;
let daemon: ScratchDaemon;
let shop: Shop;
beforeAll(async () => {
  const clock = systemClock();
  const after: typeof clock.after = (ms, ...rest) => {
    if (ms === slowMs) slowAnswers++;
    return clock.after(ms, ...rest);
  };
  server = await startScriptedServer({ scenario: Scenario.parse(scenario), clock: { ...clock, after } });
  daemon = await openScratchDaemon({ env: { SYLK_GUIDE_CLASSIFIER: "router", SYLK_WORKERS_BEAT_MS: "250" } });
  shop = makeQuickShop(daemon);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await server.close();
});

const client = () => daemon.clientOf({ project: shop.repository });
const ask = (input: string, more: Partial<RawInputOf<"ask.send">> = {}): Promise<OutputOf<"ask.send">> =>
  client().call("ask.send", { input, project: { path: shop.repository }, ...more });
const refused = (input: string): Promise<DomainError> =>
  ask(input).then(
    ({ answer }) => expect.unreachable(answer.text),
    (error: unknown) => error as DomainError,
  );

it("a model says whom a question is for where the rules are not sure; what it costs is in the ledger, and its failure leaves the rules' answer [GUIDE-23]", async () => {
  const missing = await refused("good morning");
  expect([missing.code, missing.message]).toEqual(["route.unknown", expect.stringContaining("router")]);
  const explained = await shop.sylk("ask", "--explain", "good morning");
  expect(explained.stdout).toMatch(/router would choose the role; its last attempt failed: .*router/);
  await client().call("provider.add", {
    name: "router",
    kind: "anthropic",
    model: "rehearsal",
    baseUrl: server.url,
    key: server.apiKey,
  });
  expect(await ask("good morning")).toMatchObject({ to: "librarian", by: "model", confidence: 0.95 });
  expect(await ask("where is the total computed?")).toMatchObject({ to: "librarian", by: "rules" });
  const useless = await refused("the weather");
  expect(useless.details).toMatchObject({ classifier: expect.stringContaining("named no agent of the session") });
  expect((await client().call("ask.metrics", {})).counts).toMatchObject({
    "classifier.asked": 3,
    "classifier.failed": 2,
    "routed.model": 1,
    "routed.rules": 1,
  });
  const { items } = await client().call("event.list", { after: 0, limit: 1_000 });
  const asked = items.filter(({ type }) => type === "ask.classified").map(({ data }) => data);
  expect(asked).toMatchObject([
    { model: "router/rehearsal", to: "librarian", cost: { calls: 1, inputTokens: 80, outputTokens: 5 } },
    { model: "router/rehearsal", cost: { calls: 1 } },
  ]);
  const ledger = await client().call("ledger.show", { by: "role" });
  expect(JSON.stringify(ledger)).toContain('"guide"');
});

it("a role whose worker falls silent shows as dead and is asked nothing more, until it is heard again [GUIDE-19]", async () => {
  const slow = ask("@to:tester think slowly");
  slow.catch(() => {});
  const { session } = await ask("where is the total computed?");
  const health = async () => {
    const { session: shown } = await client().call("ask.metrics", { session });
    return shown!.agents.find(({ name }) => name === "tester")!.health;
  };
  await until("its worker has asked the model", () => slowAnswers === 1);
  const [worker] = workersUnder(daemon.root) as [number];
  expect(await health()).toBe("healthy");
  process.kill(worker, "SIGSTOP");
  try {
    await until("it counts as dead", async () => (await health()) === "dead");
    const error = await refused("@to:tester what is tested?");
    expect([error.code, error.details]).toMatchObject(["role.unavailable", { role: "tester", reason: "dead" }]);
  } finally {
    process.kill(worker, "SIGCONT");
  }
  await until("it is heard again", async () => (await health()) === "healthy");
  expect((await ask("@to:tester what is tested?")).answer.text).toBe("All of it.");
  process.kill(worker, "SIGKILL");
  await expect(slow).rejects.toMatchObject({ code: "role.unavailable" });
});
