import { afterEach, beforeEach, expect, it } from "vitest";
import type { PromptPort } from "../executors/index.ts";
import { standardCards } from "../guide/index.ts";
import { scratchSessions } from "../sessions/testkit.ts";
import { createRecordedClassifier } from "./recorded-classifier.ts";
import { standingSession } from "./standing-session.ts";

let at: Awaited<ReturnType<typeof scratchSessions>>;
beforeEach(async () => {
  at = await scratchSessions();
});
afterEach(() => at[Symbol.dispose]());

const place = { path: "/srv/shop", name: "shop", tree: "/srv/shop", branch: undefined };
const session = standingSession(place.path);

function classifier(provider: string, answer: () => string) {
  const prompts = {
    answer: async () => ({ text: answer(), model: "small-1", usage: { inputTokens: 90, outputTokens: 10 } }),
  } as unknown as PromptPort;
  return createRecordedClassifier(provider, { ...at, store: at.store, prompts });
}
const asked = (project = at.project) => ({
  session,
  metadata: { place: { ...place, project } },
  signal: new AbortController().signal,
});

it("is none where the setting says off", () => {
  expect(classifier("off", () => "")).toBeUndefined();
});

it("records every choice with its cost, also one that is of no use", async () => {
  let says = "librarian 0.9";
  const { classify } = classifier("acme", () => says)!;
  const cards = [standardCards.librarian];
  expect(await classify("where is the total?", cards, asked())).toMatchObject({ to: "librarian", confidence: 0.9 });
  says = "nonsense";
  await expect(classify("where is the total?", cards, asked())).rejects.toThrow("nonsense");
  const recorded = (await at.events()).filter(({ type }) => type === "ask.classified");
  expect(recorded.map(({ data }) => data)).toMatchObject([
    { session, model: "small-1", to: "librarian", cost: { inputTokens: 90, outputTokens: 10 } },
    { session, model: "small-1", cost: { inputTokens: 90, outputTokens: 10 } },
  ]);
});

it("says why the last question to the model failed, until one succeeds", async () => {
  let isThere = false;
  const made = classifier("acme", () => {
    if (!isThere) throw new Error("no connection");
    return "librarian 0.8";
  })!;
  await expect(made.classify("x", [standardCards.librarian], asked())).rejects.toThrow("no connection");
  expect(made.lastFailure).toBe("no connection");
  isThere = true;
  await made.classify("x", [standardCards.librarian], asked());
  expect(made.lastFailure).toBeUndefined();
});
