import { expect, it } from "vitest";
import type { EventId, LogEvent } from "../../contract/index.ts";
import { createRecentEvents, type RecentEvents } from "./recent-events.ts";
import { shop } from "./testkit.ts";

const roomy = { count: 100, bytes: 1_000_000 };

function event(sequence: number, size = 0): LogEvent {
  const data = { text: "x".repeat(size) };
  const id = `evt_${String(sequence).padStart(22, "0")}` as EventId;
  return { sequence, id, type: "agent.ended", version: 1, project: shop, subject: "agt_heron", at: 0, data };
}

function sequencesAfter(recent: RecentEvents, cursor: number, limits = roomy) {
  return recent.after(cursor, limits)?.map(({ sequence }) => sequence);
}

function holding(sequences: readonly number[], terms?: Parameters<typeof createRecentEvents>[0]): RecentEvents {
  const recent = createRecentEvents(terms);
  for (const sequence of sequences) recent.push(event(sequence));
  return recent;
}

it("gives what follows a cursor it reaches back to, and sends older and unknown ones to the log", () => {
  const recent = holding([4, 5, 6]);
  expect([3, 4, 6].map((cursor) => sequencesAfter(recent, cursor))).toEqual([[4, 5, 6], [5, 6], []]);
  expect([0, 2, 7].map((cursor) => sequencesAfter(recent, cursor))).toEqual([undefined, undefined, undefined]);
  expect(sequencesAfter(createRecentEvents(), 0)).toBeUndefined();
});

it.each([
  ["one is missing", [4, 6], 4],
  ["one comes late", [4, 6, 5], 5],
  ["one comes twice", [4, 5, 5], 4],
])("sends everybody to the log when %s, until the order is back", (_, pushed, cursor) => {
  const recent = holding(pushed);
  const newest = Math.max(...pushed);
  expect(sequencesAfter(recent, cursor)).toBeUndefined();
  recent.push(event(newest + 1));
  expect(sequencesAfter(recent, cursor)).toBeUndefined();
  expect(sequencesAfter(recent, newest)).toEqual([newest + 1]);
});

it("keeps no more than its count and its bytes, the newest ones", () => {
  expect(sequencesAfter(holding([1, 2, 3, 4], { maxCount: 2 }), 2)).toEqual([3, 4]);
  expect(sequencesAfter(holding([1, 2, 3, 4], { maxCount: 2 }), 1)).toBeUndefined();
  const recent = createRecentEvents({ maxBytes: 250 });
  [1, 2, 3].forEach((sequence) => recent.push(event(sequence, 100)));
  expect([0, 1].map((cursor) => sequencesAfter(recent, cursor))).toEqual([undefined, [2, 3]]);
  recent.push(event(4, 1_000));
  expect(sequencesAfter(recent, 3)).toBeUndefined();
  recent.push(event(5));
  expect(sequencesAfter(recent, 4)).toEqual([5]);
});

it("cuts a page by count and by bytes, but never to nothing", () => {
  const recent = createRecentEvents();
  [1, 2, 3].forEach((sequence) => recent.push(event(sequence, 100)));
  expect(sequencesAfter(recent, 0, { count: 2, bytes: 1_000 })).toEqual([1, 2]);
  expect(sequencesAfter(recent, 0, { count: 9, bytes: 250 })).toEqual([1, 2]);
  expect(sequencesAfter(recent, 1, { count: 9, bytes: 1 })).toEqual([2]);
});
