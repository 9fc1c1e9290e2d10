import { expect, it } from "vitest";
import type { InputOf } from "../../contract/index.ts";
import { readMessages } from "./read-messages.ts";
import { standardCards } from "./routing/standard-cards.ts";
import { echo, guideWorld, sessionA, sessionB } from "./testkit.ts";

function world(keepMessages = 3) {
  const at = guideWorld({ keepMessages });
  at.guide.registerShared(standardCards.librarian, echo("librarian"));
  const ask = (session = sessionA, text = "@to:librarian well?") => at.guide.open(session).route(text, at.terms);
  const read = (terms: Partial<InputOf<"session.messages">> = {}, signal?: AbortSignal) =>
    readMessages({ id: sessionA, after: 0, limit: 50, waitMs: 0, ...terms }, at, signal);
  return { ...at, ask, read };
}

it("keeps the latest messages of each session apart, and counts the older ones", async () => {
  const { ask, read } = world();
  await ask();
  await ask(sessionB);
  await ask();
  const { items, lastSequence, forgotten } = await read();
  expect(items.map(({ sequence, channel, from, to, text }) => [sequence, channel, from, to, text])).toEqual([
    [2, "responses", "librarian", "user", "librarian: well?"],
    [3, "requests", "user", "librarian", "well?"],
    [4, "responses", "librarian", "user", "librarian: well?"],
  ]);
  expect([lastSequence, forgotten]).toEqual([4, 1]);
  expect((await read({ after: 3 })).items).toHaveLength(1);
  expect((await read({ limit: 1 })).items).toMatchObject([{ sequence: 4 }]);
  expect((await read({ id: sessionB })).lastSequence).toBe(2);
});

it("shows a request that was not answered, with the reason", async () => {
  const { guide, ask, read } = world();
  guide.open(sessionA).register(standardCards.tester, async () => {
    throw new Error("out of paper");
  });
  await expect(ask(sessionA, "@to:tester well?")).rejects.toThrow("out of paper");
  expect((await read()).items).toMatchObject([
    { channel: "requests", to: "tester" },
    { channel: "errors", to: "tester", status: "failed", error: "out of paper" },
  ]);
});

it("stops waiting when the time is over or the caller leaves, and leaves no subscription or timer", async () => {
  const { clock, read } = world();
  const timed = read({ waitMs: 1_000 });
  clock.advance(1_000);
  expect((await timed).items).toEqual([]);
  const leaving = new AbortController();
  const left = read({ waitMs: 1_000 }, leaving.signal);
  leaving.abort();
  expect((await left).items).toEqual([]);
  expect(clock.pendingTimers()).toBe(0);
});

it("keeps nothing of a closed session, and nothing at all unless it is told to", async () => {
  const { guide, ask, read } = world();
  await ask();
  guide.close(sessionA);
  expect(await read()).toEqual({ items: [], lastSequence: 0, forgotten: 0 });
  const plain = world(0);
  await plain.ask();
  expect(await plain.read()).toEqual({ items: [], lastSequence: 0, forgotten: 0 });
});
