import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { newSession } from "./session-for.ts";
import { scratchSessions } from "./testkit.ts";

async function turns(count = 20): Promise<void> {
  for (let index = 0; index < count; index++) await new Promise((resolve) => setImmediate(resolve));
}

async function world(max: number) {
  const at = await scratchSessions({ limits: { max, maxWaiting: 10 } });
  const made: string[] = [];
  const wait = async (
    name: string,
    more: Parameters<typeof at.sessions.create>[1] = { transact: at.store.transact },
  ) => {
    const { id } = await at.sessions.create({ project: at.project, name, waitMs: 1_000 }, more);
    made.push(name);
    return id;
  };
  const waiting = async () => (await at.sessions.stats()).waiting;
  return { at, made, wait, waiting, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

describe("a session that waits for room", () => {
  it("waits also when all came at once, and is not refused [SM-7]", async () => {
    using here = await world(2);
    const all = ["a", "b", "c", "d"].map((name) => here.wait(name));
    await turns();
    expect([here.made, await here.waiting()]).toEqual([["a", "b"], 2]);
    for (const id of await Promise.all(all.slice(0, 2))) await here.at.sessions.close(id, { failed: true });
    await Promise.all(all);
    expect([here.made, here.at.clock.pendingTimers()]).toEqual([["a", "b", "c", "d"], 0]);
  });

  it("gets the place of one that is suspended, and of one that could not be made [SM-7]", async () => {
    using here = await world(1);
    const first = await here.at.active();
    const broken = here.wait("broken", { transact: () => Promise.reject(new Error("the disk is full")) });
    broken.catch(() => {}); // looked at below
    await turns();
    const next = here.wait("next");
    await turns();
    await here.at.sessions.suspend(first);
    await expect(broken).rejects.toThrow("the disk is full");
    await next;
    expect([here.made, await here.waiting()]).toEqual([["next"], 0]);
  });

  it("leaves the line when no caller waits for it any more, and nothing of it stays [SM-7]", async () => {
    using here = await world(1);
    await here.at.active();
    const gone = new AbortController();
    const left = here.wait("left", { transact: here.at.store.transact, signal: gone.signal });
    left.catch(() => {}); // looked at below
    await turns();
    expect(await here.waiting()).toBe(1);
    gone.abort();
    await expect(left).rejects.toMatchObject({ code: "session.limit" });
    expect([await here.waiting(), here.at.clock.pendingTimers()]).toEqual([0, 0]);
    const patient = new AbortController();
    const late = here.wait("late", { transact: here.at.store.transact, signal: patient.signal });
    late.catch(() => {});
    await turns();
    here.at.clock.advance(1_000);
    await expect(late).rejects.toMatchObject({ code: "session.limit" });
    expect(getEventListeners(patient.signal, "abort")).toEqual([]);
  });

  it("is not overtaken by a newcomer, also when room appeared without a word [SM-7]", async () => {
    using here = await world(1);
    const first = await here.at.active();
    const second = here.wait("second");
    await turns();
    here.at.forget(first);
    const late = here.wait("late");
    late.catch(() => {}); // looked at below
    await turns();
    expect([here.made, await here.waiting()]).toEqual([[], 2]);
    here.at.clock.advance(1_000);
    await second;
    await expect(late).rejects.toMatchObject({ code: "session.limit" });
    expect(here.made).toEqual(["second"]);
  });

  it("is refused where another way made one in between: the last look is the transaction's own [SM-7]", async () => {
    using here = await world(1);
    const { at } = here;
    const other = newSession({ id: at.ids.next("ses"), project: at.project, name: "other" }, at.clock.now());
    const overtaken = here.wait("late", {
      async transact(scope, work) {
        await at.store.transact("other", (tx) => tx.sessions.insert(other));
        return at.store.transact(scope, work);
      },
    });
    await expect(overtaken).rejects.toMatchObject({ code: "session.limit", details: { limit: 1, used: 1 } });
    expect((await at.sessions.stats()).states.created).toBe(1);
  });
});

it("a session that was made for a run takes no place of those that people made [SM-30]", async () => {
  using at = await scratchSessions({ limits: { max: 1, maxWaiting: 0 } });
  const made = newSession({ id: at.ids.next("ses"), project: at.project, name: "run", implicit: true }, at.clock.now());
  await at.store.transact("run", (tx) => tx.sessions.insert(made));
  expect((await at.sessions.stats()).open).toBe(0);
  await at.create();
  await expect(at.create()).rejects.toMatchObject({ code: "session.limit" });
});
