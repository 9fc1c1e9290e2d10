/** What a store that refuses, at the very end of a transaction, must leave as it was: rows, memory, bus, events. */
import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import type { By } from "./sessions-port.ts";
import { playedWork, scratchSessions, type ScratchTx } from "./testkit.ts";

type Scratch = Awaited<ReturnType<typeof scratchSessions>>;

const full = (at: Scratch): By<ScratchTx> => ({
  transact: (scope, work) =>
    at.store.transact(scope, async (tx) => {
      await work(tx);
      throw new Error("the disk is full");
    }),
});

async function seen(at: Scratch, id: SessionId) {
  const { states, inMemory } = await at.sessions.stats();
  return {
    session: await at.sessions.get(id),
    memory: at.sessions.inMemory(id)?.state,
    focus: (await at.sessions.getActive("ada"))?.id,
    snapshot: await at.store.reader.sessions.findSnapshot(id),
    events: (await at.events()).length,
    states,
    inMemory,
  };
}

type Change = (id: SessionId, at: Scratch) => Promise<unknown>;
const changes: readonly (readonly [string, "active" | "paused" | "suspended", Change])[] = [
  ["a pause", "active", (id, at) => at.sessions.pause(id, full(at))],
  ["a suspension", "active", (id, at) => at.sessions.suspend(id, full(at))],
  ["a suspension of a paused one", "paused", (id, at) => at.sessions.suspend(id, full(at))],
  ["a resumption", "paused", (id, at) => at.sessions.resume(id, full(at))],
  ["a resumption from the disk", "suspended", (id, at) => at.sessions.resume(id, full(at))],
  ["a switch from the disk", "suspended", (id, at) => at.sessions.switch(id, "ada", {}, full(at))],
  ["an end", "paused", (id, at) => at.sessions.close(id, {}, full(at))],
];

it("a change that cannot be kept leaves the session as it was, everywhere [SM-6]", async () => {
  const deeds: string[] = [];
  const closed: SessionId[] = [];
  const work = playedWork(deeds);
  using at = await scratchSessions({ work: [work], onClosed: (id) => void closed.push(id) });
  const looked = await at.active();
  await at.sessions.switch(looked, "ada");
  for (const [name, state, change] of changes) {
    const id = await at.active();
    work.start(id, name);
    if (state === "paused") await at.sessions.pause(id);
    if (state === "suspended") await at.sessions.suspend(id);
    const before = await seen(at, id);
    deeds.length = 0;
    await expect(change(id, at), name).rejects.toThrow("the disk is full");
    expect(await seen(at, id), name).toEqual(before);
    expect([deeds, closed, (await at.sessions.get(looked)).state], name).toEqual([[], [], "active"]);
  }
});

it("a creation that cannot be kept leaves no session, nothing in memory and no place taken [SM-6, SM-7]", async () => {
  using at = await scratchSessions({ limits: { max: 1, maxWaiting: 0 } });
  const wanted = { project: at.project, name: "checkout" };
  await expect(at.sessions.create(wanted, full(at))).rejects.toThrow("the disk is full");
  expect([await at.events(), (await at.sessions.stats()).inMemory]).toEqual([[], 0]);
  await at.create();
});
