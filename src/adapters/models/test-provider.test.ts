import { expect, it } from "vitest";
import { testProvider } from "./test-provider.ts";
import { protocolNames, stage } from "./testkit.ts";

it.each(protocolNames)("says how fast and which model answers, over %s [RUN-8]", async (protocol) => {
  await using at = await stage([{ reply: [{ text: "ready" }], fault: { delayMs: 120 } }]);
  const testing = testProvider(at.config(protocol), at.apiKey, { clock: at.clock });
  await expect.poll(() => at.clock.pendingTimers()).toBe(2);
  at.clock.advance(120);
  expect(await testing).toEqual({ ok: true, latencyMs: 120, model: "rehearsal" });
});

it("asks once only, and says what is wrong and what to do [RUN-8]", async () => {
  await using at = await stage([{ reply: [{ text: "never" }], fault: { status: 429, times: 9 } }]);
  const limited = await testProvider(at.config("openai chat"), at.apiKey, at);
  expect(limited).toEqual({
    ok: false,
    latencyMs: 0,
    model: "rehearsal",
    kind: "rate-limit",
    problem: "acme limits the rate of requests (HTTP 429: This fault was rehearsed)",
  });
  const wrongKey = await testProvider(at.config("anthropic messages"), "sk-wrong-key", at);
  expect(wrongKey).toMatchObject({ kind: "user-fixable", problem: expect.stringContaining("refused the key") });
  expect(wrongKey).toHaveProperty("fix", expect.stringContaining("give it the right key"));
});

it("says that nothing listens at the address [RUN-8]", async () => {
  await using at = await stage([{ reply: [{ text: "never" }] }]);
  await at.close();
  const test = await testProvider(at.config("openai-compatible"), undefined, at);
  expect(test).toMatchObject({ ok: false, problem: "acme cannot be reached (ECONNREFUSED)" });
  expect(test).toHaveProperty("fix", expect.stringContaining(at.url));
});
