import { expect, it } from "vitest";
import type { LogEvent, ProjectId } from "../../contract/index.ts";
import { createEventFeed } from "./index.ts";
import { bank, fact, scratchLog, type ScratchLog } from "./testkit.ts";

type Terms = { readonly after?: number; readonly type?: string; readonly project?: ProjectId };

function follow(log: ScratchLog, { after = 0, type = "**", project }: Terms = {}, pageSize = 2) {
  const stop = new AbortController();
  const pages = log.feed(pageSize)({ after, type, project, signal: stop.signal })[Symbol.asyncIterator]();
  return {
    stop,
    pages,
    next: async () => {
      const { value } = await pages.next();
      return (value as readonly { readonly sequence: number }[] | undefined)?.map(({ sequence }) => sequence);
    },
  };
}

it("gives what is in the log, then waits for what is appended [CORE-14]", async () => {
  using log = scratchLog();
  await log.append(fact(), fact(), fact());
  const { next, stop } = follow(log);
  expect([await next(), await next()]).toEqual([[1, 2], [3]]);
  const live = next();
  await log.append();
  expect(await live).toEqual([4]);
  stop.abort();
  expect(await next()).toBeUndefined();
});

it("continues after its cursor", async () => {
  using log = scratchLog();
  await log.append(fact(), fact(), fact());
  expect(await follow(log, { after: 2 }).next()).toEqual([3]);
});

it("wakes only for its own types and projects, and has then passed over the others", async () => {
  using log = scratchLog();
  const { next } = follow(log, { type: "work-item.*", project: bank });
  const live = next();
  await log.append(fact("agent.ended"), fact("work-item.closed"));
  await log.store.transact("scope", (tx) => tx.events.append(bank, fact("agent.ended")));
  await log.store.transact("scope", (tx) => tx.events.append(bank, fact("work-item.closed")));
  expect(await live).toEqual([4]);
});

it.each(["while it waits", "between two pages", "before it began"])(
  "ends with its signal %s and leaves no subscription behind",
  async (moment) => {
    using log = scratchLog();
    await log.append(fact(), fact(), fact());
    const { pages, next, stop } = follow(log);
    if (moment === "before it began") stop.abort();
    else await next();
    if (moment === "while it waits") {
      await next();
      const waiting = next();
      stop.abort();
      expect(await waiting).toBeUndefined();
    }
    stop.abort();
    expect(await pages.next()).toEqual({ done: true, value: undefined });
    expect(log.bus.size).toBe(0);
  },
);

it("leaves no subscription behind when its consumer goes away or fails", async () => {
  using log = scratchLog();
  await log.append(fact(), fact(), fact());
  const { signal } = new AbortController();
  for await (const page of log.feed(2)({ after: 0, type: "**", project: undefined, signal })) {
    expect(page).toHaveLength(2);
    expect(log.bus.size).toBe(1);
    break;
  }
  expect(log.bus.size).toBe(0);
});

it("tells a consumer that was too slow for retention that its cursor is truncated, and lets go of it [CORE-14]", async () => {
  using log = scratchLog();
  await log.append(fact(), fact(), fact(), fact());
  const { pages, next } = follow(log, {}, 1);
  expect(await next()).toEqual([1]);
  await log.truncate({ maxCount: 1 });
  await expect(pages.next()).rejects.toMatchObject({ code: "events.truncated", details: { oldest: 3 } });
  expect(log.bus.size).toBe(0);
});

it("keeps nothing for a consumer that does not ask: writers go on and every event is still there [CORE-14]", async () => {
  using log = scratchLog();
  const { next } = follow(log, {}, 500);
  const first = next();
  await log.append();
  expect(await first).toEqual([1]);
  for (let turn = 0; turn < 20; turn++) await log.append(...Array.from({ length: 20 }, () => fact()));
  expect(await next()).toEqual(Array.from({ length: 400 }, (_, index) => index + 2));
});

it("gives a consumer that lags no more bytes at once than it may hold, live and from the log [CORE-15]", async () => {
  using log = scratchLog();
  const large = (): ReturnType<typeof fact> => fact("agent.ended", { text: "x".repeat(600) });
  await log.append(large(), large(), large());
  const feed = createEventFeed({ reader: log.store.reader, bus: log.bus, pageBytes: 1_300 });
  const stop = new AbortController();
  const pages = feed({ after: 0, type: "**", project: undefined, signal: stop.signal })[Symbol.asyncIterator]();
  const next = async () => ((await pages.next()).value as readonly LogEvent[]).map(({ sequence }) => sequence);
  expect([await next(), await next()]).toEqual([[1, 2], [3]]);
  const live = next();
  await log.append(fact("agent.ended", { text: "x".repeat(5_000) }), large(), large(), large());
  expect([await live, await next(), await next()]).toEqual([[4], [5, 6], [7]]);
  stop.abort();
});

it("reads the store once for all that are up to date, not once for each [CORE-15]", async () => {
  using log = scratchLog();
  await log.append();
  const { events } = log.store.reader;
  let reads = 0;
  const page: typeof events.page = (query) => {
    reads++;
    return events.page(query);
  };
  const feed = createEventFeed({ reader: { events: { ...events, page } }, bus: log.bus });
  const stop = new AbortController();
  const consumers = Array.from({ length: 50 }, () =>
    feed({ after: 0, type: "**", project: undefined, signal: stop.signal })[Symbol.asyncIterator](),
  );
  await Promise.all(consumers.map((pages) => pages.next()));
  expect(reads).toBe(50);
  for (let sequence = 2; sequence <= 6; sequence++) {
    const live = consumers.map((pages) => pages.next());
    await log.append();
    for (const { value } of await Promise.all(live)) expect(value).toMatchObject([{ sequence }]);
  }
  // Each one's look whether more came while it was busy with its first page.
  expect(reads).toBeLessThanOrEqual(100);
  stop.abort();
  await Promise.all(consumers.map((pages) => pages.next()));
  expect(log.bus.size).toBe(0);
});

it("misses nothing that is committed while it reads [CORE-14]", async () => {
  using log = scratchLog();
  await log.append();
  const { events } = log.store.reader;
  let late = true;
  const page: typeof events.page = async (query) => {
    const read = await events.page(query);
    if (late) await log.append();
    late = false;
    return read;
  };
  const feed = createEventFeed({ reader: { events: { ...events, page } }, bus: log.bus });
  const stop = new AbortController();
  const pages = feed({ after: 0, type: "**", project: undefined, signal: stop.signal })[Symbol.asyncIterator]();
  const first = await pages.next();
  const second = await pages.next();
  expect([first.value, second.value]).toMatchObject([[{ sequence: 1 }], [{ sequence: 2 }]]);
  stop.abort();
});

it("is not cut off by the removal of events that its filter had passed over", async () => {
  using log = scratchLog();
  await log.append(fact("work-item.closed"), fact(), fact(), fact());
  const { next } = follow(log, { type: "work-item.*" });
  expect(await next()).toEqual([1]);
  const live = next();
  await log.truncate({ maxCount: 1 });
  await log.append(fact("work-item.closed"));
  expect(await live).toEqual([5]);
});
