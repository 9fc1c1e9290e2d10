import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { type Message, messagePriorities } from "../../contract/index.ts";
import type { Answer } from "./role-handler.ts";
import { standardCards } from "./routing/standard-cards.ts";
import { askWorld, deadlineMs, echo, guideWorld, names, sessionA, sessionB, turn } from "./testkit.ts";

const where = "where is the total computed?";

describe("one Guide, one scope per session", () => {
  it("makes a router once, gives it back, and leaves nothing of it when it closes [GUIDE-4]", async () => {
    const { guide, open, terms, clock, heard } = askWorld();
    const router = open(sessionA);
    expect([guide.open(sessionA) === router, guide.get(sessionA) === router]).toEqual([true, true]);
    const overheard: Message[] = [];
    guide.watch(`session.${sessionA}.tester.requests`, (message) => void overheard.push(message));
    router.register("academic", async (_, signal) => {
      await once(signal, "abort");
      throw signal.reason;
    });
    const waiting = router.ask("architect", "academic", "RESEARCH_REQUEST", { question: "why" }, terms);
    waiting.catch(() => {}); // looked at below
    await turn();
    router.close();
    guide.close(sessionA);
    await expect(waiting, "whoever works is told").rejects.toThrow(`${sessionA} was closed`);
    expect([guide.get(sessionA), guide.metrics().sessions, router.pending(), clock.pendingTimers()]).toEqual([
      undefined,
      0,
      [],
      0,
    ]);
    await expect(router.route(`@to:librarian ${where}`, terms)).rejects.toThrow(`${sessionA} is closed`);
    const again = open(sessionA);
    expect(names(again.agents())).toEqual(["architect", "inspector", "tester", "librarian", "archivalist"]);
    await again.route("@to:tester well?", terms);
    expect([heard.length, overheard], "one receiver, and no subscription of before").toEqual([1, []]);
    guide.closeAll();
    expect([guide.metrics().sessions, guide.shared()]).toEqual([0, []]);
  });

  it("keeps the requests that wait for an answer apart by session [GUIDE-7]", async () => {
    const { guide, terms } = guideWorld();
    const [a, b] = [guide.open(sessionA), guide.open(sessionB)];
    for (const router of [a, b]) {
      router.register("librarian", () => new Promise(() => {}));
      router.ask("architect", "librarian", "CONTEXT_REQUEST", { question: "where" }, terms).catch(() => {});
    }
    await turn();
    const waiting = () => [a, b].map((router) => router.pending().map(({ session }) => session));
    expect(waiting()).toEqual([[sessionA], [sessionB]]);
    const [{ correlationId }] = a.pending() as [Message];
    const answer: Answer = { type: "CONTEXT_RESPONSE", payload: { files: [], fileCount: 0, found: [] } };
    expect(b.reply(correlationId, "librarian", answer), "another session's").toBe(false);
    expect([a.metrics(), b.metrics()]).toMatchObject([
      { pending: 1, agents: [{ name: "librarian", waiting: 1 }] },
      { pending: 1 },
    ]);
    b.close();
    expect(waiting()).toEqual([[sessionA], []]);
    a.close();
  });

  it("routes with the session's own agents and carries the session in request and result [GUIDE-1, GUIDE-26]", async () => {
    const { guide, recorded, terms } = guideWorld();
    const heard: Message[] = [];
    for (const session of [sessionA, sessionB])
      guide.open(session).register(standardCards.tester, echo(session, heard));
    const routed = await Promise.all(
      [sessionA, sessionB].map((session) => guide.open(session).route("@to:tester well?", terms)),
    );
    expect(routed.map(({ session, decision }) => [session, decision.session])).toEqual([
      [sessionA, sessionA],
      [sessionB, sessionB],
    ]);
    expect(heard.map(({ session }) => session)).toEqual([sessionA, sessionB]);
    for (const { session, from, payload } of recorded)
      if (from === "tester") expect(payload).toEqual({ text: `${session}: well?` });
  });

  it("asks its keeper which session a client looks at, each client for itself, and keeps none of its own [GUIDE-8]", async () => {
    const looking = new Map([["ada", sessionA]]);
    const { guide, open } = askWorld({ focus: { focusOf: async (client) => looking.get(client) } });
    open(sessionA);
    open(sessionB);
    expect([await guide.active("ada"), await guide.active("bob")]).toEqual([sessionA, undefined]);
    looking.set("bob", sessionB);
    expect([await guide.active("ada"), await guide.active("bob")]).toEqual([sessionA, sessionB]);
    looking.delete("ada");
    expect(await guide.active("ada")).toBeUndefined();
    expect(await guideWorld().guide.active("ada"), "inside a run nobody looks").toBeUndefined();
  });

  it("registers, lists and unregisters agents per session; another session cannot resolve them [GUIDE-5, SM-11]", async () => {
    const { guide, terms } = guideWorld();
    const [a, b] = [guide.open(sessionA), guide.open(sessionB)];
    a.register(standardCards.tester, echo("tester"));
    expect([names(a.agents()), names(b.agents())]).toEqual([["tester"], []]);
    await expect(b.route("@to:tester well?", terms)).rejects.toMatchObject({ code: "input.invalid" });
    await expect(b.ask("user", "tester", "USER_INPUT", { text: "well?" }, terms)).rejects.toThrow(
      `No agent tester listens in ${sessionB}`,
    );
    expect([a.unregister("tester"), a.unregister("tester"), a.agents()]).toEqual([true, false, []]);
    await expect(a.route("@to:tester well?", terms)).rejects.toMatchObject({ code: "input.invalid" });
    expect(guide.undelivered().map(({ reason }) => reason)).toEqual(["unroutable"]);
    a.register(standardCards.tester, echo("another"));
    const { answers } = await a.route("@to:tester well?", terms);
    expect(answers, "nothing of the one before").toMatchObject([{ answer: { payload: { text: "another: well?" } } }]);
  });

  it("has shared agents in every session, on topics without a session; a session's own comes first [GUIDE-9, GUIDE-13, GUIDE-14]", async () => {
    const { guide, terms } = guideWorld();
    guide.registerShared(standardCards.librarian, echo("everybody's"));
    const [a, b] = [guide.open(sessionA), guide.open(sessionB)];
    b.register(standardCards.librarian, echo("b's own"));
    const topics: string[] = [];
    for (const pattern of ["librarian.requests", `session.${sessionB}.librarian.requests`])
      guide.watch(pattern, ({ session }) => void topics.push(`${pattern} ${session}`));
    const texts = [];
    for (const router of [a, b]) texts.push((await router.route("@to:librarian hi", terms)).answers);
    expect(texts).toMatchObject([
      [{ answer: { payload: { text: "everybody's: hi" } } }],
      [{ answer: { payload: { text: "b's own: hi" } } }],
    ]);
    expect(topics).toEqual([`librarian.requests ${sessionA}`, `session.${sessionB}.librarian.requests ${sessionB}`]);
    expect([names(guide.shared()), guide.unregisterShared("librarian"), names(a.agents())]).toEqual([
      ["librarian"],
      true,
      [],
    ]);
  });

  it("broadcasts inside one session to all who may hear it, or to those named, and tells who did not answer [GUIDE-10]", async () => {
    const { open, heard, terms } = askWorld();
    const [router] = [open(sessionA), open(sessionB)];
    router.register("engineer", () => expect.unreachable());
    const all = await router.broadcast("user", "USER_INPUT", { text: "well?" }, terms);
    expect(all.map(({ from }) => from)).toEqual(["architect", "inspector", "tester", "librarian", "archivalist"]);
    expect(new Set(heard.map(({ session }) => session))).toEqual(new Set([sessionA]));
    router.unregister("tester");
    router.register(standardCards.tester, () => Promise.reject(new Error("planted")));
    const { answers, decision } = await router.route("@broadcast:librarian,tester well?", terms);
    expect(answers).toMatchObject([
      { from: "librarian", answer: {} },
      { from: "tester", error: { message: "planted" } },
    ]);
    expect(decision.kind).toBe("broadcast");
  });

  it("broadcasts to all at once: none waits for another's answer [GUIDE-10]", async () => {
    const { guide, terms } = guideWorld();
    const router = guide.open(sessionA);
    let under = 0;
    const both = Promise.withResolvers<void>();
    for (const name of ["inspector", "tester"] as const)
      router.register(standardCards[name], async (request, signal) => {
        if (++under === 2) both.resolve();
        await both.promise;
        return echo(name)(request, signal);
      });
    expect(await router.broadcast("user", "USER_INPUT", { text: "well?" }, terms)).toMatchObject([
      { from: "inspector", answer: {} },
      { from: "tester", answer: {} },
    ]);
  });

  it("carries a priority, 50 unless said, by which a watcher may choose", async () => {
    const { guide, open, heard, terms } = askWorld();
    const router = open(sessionA);
    const urgent: number[] = [];
    guide.watch("*.requests", ({ priority }) => void urgent.push(priority), { minPriority: messagePriorities.high });
    const ask = (priority?: number) =>
      router.ask(
        "user",
        "tester",
        "USER_INPUT",
        { text: "well?" },
        { ...terms, ...(priority === undefined ? {} : { priority }) },
      );
    await ask();
    await ask(messagePriorities.critical);
    await ask(messagePriorities.background);
    await router.route("@to:tester well?", { ...terms, priority: messagePriorities.low });
    expect([heard.map(({ priority }) => priority), urgent]).toEqual([[50, 100, 0, 25], [100]]);
    expect(messagePriorities).toEqual({ background: 0, low: 25, normal: 50, high: 75, critical: 100 });
  });

  it("counts for each session and for all of them [GUIDE-11]", async () => {
    const { guide, open, terms } = askWorld();
    const [a, b] = [open(sessionA), open(sessionB)];
    await a.route(where, terms);
    await a.route(where, terms);
    await b.route("@to:tester well?", terms);
    await expect(b.route("hello", terms)).rejects.toMatchObject({ code: "route.unknown" });
    expect(a.metrics()).toMatchObject({
      counts: { "routed.rules": 1, "routed.session-cache": 1, "message.answered": 2 },
      pending: 0,
      cachedRoutes: 1,
      cacheHits: 1,
    });
    expect(b.metrics().counts).toEqual({
      "routed.tag": 1,
      "message.asked": 1,
      "message.answered": 1,
      "route.rejected": 1,
    });
    expect(guide.metrics()).toMatchObject({ sessions: 2, counts: { "routed.tag": 1, "message.answered": 3 } });
    expect(a.metrics().agents.find(({ name }) => name === "librarian")).toMatchObject({
      shared: true,
      health: "healthy",
      circuit: "closed",
      waiting: 0,
      p99Ms: 0,
    });
  });
});

describe("what a router has learnt and waits for", () => {
  it("comes back from its snapshot, also in another process: routes, corrections, state, pending requests", async () => {
    const one = askWorld();
    const router = one.open(sessionA);
    await router.route(where, one.terms);
    router.correct("what about the cart", "tester");
    await router.route(where, one.terms);
    router.unregister("tester");
    router.register(standardCards.tester, () => new Promise(() => {}));
    await router.route(where, one.terms);
    router.ask("user", "tester", "USER_INPUT", { text: "well?" }, one.terms).catch(() => {});
    await turn();
    const saved = JSON.parse(JSON.stringify(router.serialize())) as { readonly pending: readonly Message[] };
    const other = askWorld();
    const restored = other.open(sessionA);
    restored.restore(saved);
    expect(JSON.parse(JSON.stringify(restored.serialize()))).toEqual(saved);
    expect((await restored.route(where, other.terms)).decision.by).toBe("session-cache");
    expect(restored.explain("what about the cart").decision.to).toEqual(["tester"]);
    const [{ correlationId }] = saved.pending as [Message];
    expect(restored.reply(correlationId, "tester", { type: "USER_RESPONSE", payload: { text: "well" } })).toBe(true);
    expect(restored.pending()).toEqual([]);
    const late = askWorld();
    late.clock.advance(deadlineMs - 1);
    const lateRouter = late.open(sessionA);
    lateRouter.restore(saved);
    expect(lateRouter.pending()).toHaveLength(1);
    late.clock.advance(1);
    expect(lateRouter.pending(), "its time goes on, whatever happens to the session").toEqual([]);
  });

  it.each([
    ["of a newer version", (saved: object) => ({ ...saved, version: 2 })],
    ["of another session", (saved: object) => ({ ...saved, session: sessionB })],
    ["with a flipped field", (saved: object) => ({ ...saved, routes: [{ key: 1 }] })],
    ["that is none", () => "nonsense"],
  ])("is not taken from a snapshot %s, and nothing changes", async (_, spoil) => {
    const { open, terms } = askWorld();
    const router = open(sessionA);
    await router.route(where, terms);
    const saved = router.serialize() as object;
    expect(() => router.restore(spoil(saved))).toThrow(expect.objectContaining({ code: "input.invalid" }));
    expect(router.serialize()).toEqual(saved);
  });
});
