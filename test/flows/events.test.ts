/** The event log from outside: live and as pages, through kills, filters, projects and retention. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEvent } from "../../src/contract/index.ts";
import { openEventStream, type EventStream, type StreamTerms } from "./event-stream.ts";
import { inOwnRepository, openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";
import { send, type Place } from "./wire.ts";

let shared: ScratchDaemon;
beforeAll(async () => {
  shared = await openScratchDaemon();
});
afterAll(() => shared[Symbol.asyncDispose]());

const placesOf = ({ paths, port }: ScratchDaemon): Record<"unix" | "TCP", Place> => ({
  unix: { socketPath: paths.socket },
  TCP: { host: "127.0.0.1", port },
});

describe.each(["unix", "TCP"] as const)("the stream on %s", (where) => {
  it("resumes by Last-Event-ID across kills, without gap or duplicate against the pages [CORE-14]", async () => {
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    const seen: number[] = [];
    for (let life = 0; life < 4; life++) {
      const last = seen.at(-1);
      const stream = await openEventStream(placesOf(daemon)[where], {
        token: heron.token,
        ...(last === undefined ? {} : { lastEventId: last }),
      });
      const writing = writeUntilGone(heron, `life ${life}`);
      await stream.receive(30 + life * 7);
      await daemon.kill();
      await stream.end;
      await writing;
      seen.push(...stream.frames.map(({ id }) => id));
      await daemon.restart();
    }
    const rest = await openEventStream(placesOf(daemon)[where], { token: heron.token, lastEventId: seen.at(-1)! });
    const pages = await readPages(heron, 97);
    await rest.receive(pages.length - seen.length);
    seen.push(...rest.frames.map(({ id }) => id));
    rest.close();
    expect(seen).toEqual(pages.map(({ sequence }) => sequence));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("carries the same events as the pages, live ones too, by type [CORE-14]", async () => {
    const daemon = inOwnRepository(shared);
    const heron = await daemon.register("heron");
    const place = placesOf(daemon)[where];
    const types = ["**", "reservation.*", "*.claimed", "work-item.created"];
    await workOnce(heron, "before");
    const streams = await Promise.all(types.map((type) => openEventStream(place, { token: heron.token, type })));
    await workOnce(heron, "after");
    for (const [index, type] of types.entries()) {
      const { items } = await heron.client.call("event.list", { type, limit: 1000 });
      expect(items.length).toBeGreaterThan(1);
      await streams[index]!.receive(items.length);
      expect(streams[index]!.frames.map(({ data }) => data)).toEqual(items);
      expect(streams[index]!.frames.map(({ id, event }) => ({ id, event }))).toEqual(
        items.map(({ sequence, type: event }) => ({ id: sequence, event })),
      );
      streams[index]!.close();
    }
  });

  it("shows an agent its own project only; the user sees all, or one by name [CORE-14, CORE-20]", async () => {
    await using daemon = await openScratchDaemon();
    const nest = daemon.addRepository("nest");
    const [heron, crow] = [await daemon.register("heron"), await daemon.register("crow", { project: nest })];
    const place = placesOf(daemon)[where];
    const open = (terms: StreamTerms): Promise<EventStream> => openEventStream(place, terms);
    const all = await open({ token: daemon.userToken });
    const herons = await open({ token: heron.token });
    const nests = await open({ token: daemon.userToken, project: nest });
    await Promise.all([workOnce(heron, "h"), workOnce(crow, "c")]);
    const { items } = await daemon.clientOf({ project: undefined }).call("event.list", { limit: 1000 });
    await all.receive(items.length);
    expect(all.frames.map(({ id }) => id)).toEqual(items.map(({ sequence }) => sequence));
    for (const [stream, { agent }] of [
      [herons, heron],
      [nests, crow],
    ] as const) {
      const own = items.filter(({ project }) => project === agent.project.id);
      await stream.receive(own.length);
      expect(stream.frames.map(({ data }) => data)).toEqual(own);
    }
    for (const stream of [all, herons, nests]) stream.close();
    const { items: crows } = await crow.client.call("event.list", { limit: 1000 });
    expect(new Set(crows.map(({ project }) => project))).toEqual(new Set([crow.agent.project.id]));
  });

  it("ends with its last chunk when the daemon is stopped, not in the middle [CORE-14]", async () => {
    await using daemon = await openScratchDaemon();
    const heron = await daemon.register("heron");
    const stream = await openEventStream(placesOf(daemon)[where], { token: heron.token });
    await workOnce(heron, "last words");
    const { items } = await heron.client.call("event.list", {});
    expect((await daemon.sylk(["down"])).code).toBe(0);
    expect(await stream.end).toBe("ended");
    expect(stream.frames.map(({ id }) => id)).toEqual(items.map(({ sequence }) => sequence));
  });
});

describe("a cursor", () => {
  it("older than what is kept gets 410 with the oldest one, as a page and as a stream [CORE-14]", async () => {
    await using daemon = await openScratchDaemon({ env: { SYLK_EVENTS_MAX_COUNT: "1000" } });
    const heron = await daemon.register("heron");
    await fillLog(heron, 1_100);
    await daemon.kill();
    await daemon.restart();
    const place = placesOf(daemon).unix;
    const authorization = `Bearer ${heron.token}`;
    const page = await send(place, { path: "/v1/events?after=0", headers: { authorization } });
    const stream = await openEventStream(place, { token: heron.token, lastEventId: 0 });
    expect([page.status, stream.status]).toEqual([410, 410]);
    const { error } = JSON.parse(page.body) as { error: { code: string; details: { oldest: number } } };
    expect(error.code).toBe("events.truncated");
    expect(await stream.refusal).toBe(page.body);

    const { oldest } = error.details;
    const { items } = await heron.client.call("event.list", { after: oldest, limit: 1000 });
    expect(items).toHaveLength(1000);
    expect(items[0]!.sequence).toBe(oldest + 1);
    await expect(heron.client.call("event.list", { after: oldest - 1 })).rejects.toMatchObject({
      code: "events.truncated",
    });
  });

  it("that is none, or is not of this log, is refused before a stream begins [CORE-14]", async () => {
    const daemon = inOwnRepository(shared);
    const heron = await daemon.register("heron");
    for (const lastEventId of ["-1", "one", "1.5", "0x1", "999999", ""]) {
      const stream = await openEventStream(placesOf(daemon).unix, { token: heron.token, lastEventId });
      expect(stream.status, lastEventId).toBe(400);
      expect(JSON.parse(await stream.refusal)).toMatchObject({ error: { code: "input.invalid" } });
    }
  });
});

it("does not let a reader that stops reading slow a writer, nor lose it an event [CORE-15]", async () => {
  await using daemon = await openScratchDaemon();
  const heron = await daemon.register("heron");
  const streams = await Promise.all(
    Object.values(placesOf(daemon)).map((place) => openEventStream(place, { token: heron.token })),
  );
  for (const stream of streams) stream.pause();
  // More than sockets and stream buffers hold: 200 events of 60 KB.
  const body = "x".repeat(60_000);
  for (let turn = 0; turn < 20; turn++)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        heron.client.call("work-item.create", { title: `${turn}-${index}`, body }),
      ),
    );
  expect(streams.map(({ frames }) => frames.length).every((count) => count < 201)).toBe(true);
  for (const stream of streams) stream.resume();
  const pages = await readPages(heron, 500);
  for (const stream of streams) {
    await stream.receive(pages.length);
    expect(stream.frames.map(({ id }) => id)).toEqual(pages.map(({ sequence }) => sequence));
    stream.close();
  }
});

it("is followed by the command line as JSON lines, until Ctrl-C", async () => {
  const daemon = inOwnRepository(shared);
  const heron = await daemon.register("heron");
  const following = daemon.start(["events", "--follow", "--json", "--type", "work-item.*"], {
    env: { SYLK_TOKEN: heron.token },
  });
  await workOnce(heron, "seen");
  await until("three lines have come", () => following.output().split("\n").length > 3);
  process.kill(following.pid, "SIGINT");
  const { code, stdout } = await following.ended;
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LogEvent);
  expect(lines.map(({ type }) => type)).toEqual(["work-item.created", "work-item.claimed", "work-item.closed"]);
  expect(code).toBe(0);
});

async function workOnce({ client }: ScratchAgent, title: string): Promise<void> {
  const { workItem } = await client.call("work-item.create", { title });
  await client.call("work-item.claim", { id: workItem.id });
  const { reservation } = await client.call("reservation.acquire", { paths: [`${title}.ts`] });
  await client.call("reservation.release", { id: reservation.id });
  await client.call("work-item.close", { id: workItem.id });
}

async function writeUntilGone({ client }: ScratchAgent, title: string): Promise<void> {
  const workers = Array.from({ length: 4 }, async (_, worker) => {
    for (let turn = 0; ; turn++) await client.call("work-item.create", { title: `${title} ${worker} ${turn}` });
  });
  await Promise.allSettled(workers);
}

async function fillLog({ client }: ScratchAgent, events: number): Promise<void> {
  const workers = Array.from({ length: 10 }, async (_, worker) => {
    for (let turn = 0; turn < events / 10; turn++)
      await client.call("work-item.create", { title: `${worker} ${turn}` });
  });
  await Promise.all(workers);
}

async function readPages({ client }: ScratchAgent, limit: number): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  for (let after = 0; ;) {
    const page = await client.call("event.list", { after, limit });
    events.push(...page.items);
    if (page.nextCursor === undefined) return events;
    after = Number(page.nextCursor);
  }
}
