import { describe, expect, it } from "vitest";
import { session as contract, type SessionId, type SessionState } from "../../contract/index.ts";
import { moveSession } from "./session-states.ts";
import { playedWork, scratchSessions } from "./testkit.ts";

describe("a session", () => {
  it("carries an id of its own, times, state, notes, and keeps all of them over a new process [SM-1, SM-21]", async () => {
    using at = await scratchSessions();
    const wanted = {
      project: at.project,
      name: "checkout",
      description: "The till",
      branch: "till",
      metadata: { a: "b" },
    };
    const { id, createdAt } = await at.sessions.create(wanted);
    const steps = [at.sessions.resume, at.sessions.pause, at.sessions.suspend, at.sessions.resume] as const;
    for (const step of steps) {
      at.clock.advance(10);
      await step(id);
    }
    at.clock.advance(10);
    const closed = await at.sessions.close(id, { reason: "merged" });
    at.again();
    expect(await at.sessions.get(id)).toEqual(closed);
    expect(closed).toEqual({
      ...wanted,
      id,
      implicit: false,
      state: "completed",
      reason: "merged",
      createdAt,
      startedAt: createdAt + 10,
      pausedAt: createdAt + 20,
      suspendedAt: createdAt + 30,
      endedAt: createdAt + 50,
      updatedAt: createdAt + 50,
    });
    expect((await at.create()).id).not.toBe(id);
  });

  it("has one of six states and no other [SM-2]", async () => {
    using at = await scratchSessions();
    const session = await at.create();
    expect(contract.SessionState.options).toEqual(["created", "active", "paused", "suspended", "completed", "failed"]);
    expect(contract.Session.safeParse({ ...session, state: "zombie" }).success).toBe(false);
    for (const [from, to] of [
      ["zombie", "active"],
      ["active", "zombie"],
      ["constructor", "active"],
    ] as SessionState[][])
      expect(() => moveSession({ ...session, state: from! }, to!, 1)).toThrow(/cannot become/);
  });

  it("is made, found, listed, switched to, paused, resumed and closed; what cannot be done says why [SM-4]", async () => {
    using at = await scratchSessions();
    const { sessions } = at;
    const { id } = await at.create();
    const nobody = at.ids.next("ses");
    expect((await sessions.get(id)).state).toBe("created");
    expect((await sessions.switch(id, "ada")).session.state).toBe("active");
    expect((await sessions.pause(id)).state).toBe("paused");
    expect((await sessions.resume(id)).state).toBe("active");
    expect((await sessions.close(id, { failed: true, reason: "too big" })).state).toBe("failed");
    const listed = await sessions.list({ project: at.project, state: "failed", before: undefined, limit: 10 });
    expect(listed.map((session) => session.id)).toEqual([id]);
    const { pause, resume, suspend, close, context, get } = sessions;
    const switchTo = (to: SessionId) => sessions.switch(to, "ada");
    for (const impossible of [pause, resume, suspend, close, context, switchTo])
      await expect(impossible(id)).rejects.toMatchObject({
        code: "session.not-possible",
        details: { state: "failed" },
      });
    for (const step of [get, pause, resume, suspend, close, context, switchTo])
      await expect(step(nobody)).rejects.toMatchObject({ code: "session.not-found", details: { id: nobody } });
  });

  it("is found by who looks at it, counted by state, and ends with all others", async () => {
    using at = await scratchSessions();
    const { sessions } = at;
    expect(await sessions.getActive("ada")).toBeUndefined();
    const [first, second] = [await at.active(), await at.active()];
    await at.create();
    await sessions.switch(first, "ada");
    await sessions.suspend(second);
    expect((await sessions.getActive("ada"))?.id).toBe(first);
    expect(await sessions.stats()).toMatchObject({
      states: { created: 1, active: 1, suspended: 1 },
      open: 2,
      limit: 1_000,
      inMemory: 2,
    });
    await sessions.closeAll();
    expect(await sessions.getActive("ada")).toBeUndefined();
    expect((await sessions.stats()).states).toMatchObject({ completed: 2, failed: 1, active: 0, suspended: 0 });
    expect([at.bus.size, (await sessions.stats()).inMemory]).toEqual([0, 0]);
  });
});

describe("a context", () => {
  it("holds what belongs to its session: id, router, bus, state, notes [SM-9]", async () => {
    using at = await scratchSessions();
    const ids = [await at.active(), await at.active()];
    const [one, other] = [await at.sessions.context(ids[0]!), await at.sessions.context(ids[1]!)];
    expect([one.id, one.state, one.router?.agents.size]).toEqual([ids[0], "active", 0]);
    one.metadata.set("ticket", "42");
    expect([one.metadata.get("ticket"), other.metadata.get("ticket")]).toEqual(["42", undefined]);
    const saved = one.serialize();
    other.restore(saved);
    expect(other.serialize()).toEqual(saved);
    await at.sessions.pause(ids[0]!);
    expect([one.state, (await at.sessions.get(ids[0]!)).metadata]).toEqual(["paused", { ticket: "42" }]);
  });

  it("has its topics from the start, and none after the end; what is said later reaches no subscriber [BUS-2, BUS-3, SM-8]", async () => {
    const closed: SessionId[] = [];
    using at = await scratchSessions({ onClosed: (id) => void closed.push(id) });
    const id = await at.active();
    const { bus, router } = await at.sessions.context(id);
    router!.pending.set("msg_1", {});
    const heard: unknown[] = [];
    bus.subscribe("**", (message) => void heard.push(message.payload));
    bus.subscribeOutside("librarian.requests", () => {});
    expect(bus.topics).toContain(`session.${id}.architect.requests`);
    await at.sessions.pause(id);
    await at.sessions.close(id);
    expect(heard).toEqual([{ state: "paused" }, { state: "completed" }]);
    expect([bus.topics, at.bus.size, at.clock.pendingTimers()]).toEqual([[], 0, 0]);
    expect([router!.pending.size, closed], "parts are closed, and others told").toEqual([0, [id]]);
    expect(at.bus.publish(`session.${id}.status`, { session: id, type: "X", priority: 1, payload: 1 })).toBe(0);
    await at.sessions.close(await at.active());
    expect(at.bus.size).toBe(0);
  });

  it("goes with its row: nothing of a forgotten session stays in memory [SM-8]", async () => {
    using at = await scratchSessions();
    const [gone, stays] = [await at.active(), await at.active()];
    for (const id of [gone, stays]) (await at.sessions.context(id)).bus.subscribe("**", () => {});
    at.forget(gone);
    await at.sessions.evictForgotten();
    expect([at.sessions.inMemory(gone), at.sessions.inMemory(stays)?.id, at.bus.size]).toEqual([undefined, stays, 1]);
  });

  it("keeps preferences to its session until one is promoted; its own stay stronger [SM-32]", async () => {
    using at = await scratchSessions();
    const [one, other] = [await at.active(), await at.active()];
    (await at.sessions.context(one)).preferences.set("style", "terse");
    expect(await at.sessions.preferences(other)).toEqual({});
    await at.sessions.promote(one, "style");
    expect(await at.sessions.preferences(other)).toEqual({ style: "terse" });
    (await at.sessions.context(other)).preferences.set("style", "chatty");
    expect([await at.sessions.preferences(one), await at.sessions.preferences(other)]).toEqual([
      { style: "terse" },
      { style: "chatty" },
    ]);
    await expect(at.sessions.promote(one, "colour")).rejects.toMatchObject({ code: "input.invalid" });
    expect(await at.sessions.withdraw(other, "style")).toMatchObject({
      preferences: { style: "chatty" },
      promoted: {},
    });
    expect(await at.sessions.preferences(await at.active())).toEqual({});
  });
});

describe("notes and preferences", () => {
  it.each(["created", "active", "paused", "suspended"] as const)(
    "set in a session that is %s are there in the next process, though the process was not shut down [SM-32]",
    async (state) => {
      using at = await scratchSessions();
      const { id } = await at.create();
      if (state !== "created") await at.sessions.resume(id);
      if (state === "paused") await at.sessions.pause(id);
      if (state === "suspended") await at.sessions.suspend(id);
      await at.sessions.set(id, { notes: { ticket: "42", gone: "x" }, preferences: { budget: "1", style: "terse" } });
      const answer = await at.sessions.set(id, { notes: { gone: undefined }, preferences: { style: undefined } });
      expect([answer.session.state, answer.session.metadata, answer.preferences]).toEqual([
        state,
        { ticket: "42" },
        { budget: "1" },
      ]);
      at.again();
      expect(await at.sessions.preferences(id)).toEqual({ budget: "1" });
      expect((await at.sessions.get(id)).metadata).toEqual({ ticket: "42" });
      if (state !== "active") await at.sessions.resume(id);
      const context = await at.sessions.context(id);
      expect([context.metadata.all(), context.preferences.all()]).toEqual([{ ticket: "42" }, { budget: "1" }]);
    },
  );

  it("leave the rest of a session as it was, in memory and in what is saved of it [SM-32]", async () => {
    using at = await scratchSessions();
    const [id, other] = [await at.active(), await at.active()];
    const context = await at.sessions.context(id);
    context.router!.learnt.set("find the cart", "librarian");
    await at.sessions.set(id, { preferences: { budget: "7" } });
    expect(context.preferences.all()).toEqual({ budget: "7" });
    await at.sessions.suspend(id);
    await at.sessions.set(id, { notes: { ticket: "42" } });
    expect(at.sessions.inMemory(id)).toBeUndefined();
    await at.sessions.resume(id);
    const taken = (await at.sessions.context(id)).router!;
    expect([...taken.learnt]).toEqual([["find the cart", "librarian"]]);
    expect([await at.sessions.preferences(other), (await at.sessions.get(other)).metadata]).toEqual([{}, {}]);
  });

  it("do not change in a session that has ended, nor where what was saved cannot be read [SM-32]", async () => {
    using at = await scratchSessions();
    const [ended, damaged] = [await at.active(), await at.active()];
    await at.sessions.close(ended);
    await at.sessions.suspend(damaged);
    await at.spoil(damaged, () => ({ checksum: "0".repeat(64) }));
    for (const [id, code] of [
      [ended, "session.not-possible"],
      [damaged, "session.snapshot-damaged"],
      [at.ids.next("ses"), "session.not-found"],
    ] as const) {
      await expect(at.sessions.set(id, { notes: { a: "b" } })).rejects.toMatchObject({ code });
      await expect(at.sessions.promote(id, "budget")).rejects.toMatchObject({ code });
    }
    const types = (await at.events()).map(({ type }) => type);
    expect(types.filter((type) => type === "session.noted" || type === "session.preference-promoted")).toEqual([]);
  });
});

describe("the focus", () => {
  it("moves in one step: the one before is paused, the target active; with background it continues [SM-15, SM-27]", async () => {
    using at = await scratchSessions();
    const [one, other] = [await at.active("one"), await at.active("other")];
    await at.sessions.switch(one, "ada");
    (await at.sessions.context(one)).metadata.set("ticket", "42");
    const { session, previous } = await at.sessions.switch(other, "ada");
    expect([session.state, previous?.id, previous?.state]).toEqual(["active", one, "paused"]);
    const back = await at.sessions.switch(one, "ada", { onBlur: "background" });
    expect([back.session.state, back.previous?.state]).toEqual(["active", "active"]);
    expect((await at.sessions.context(one)).metadata.get("ticket")).toBe("42");
    expect((await at.sessions.getActive("ada"))?.id).toBe(one);
    expect(await at.sessions.getActive("bob")).toBeUndefined();
  });

  it("leaves a session as that session prefers, where the call does not say otherwise [SM-15, SM-32]", async () => {
    using at = await scratchSessions();
    const [one, other] = [await at.active("one"), await at.active("other")];
    await at.sessions.set(one, { preferences: { onBlur: "background" } });
    await at.sessions.switch(one, "ada");
    expect((await at.sessions.switch(other, "ada")).previous?.state).toBe("active");
    expect((await at.sessions.switch(one, "ada")).previous?.state).toBe("paused");
    expect((await at.sessions.switch(other, "ada", { onBlur: "pause" })).previous?.state).toBe("paused");
    await at.sessions.promote(one, "onBlur");
    expect((await at.sessions.switch(one, "ada")).previous?.state).toBe("active");
  });

  it("stays where it is when the target cannot be taken up, and nothing is paused [SM-15]", async () => {
    using at = await scratchSessions();
    const [one, other] = [await at.active(), await at.active()];
    await at.sessions.switch(one, "ada");
    await at.sessions.close(other);
    await expect(at.sessions.switch(other, "ada")).rejects.toMatchObject({ code: "session.not-possible" });
    expect((await at.sessions.getActive("ada"))?.state).toBe("active");
    await at.sessions.close(one);
    expect(await at.sessions.getActive("ada")).toBeUndefined();
  });
});

describe("work of a session", () => {
  it("pauses with it, continues with it, exactly that, and ends with it [SM-28]", async () => {
    const deeds: string[] = [];
    const work = playedWork(deeds);
    using at = await scratchSessions({ work: [work] });
    const [one, other] = [await at.active(), await at.active()];
    work.start(one, "a");
    work.start(other, "b");
    await at.sessions.pause(one);
    expect(deeds.splice(0)).toEqual(["held a", "stopped a"]);
    await at.sessions.suspend(one);
    await at.sessions.resume(one);
    expect(deeds.splice(0)).toEqual(["stopped a", "resumed a"]);
    await at.sessions.pause(other);
    await at.sessions.close(other);
    expect(deeds).toEqual(["held b", "stopped b", "ended b", "stopped b"]);
  });

  it("keeps the history of a session that completes, in its own transaction; a failed one leaves none [SM-31]", async () => {
    const archived: string[] = [];
    using at = await scratchSessions({
      archive: async ({ id, name }) => {
        if (name === "unlucky") throw new Error("the archive is full");
        archived.push(id);
      },
    });
    const [good, bad, unlucky] = [await at.active(), await at.active(), await at.active("unlucky")];
    await at.sessions.close(good);
    await at.sessions.close(bad, { failed: true });
    await expect(at.sessions.close(unlucky)).rejects.toThrow("the archive is full");
    expect([archived, (await at.sessions.get(unlucky)).state]).toEqual([[good], "active"]);
  });
});
