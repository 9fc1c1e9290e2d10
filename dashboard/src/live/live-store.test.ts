/** The live store against a daemon that is a log and a table of answers: what the page shows is what the daemon knows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError, type LogEvent } from "../daemon/contract.ts";
import { createLiveStore, type StreamListener } from "./live-store.ts";

const agents = { name: "agent.list", input: {} } as const;

/** Everything the store asks of the outside, moved by hand. */
function standIn() {
  const log: LogEvent[] = [];
  const frames: (() => void)[] = [];
  const timers: { at: number; work: () => void }[] = [];
  const streams: { readonly after: number; readonly listener: StreamListener; isOpen: boolean; sent: number }[] = [];
  const reads: { readonly settle: () => void; readonly fail: (error: Error) => void }[] = [];
  let now = 0;
  let isSignedIn = true;
  const store = createLiveStore({
    read: () =>
      new Promise((resolve, reject) => {
        const seen = log.length; // what the daemon answers with is what it knows when it is asked
        reads.push({ settle: () => resolve({ items: seen }), fail: reject });
      }),
    async signIn() {
      if (!isSignedIn) throw new DomainError("token.missing", "not signed in");
      return { cursor: log.length };
    },
    openStream(after, listener) {
      const stream = { after, listener, isOpen: true, sent: after };
      streams.push(stream);
      return { close: () => void (stream.isOpen = false) };
    },
    nextFrame: (work) => void frames.push(work),
    later: (ms, work) => void timers.push({ at: now + ms, work }),
    elapsed: () => now,
  });
  const flush = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  return {
    store,
    log,
    reads,
    streams,
    flush,
    signOut: () => void (isSignedIn = false),
    append(type = "agent.changed") {
      log.push({ sequence: log.length + 1, type, project: "prj_1", subject: "x", data: {} } as unknown as LogEvent);
    },
    deliver(count = Infinity) {
      const stream = streams.at(-1);
      if (stream === undefined || !stream.isOpen) return;
      const events = log.slice(stream.sent, stream.sent + count);
      stream.sent += events.length;
      stream.listener.onEvents(events);
    },
    async frame() {
      for (const work of frames.splice(0)) work();
      await flush();
    },
    async advance(ms: number) {
      now += ms;
      for (const timer of timers.splice(0))
        if (timer.at <= now) timer.work();
        else timers.push(timer);
      await flush();
    },
    async answerAll() {
      for (const { settle } of reads.splice(0)) settle();
      await flush();
    },
  };
}

async function connected() {
  const world = standIn();
  const drawn: unknown[] = [];
  const stop = world.store.watch(agents, () => drawn.push(world.store.answer(agents).data));
  await world.store.connect();
  world.streams[0]!.listener.onOpen();
  await world.frame();
  await world.answerAll();
  return { ...world, drawn, stop };
}

describe("an answer", () => {
  it("is read once at the start, and again in the next frame after an event that concerns it", async () => {
    const { append, deliver, frame, advance, answerAll, reads, drawn } = await connected();
    expect(drawn).toEqual([{ items: 0 }]);
    await advance(100);
    append();
    deliver();
    expect(reads).toEqual([]);
    await frame();
    expect(reads).toHaveLength(1);
    await answerAll();
    expect(drawn.at(-1)).toEqual({ items: 1 });
  });

  it("is not read again for an event about something else, or when it is no longer watched", async () => {
    const { append, deliver, frame, advance, reads, stop } = await connected();
    await advance(100);
    append("history.stored");
    deliver();
    await frame();
    expect(reads).toEqual([]);
    stop();
    append();
    deliver();
    await frame();
    expect(reads).toEqual([]);
  });

  it("with parts that no event tells is read twice more after the last event, and then no more", async () => {
    const { append, deliver, frame, advance, answerAll, reads } = await connected();
    await advance(100);
    append();
    deliver();
    await frame();
    await answerAll();
    for (const ms of [1_500, 4_500]) {
      await advance(ms);
      expect(reads).toHaveLength(1);
      await answerAll();
    }
    await advance(60_000);
    await frame();
    expect(reads).toEqual([]);
  });

  it("is never read twice at a time: a thousand events cost one reading, and one more for those that came meanwhile", async () => {
    const { append, deliver, frame, advance, answerAll, reads, drawn } = await connected();
    await advance(100);
    for (let i = 0; i < 500; i++) append();
    deliver();
    await frame();
    for (let i = 0; i < 500; i++) append();
    deliver();
    await frame();
    expect(reads).toHaveLength(1);
    await answerAll();
    await advance(2_000);
    await frame();
    await answerAll();
    expect(drawn.at(-1)).toEqual({ items: 1_000 });
    expect(drawn).toHaveLength(3);
  });

  it("is read a second time at once where two changes follow each other, and a quarter of the time in a storm [DASH-12, DASH-16]", async () => {
    const { append, deliver, frame, advance, reads } = await connected();
    await advance(5_000);
    let readings = 0;
    const step = async (): Promise<void> => {
      append();
      deliver();
      await advance(0);
      await frame();
      const begun = reads.splice(0); // at the most one
      readings += begun.length;
      await advance(40); // as long as a reading takes
      for (const { settle } of begun) settle();
      await advance(0);
    };
    await step();
    await step();
    expect(readings).toBe(2);
    for (let rest = 0; rest < 1_500; rest++) await step();
    // A minute of storm: a quarter of it, and what the credit gives.
    expect(readings * 40).toBeLessThan(60_000 / 4 + 300 + 80);
    expect(readings * 40).toBeGreaterThan(60_000 / 5);
  });

  it("keeps what was read before when the daemon does not answer, says why, and asks again", async () => {
    const { append, deliver, frame, advance, answerAll, reads, store } = await connected();
    await advance(100);
    append();
    deliver();
    await frame();
    reads.splice(0)[0]!.fail(new DomainError("daemon.unreachable", "The daemon does not answer"));
    await advance(0);
    expect(store.answer(agents)).toMatchObject({
      data: { items: 0 },
      problem: { message: "The daemon does not answer" },
    });
    await advance(1_000);
    await frame();
    await answerAll();
    expect(store.answer(agents)).toEqual({ data: { items: 1 } });
  });
});

describe("the connection", () => {
  it("resumes at its cursor after the daemon was away, without a gap or a double [DASH-12]", async () => {
    const { append, deliver, streams, store, advance } = await connected();
    const seen: number[] = [];
    store.watchEvents((events) => seen.push(...events.map(({ sequence }) => sequence)));
    append();
    append();
    deliver(1);
    streams[0]!.listener.onLost(new DomainError("daemon.unreachable", "gone"));
    expect(store.connection()).toBe("reconnecting");
    append();
    await advance(1_000);
    expect(streams[1]!.after).toBe(1);
    streams[1]!.listener.onOpen();
    streams[1]!.sent = 0; // a daemon that sends again what was seen
    deliver();
    expect(seen).toEqual([1, 2, 3]);
    expect(store.connection()).toBe("live");
  });

  it("begins anew where retention overtook its cursor", async () => {
    const { append, streams, advance, flush } = await connected();
    append();
    append();
    streams[0]!.listener.onLost(new DomainError("events.truncated", "too old"));
    await advance(1_000);
    await flush();
    expect(streams[1]!.after).toBe(2);
  });

  it("ends with the sign-in: no reading, no stream, until a new one", async () => {
    const { append, deliver, frame, advance, reads, streams, store, signOut } = await connected();
    signOut();
    await advance(100);
    append();
    deliver();
    await frame();
    reads.splice(0)[0]!.fail(new DomainError("token.missing", "signed out"));
    await advance(5_000);
    await frame();
    expect(store.connection()).toBe("signed-out");
    expect(streams.at(-1)!.isOpen).toBe(false);
    expect(reads).toEqual([]);
  });
});

it("shows in the end what the daemon knows, in whatever order events, frames, answers and losses come [DASH-12]", async () => {
  const step = fc.constantFrom("append", "deliver", "frame", "answer", "advance", "lose");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const world = await connected();
      const seen: number[] = [];
      world.store.watchEvents((events) => seen.push(...events.map(({ sequence }) => sequence)));
      const reopen = (): void => {
        const stream = world.streams.at(-1)!;
        if (stream.isOpen && world.store.connection() === "reconnecting") stream.listener.onOpen();
      };
      for (const each of steps) {
        if (each === "append") world.append();
        else if (each === "deliver") world.deliver(3);
        else if (each === "frame") await world.frame();
        else if (each === "answer") await world.answerAll();
        else if (each === "advance") await world.advance(600);
        else if (world.store.connection() === "live") world.streams.at(-1)!.listener.onLost(undefined);
        reopen();
      }
      for (let round = 0; round < 4; round++) {
        await world.advance(3_000);
        reopen();
        world.deliver();
        await world.frame();
        await world.answerAll();
      }
      expect(world.store.answer(agents).data).toEqual({ items: world.log.length });
      expect(seen).toEqual(world.log.map(({ sequence }) => sequence));
    }),
  );
});
