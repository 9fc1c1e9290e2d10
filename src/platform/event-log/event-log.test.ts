import { expect, it } from "vitest";
import type { DomainError } from "../../contract/errors.ts";
import { readEventPage } from "./index.ts";
import { bank, fact, scratchLog, shop } from "./testkit.ts";

const sequencesOf = (events: readonly { readonly sequence: number }[]) => events.map(({ sequence }) => sequence);

it("gives back what was appended, with sequence, id and time", async () => {
  using log = scratchLog();
  log.clock.advance(5_000);
  const data = { reason: 'ünïcode ✓ and "quotes"', nested: { list: [1, null, true] } };
  await log.append(fact("reservation.acquired", data));
  const { events, lastSequence, more } = await log.read({});
  expect(events).toEqual([
    {
      sequence: 1,
      id: expect.stringMatching(/^evt_/),
      type: "reservation.acquired",
      version: 1,
      project: shop,
      subject: "agt_0000000000000000heron0",
      at: log.clock.now(),
      data,
    },
  ]);
  expect({ lastSequence, more }).toEqual({ lastSequence: 1, more: false });
  expect(log.announced).toEqual(events);
});

it("numbers events without a gap although operations of the same turn were rolled back [CORE-14]", async () => {
  using log = scratchLog();
  const rolledBack = (tx: Parameters<Parameters<typeof log.store.transact>[1]>[0]) =>
    tx.events.append(shop, fact()).then(() => Promise.reject(new Error("planted")));
  for (let turn = 0; turn < 3; turn++) {
    await Promise.allSettled([
      log.append(),
      log.store.transact("scope", rolledBack),
      log.append(fact(), fact()),
      log.store.transact("scope", (tx) => tx.attempt(() => rolledBack(tx))),
      log.append(),
    ]);
  }
  const { events } = await log.read({});
  expect(sequencesOf(events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(log.announced).toEqual(events);
});

it("announces an event when it can be read, not before", async () => {
  using log = scratchLog();
  const readable: Promise<number>[] = [];
  log.bus.subscribe("event.**", () => void readable.push(log.read({}).then(({ events }) => events.length)));
  await Promise.all([log.append(), log.append()]);
  expect(await Promise.all(readable)).toEqual([2, 2]);
});

it("reads by pages that join without gap or overlap and say whether there is more [CORE-14]", async () => {
  using log = scratchLog();
  await log.append(...Array.from({ length: 7 }, () => fact()));
  const pages = [];
  for (let after = 0, more = true; more && pages.length < 9;) {
    const page = await log.read({ after, limit: 3 });
    pages.push(sequencesOf(page.events));
    ({ lastSequence: after, more } = page);
  }
  expect(pages).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(await log.read({ after: 7, limit: 3 })).toEqual({ events: [], lastSequence: 7, more: false });
});

it("moves the cursor past what its filter leaves out, but not past what it has not looked at", async () => {
  using log = scratchLog();
  await log.append(fact("agent.ended"), fact("work-item.closed"), fact("agent.ended"), fact("work-item.closed"));
  const first = await log.read({ type: "agent.*", limit: 1 });
  expect({ ...first, events: sequencesOf(first.events) }).toEqual({ events: [1], lastSequence: 1, more: true });
  const second = await log.read({ type: "agent.*", limit: 1, after: 1 });
  expect({ ...second, events: sequencesOf(second.events) }).toEqual({ events: [3], lastSequence: 4, more: false });
});

it("reads one project's events only", async () => {
  using log = scratchLog();
  await log.append();
  await log.store.transact("scope", (tx) => tx.events.append(bank, fact()));
  await log.append();
  expect(sequencesOf((await log.read({ project: bank })).events)).toEqual([2]);
  expect(sequencesOf((await log.read({ project: shop })).events)).toEqual([1, 3]);
});

it.each([
  ["**", [1, 2, 3, 4]],
  ["reservation.*", [1, 2]],
  ["*.released", [2, 4]],
  ["work-item.**", [3, 4]],
  ["work-item.claimed", [3]],
  ["agent.*", []],
  ["nothing.known", []],
])("selects types by the pattern %s", async (type, expected) => {
  using log = scratchLog();
  await log.append(
    fact("reservation.acquired"),
    fact("reservation.released"),
    fact("work-item.claimed"),
    fact("work-item.released"),
  );
  const page = await log.read({ type });
  expect(sequencesOf(page.events)).toEqual(expected);
  expect(page.lastSequence).toBe(4);
});

it("says of an empty log that it begins at 1 and nothing was given out", async () => {
  using log = scratchLog();
  expect(await log.store.reader.events.bounds()).toEqual({ oldest: 1, newest: 0 });
  expect(await log.read({})).toEqual({ events: [], lastSequence: 0, more: false });
});

it("removes what is too old and what is too much, and never uses a sequence twice", async () => {
  using log = scratchLog();
  await log.append(fact(), fact());
  log.clock.advance(1_000);
  await log.append(fact(), fact(), fact());
  expect(await log.truncate({ before: log.clock.now() })).toBe(2);
  expect(await log.store.reader.events.bounds()).toEqual({ oldest: 3, newest: 5 });
  expect(await log.truncate({ maxCount: 1 })).toBe(2);
  expect(await log.store.reader.events.bounds()).toEqual({ oldest: 5, newest: 5 });
  expect(await log.truncate({ maxCount: 0 })).toBe(1);
  expect(await log.store.reader.events.bounds()).toEqual({ oldest: 6, newest: 5 });
  expect(await log.append()).toEqual([6]);
});

it("removes a beginning of the log only, however the wall clock jumped, and keeps the order of events [CORE-19]", async () => {
  using log = scratchLog();
  const start = log.clock.now();
  await log.append();
  log.clock.jumpWall(3_600_000);
  await log.append();
  log.clock.jumpWall(-7_200_000);
  await log.append();
  expect(await log.truncate({ before: start + 1 })).toBe(1);
  const { events } = await log.read({ after: 1 });
  expect(events.map(({ sequence, at }) => [sequence, at])).toEqual([
    [2, start + 3_600_000],
    [3, start - 3_600_000],
  ]);
});

it("refuses a cursor older than the log with the oldest one that works [CORE-14]", async () => {
  using log = scratchLog();
  await log.append(fact(), fact(), fact());
  await log.truncate({ maxCount: 1 });
  const refusal = await log.read({ after: 1 }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "events.truncated",
    message: expect.stringContaining("cursor 2"),
    details: { oldest: 2 },
  });
  expect(sequencesOf((await log.read({ after: 2 })).events)).toEqual([3]);
});

it("refuses a cursor newer than the log, which must come from somewhere else", async () => {
  using log = scratchLog();
  await log.append();
  await expect(log.read({ after: 2 })).rejects.toMatchObject({ code: "input.invalid", details: { newest: 1 } });
  expect((await log.read({ after: 1 })).events).toEqual([]);
});

it("reports events that retention removes while a page is being read, instead of passing over them [CORE-14]", async () => {
  using log = scratchLog();
  await log.append(...Array.from({ length: 5 }, () => fact()));
  const { events } = log.store.reader;
  let removed = false;
  /** Retention commits after whichever query comes first. */
  const thenRetention = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    if (!removed) {
      removed = true;
      await log.truncate({ maxCount: 2 });
    }
    return value;
  };
  const reader = {
    events: {
      ...events,
      page: (query: Parameters<typeof events.page>[0]) => thenRetention(events.page(query)),
      bounds: () => thenRetention(events.bounds()),
    },
  };
  const answer = await readEventPage({ after: 0, limit: 10, type: "**", project: undefined }, { reader }).then(
    (page) => sequencesOf(page.events),
    (error: unknown) => (error as DomainError).code,
  );
  expect([[1, 2, 3, 4, 5], "events.truncated"]).toContainEqual(answer);
});
