import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { snapshotSchema, seal } from "./snapshot.ts";
import { playedWork, scratchSessions } from "./testkit.ts";

describe("putting a session down", () => {
  it("has saved everything when it says so: another process takes it up as it was [SM-19, SM-20]", async () => {
    const deeds: string[] = [];
    const work = playedWork(deeds);
    using at = await scratchSessions({ work: [work] });
    const id = await at.active();
    const context = await at.sessions.context(id);
    context.addAgent("heron");
    context.router!.learnt.set("find the cart", "librarian");
    context.router!.pending.set("msg_1", { to: "librarian", tries: [1, null, "two"] });
    context.preferences.set("style", "terse");
    work.start(id, "a");
    const before = context.serialize();
    await at.sessions.pause(id);
    at.again(); // nobody said goodbye
    expect((await at.sessions.get(id)).state).toBe("paused");
    await at.sessions.resume(id);
    const taken = await at.sessions.context(id);
    expect(taken.serialize()).toEqual(before);
    expect([...taken.router!.learnt]).toEqual([["find the cart", "librarian"]]);
    expect([...taken.router!.pending]).toEqual([["msg_1", { to: "librarian", tries: [1, null, "two"] }]]);
    expect(taken.bus.topics).toContain(`session.${id}.heron.requests`);
    expect(deeds).toEqual(["held a", "stopped a", "resumed a"]);
  });

  it("keeps a paused session in memory and a suspended one only on the disk", async () => {
    using at = await scratchSessions();
    const [paused, suspended] = [await at.active(), await at.active()];
    await at.sessions.pause(paused);
    await at.sessions.suspend(suspended);
    expect([at.sessions.inMemory(paused)?.id, at.sessions.inMemory(suspended)]).toEqual([paused, undefined]);
    await expect(at.sessions.context(suspended)).rejects.toThrow(/not in memory; resume it first/);
    await at.sessions.suspend(paused);
    expect([(await at.sessions.stats()).inMemory, at.bus.size]).toEqual([0, 0]);
  });

  it("happens to every open session at a shutdown, by itself, and leaves nothing behind [SM-8, SM-22]", async () => {
    const deeds: string[] = [];
    const work = playedWork(deeds);
    using at = await scratchSessions({ work: [work] });
    const ids = [await at.active(), await at.active(), (await at.create()).id];
    work.start(ids[1]!, "a");
    await at.sessions.pause(ids[1]!);
    for (const id of ids) (await at.sessions.context(id)).metadata.set("last", id);
    for (const id of ids) (await at.sessions.context(id)).bus.subscribe("**", () => {});
    await at.sessions.shutdown();
    expect([at.bus.size, at.clock.pendingTimers(), at.sessions.inMemory(ids[0]!)]).toEqual([0, 0, undefined]);
    at.again();
    for (const id of ids) expect((await at.sessions.get(id)).metadata).toEqual({ last: id });
    for (const id of ids) expect((await at.sessions.context(id)).metadata.get("last")).toBe(id);
    const states = await Promise.all(ids.map(async (id) => (await at.sessions.get(id)).state));
    expect(states).toEqual(["active", "paused", "created"]);
    await at.sessions.resume(ids[1]!);
    expect(deeds).toEqual(["held a", "stopped a", "resumed a"]);
  });
});

describe("what was saved and is not as it was written", () => {
  const flipped = (content: string): string => {
    const bytes = Buffer.from(content);
    bytes[bytes.length >> 1]! ^= 1;
    return bytes.toString();
  };

  it.each([
    ["with a flipped bit", "damaged", ({ content }: { content: string }) => ({ content: flipped(content) })],
    ["cut off", "damaged", ({ content }: { content: string }) => ({ content: content.slice(0, -3) })],
    ["of another session", "damaged", () => ({ checksum: "0".repeat(64) })],
    ["raised to a newer format by hand", "damaged", () => ({ schema: snapshotSchema + 1 })],
  ])("%s is refused, and nothing is changed [SM-20]", async (_, problem, change) => {
    using at = await scratchSessions();
    const id = await at.active();
    await at.sessions.suspend(id);
    await at.spoil(id, change);
    const before = await at.store.reader.sessions.findSnapshot(id);
    for (const take of [() => at.sessions.resume(id), () => at.sessions.switch(id, "ada")])
      await expect(take()).rejects.toMatchObject({ code: `session.snapshot-${problem}`, details: { session: id } });
    expect((await at.sessions.get(id)).state).toBe("suspended");
    expect(await at.store.reader.sessions.findSnapshot(id)).toEqual(before);
    expect([at.sessions.inMemory(id), at.bus.size, await at.sessions.getActive("ada")]).toEqual([
      undefined,
      0,
      undefined,
    ]);
    expect((await at.sessions.close(id)).state).toBe("completed");
  });

  it("is refused when a newer program wrote it, or one with other parts [SM-20]", async () => {
    using at = await scratchSessions();
    const id = await at.active();
    await at.sessions.suspend(id);
    await at.spoil(id, ({ content }) => sealedAs(id, snapshotSchema + 1, content));
    await expect(at.sessions.resume(id)).rejects.toMatchObject({ code: "session.snapshot-newer" });
    await at.spoil(id, ({ content }) => {
      const known = JSON.parse(content) as { context: { parts: object } };
      known.context.parts = { ...known.context.parts, crystalBall: {} };
      return seal(id, known as never, 0);
    });
    await expect(at.sessions.resume(id)).rejects.toMatchObject({
      code: "session.snapshot-newer",
      details: { part: "crystalBall" },
    });
    expect([(await at.sessions.get(id)).state, at.bus.size]).toEqual(["suspended", 0]);
  });
});

function sealedAs(session: string, schema: number, content: string): object {
  return { schema, checksum: createHash("sha256").update(`${session}\n${schema}\n${content}`).digest("hex") };
}
