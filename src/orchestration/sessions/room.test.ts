import { describe, expect, it } from "vitest";
import { playedWork, scratchSessions } from "./testkit.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));
async function turns(count = 20): Promise<void> {
  for (let index = 0; index < count; index++) await turn();
}

describe("beyond the most sessions there may be", () => {
  it("a further one is refused with the figures and a time to try again; ended and suspended ones do not count [SM-7, SM-30]", async () => {
    using at = await scratchSessions({ limits: { max: 2, maxWaiting: 1 } });
    const first = await at.active();
    await at.create();
    await expect(at.create()).rejects.toMatchObject({
      code: "session.limit",
      details: { limit: 2, used: 2 },
      retryAfterMs: expect.any(Number),
    });
    await at.sessions.suspend(first);
    await at.create();
    expect(await at.sessions.stats()).toMatchObject({ open: 2, states: { suspended: 1, created: 2 } });
  });

  it("one that waits is made when another ends, in order; the line is bounded, and patience ends [SM-7]", async () => {
    using at = await scratchSessions({ limits: { max: 1, maxWaiting: 2 } });
    const first = await at.active();
    const wait = (name: string) => at.sessions.create({ project: at.project, name, waitMs: 1_000 });
    const made: string[] = [];
    const second = wait("second").then(({ name, id }) => (made.push(name), id));
    await turns();
    const third = wait("third").then(({ name, id }) => (made.push(name), id));
    await turns();
    await expect(wait("fourth")).rejects.toMatchObject({ code: "session.limit", details: { waiting: 2 } });
    await at.sessions.close(first);
    await at.sessions.resume(await second);
    expect(made).toEqual(["second"]);
    at.clock.advance(999);
    await turns();
    expect((await at.sessions.stats()).waiting).toBe(1);
    at.clock.advance(1);
    await expect(third).rejects.toMatchObject({ code: "session.limit" });
    expect([(await at.sessions.stats()).waiting, at.clock.pendingTimers()]).toEqual([0, 0]);
  });

  it("any number at once makes exactly as many as there may be [SM-7]", async () => {
    using at = await scratchSessions({ limits: { max: 7, maxWaiting: 0 } });
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => at.create()));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    expect((await at.sessions.stats()).open).toBe(7);
  });

  it("counts a session that a run made only while it has work", async () => {
    const work = playedWork([]);
    using at = await scratchSessions({ limits: { max: 1, maxWaiting: 0 }, work: [work] });
    work.start(at.ids.next("ses"), "run of a session of its own");
    await expect(at.create()).rejects.toMatchObject({ code: "session.limit", details: { used: 1 } });
    await expect(at.store.transact("run", (tx) => at.sessions.refuseFull(tx))).rejects.toMatchObject({
      code: "session.limit",
    });
  });

  it("one that waits is made when the work of such a session ends; who looks in vain keeps its place [SM-7]", async () => {
    const work = playedWork([]);
    using at = await scratchSessions({ limits: { max: 1, maxWaiting: 2 }, work: [work] });
    const made: string[] = [];
    work.start(at.ids.next("ses"), "run");
    const wait = (name: string) =>
      at.sessions.create({ project: at.project, name, waitMs: 1_000 }).then((session) => void made.push(session.name));
    const first = wait("first");
    await turns();
    void wait("second").catch(() => {});
    await turns();
    at.sessions.workEnded(); // of another session
    await turns();
    expect([made, (await at.sessions.stats()).waiting]).toEqual([[], 2]);
    work.finish("run");
    at.sessions.workEnded();
    await first;
    expect(made).toEqual(["first"]);
    at.clock.advance(1_000);
    await turns();
  });

  it("one that was suspended stays so until there is room, with its work or without [SM-7, SM-30]", async () => {
    const work = playedWork([]);
    using at = await scratchSessions({ limits: { max: 1, maxWaiting: 0 }, work: [work] });
    const first = await at.active();
    work.start(first, "run");
    await at.sessions.suspend(first);
    const second = await at.active();
    for (const take of [() => at.sessions.resume(first), () => at.sessions.switch(first, "ada")])
      await expect(take()).rejects.toMatchObject({ code: "session.limit", details: { used: 1 } });
    expect([(await at.sessions.get(first)).state, at.sessions.inMemory(first)]).toEqual(["suspended", undefined]);
    await at.sessions.close(second);
    expect((await at.sessions.resume(first)).state).toBe("active");
  });
});
