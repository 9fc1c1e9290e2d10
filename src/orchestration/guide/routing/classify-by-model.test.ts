import { expect, it } from "vitest";
import { manualClock } from "../../../platform/clock/index.ts";
import type { PromptRequest } from "../../executors/index.ts";
import { sessionA } from "../testkit.ts";
import { type Classification, createModelClassifier } from "./classify-by-model.ts";
import { standardCards } from "./standard-cards.ts";

const usage = { inputTokens: 90, outputTokens: 4, cacheReadTokens: undefined, cacheWriteTokens: undefined };
const agents = [standardCards.librarian, standardCards.tester];

function world(said: string) {
  const clock = manualClock();
  const requests: PromptRequest[] = [];
  const recorded: Classification[] = [];
  const classify = createModelClassifier({
    clock,
    provider: "small",
    prompts: {
      async answer(request) {
        requests.push(request);
        clock.advance(700);
        return { text: said, model: "acme/small", usage };
      },
    },
    record: async (classification) => void recorded.push(classification),
  });
  const terms = { session: sessionA, metadata: {}, signal: new AbortController().signal };
  return { requests, recorded, classify: (text: string) => classify(text, agents, terms) };
}

it("asks for one line about the beginning of the text, with a limit to time and words, and records what it cost", async () => {
  const { requests, recorded, classify } = world("Tester 0.8\nBecause it is about tests.");
  expect(await classify("x".repeat(100_000))).toEqual({ name: "acme/small", to: "tester", confidence: 0.8 });
  const [{ prompt, system, ...limits }] = requests as [PromptRequest];
  expect(limits).toMatchObject({ provider: "small", timeoutMs: 15_000, maxOutputTokens: 200 });
  expect([prompt.length < 4_100, system?.includes("tester: "), system?.includes("archivalist")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(recorded).toEqual([{ model: "acme/small", usage, said: expect.anything() as unknown, ms: 700 }]);
});

it.each([
  ["none", undefined],
  ["librarian: 1", { to: "librarian", confidence: 1 }],
  ["librarian .5", { to: "librarian", confidence: 0.5 }],
  ["librarian 1.9", { to: "librarian", confidence: 1 }],
])("takes %j as it is meant", async (said, expected) => {
  const answer = await world(said).classify("hello");
  if (expected === undefined) expect(answer).toBeUndefined();
  else expect(answer).toMatchObject(expected);
});

it.each(["", "archivalist 0.9", "engineer 1", "I think the tester, 0.9", "tester 7", "tester"])(
  "refuses %j, though it is paid for",
  async (said) => {
    const { recorded, classify } = world(said);
    await expect(classify("hello")).rejects.toThrow("acme/small named no agent of the session");
    expect(recorded).toMatchObject([{ said: undefined, usage }]);
  },
);
