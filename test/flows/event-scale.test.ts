/** Two hundred subscribers of every kind on one daemon: the slow ones cost the writers nothing and miss nothing. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock/index.ts";
import { openEventStream, type EventStream, type StreamTerms } from "./event-stream.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";

const clock = systemClock();
/** One event of this size fills more than a page; two hundred of them more than any socket holds. */
const largeBody = "x".repeat(60_000);

it("gives 200 subscribers, live, filtered, resumed, truncated or stopped, exactly their events [CORE-15, CORE-14]", async () => {
  await using daemon = await openScratchDaemon({ env: { SYLK_EVENTS_MAX_COUNT: "1000" } });
  const heron = await daemon.register("heron");
  await reserveAndFree(heron, 530);
  await daemon.kill();
  await daemon.restart(); // retention removes what is too much when it starts
  const oldest = await oldestCursor(daemon);
  const newest = (await eventsAfter(daemon, oldest)).lastSequence;
  expect(oldest).toBeGreaterThan(0);

  const open = (count: number, terms: Partial<StreamTerms>) => openStreams(daemon, count, { after: newest, ...terms });
  const live = await open(80, { type: "reservation.*" });
  const filtered = await open(60, { type: "*.released" });
  const stopped = await open(15, { paused: true });
  const leaving = await open(30, { type: "reservation.*" });
  const late = await open(15, { after: oldest - 1 });
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([410]));

  await reserveAndFree(heron, 20);
  await writeLarge(heron, 60);
  for (const stream of leaving) stream.close();
  await reserveAndFree(heron, 20);
  const seen = leaving.map(({ frames }) => frames.map(({ id }) => id));
  const resumed = await Promise.all(
    seen.map((ids) => open(1, { type: "reservation.*", lastEventId: ids.at(-1) ?? newest })),
  );
  const recovered = await open(15, { type: "*.released", after: oldest });
  await writeLarge(heron, 60);
  for (const stream of stopped) stream.resume();

  const { items: written } = await eventsAfter(daemon, newest);
  const wanted = (type: RegExp): number[] => written.filter((one) => type.test(one.type)).map((one) => one.sequence);
  expect(written.map(({ sequence }) => sequence)).toEqual(written.map((_, index) => newest + 1 + index));
  for (const stream of live) await expectExactly(stream, wanted(/^reservation\./));
  for (const stream of filtered) await expectExactly(stream, wanted(/\.released$/));
  for (const stream of stopped) await expectExactly(stream, wanted(/./));
  for (const [index, [stream]] of resumed.entries())
    await expectExactly(stream!, wanted(/^reservation\./).slice(seen[index]!.length));
  const { items: kept } = await eventsAfter(daemon, oldest, "*.released");
  for (const stream of recovered)
    await expectExactly(
      stream,
      kept.map(({ sequence }) => sequence),
    );
});

it("neither grows nor slows down beside 100 subscribers that never read [CORE-15]", async () => {
  await using daemon = await openScratchDaemon();
  const heron = await daemon.register("heron");
  await writeLarge(heron, 150);
  const [aloneBefore, before] = [await medianCreateMs(heron), residentMb(daemon.pid)];
  const streams = await openStreams(daemon, 100, { after: 0, paused: true });
  await writeLarge(heron, 50);
  const beside = await medianCreateMs(heron);
  // Held for each of them, what is in the log and what comes would be 1,200 MB; all together may hold 100.
  expect(residentMb(daemon.pid) - before).toBeLessThan(300);
  for (const stream of streams) {
    expect(stream.frames).toEqual([]);
    stream.close();
  }
  // Alone on both sides of it: other work on this machine comes and goes.
  expect(beside / Math.max(aloneBefore, await medianCreateMs(heron))).toBeLessThan(3);
});

function openStreams(daemon: ScratchDaemon, count: number, terms: Partial<StreamTerms>): Promise<EventStream[]> {
  const place = { socketPath: daemon.paths.socket };
  return Promise.all(
    Array.from({ length: count }, () => openEventStream(place, { token: daemon.userToken, ...terms })),
  );
}

/** No gap, no duplicate, in order, and nothing more. */
async function expectExactly(stream: EventStream, sequences: readonly number[]): Promise<void> {
  await stream.receive(sequences.length);
  expect(stream.frames.map(({ id }) => id)).toEqual(sequences);
  stream.close();
}

async function reserveAndFree({ client }: ScratchAgent, times: number): Promise<void> {
  const workers = Array.from({ length: 10 }, async (_, worker) => {
    for (let turn = 0; turn < times / 10; turn++) {
      const { reservation } = await client.call("reservation.acquire", { paths: [`src/${worker}.ts`] });
      await client.call("reservation.release", { id: reservation.id });
    }
  });
  await Promise.all(workers);
}

async function writeLarge({ client }: ScratchAgent, count: number): Promise<void> {
  for (let turn = 0; turn < count / 10; turn++)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        client.call("work-item.create", { title: `${turn}-${index}`, body: largeBody }),
      ),
    );
}

async function medianCreateMs({ client }: ScratchAgent): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 101; turn++) {
    const start = clock.monotonic();
    await client.call("work-item.create", { title: `timed ${turn}` });
    times.push(clock.monotonic() - start);
  }
  return times.toSorted((a, b) => a - b)[50]!;
}

async function oldestCursor(daemon: ScratchDaemon): Promise<number> {
  const refusal = await eventsAfter(daemon, 0).catch((error: unknown) => error);
  return (refusal as { details: { oldest: number } }).details.oldest;
}

function eventsAfter(daemon: ScratchDaemon, after: number, type = "**") {
  return daemon.clientOf({ project: undefined }).call("event.list", { after, type, limit: 1000 });
}

function residentMb(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
