import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { DomainError, type Message, type MessageId, type RoleName } from "../../contract/index.ts";
import { HookAbort } from "./delivery/hook-chain.ts";
import type { Answer, RoleHandler } from "./role-handler.ts";
import { standardCards } from "./routing/standard-cards.ts";
import { askWorld, deadlineMs, echo, guideWorld, messageOf, sessionA, sessionB, turn } from "./testkit.ts";

const question = { question: "where" };
const context: RoleHandler = async () => ({
  type: "CONTEXT_RESPONSE",
  payload: { files: [], fileCount: 0, found: [] },
});

function failing(times: number): { readonly handler: RoleHandler; readonly attempts: number[] } {
  const attempts: number[] = [];
  const handler: RoleHandler = async (request, signal) => {
    attempts.push(request.attempt);
    if (attempts.length <= times) throw new Error("planted");
    return context(request, signal);
  };
  return { handler, attempts };
}

describe("what fails", () => {
  it("is tried again after 100 and 200 ms, if asking twice changes nothing, and then put aside", async () => {
    const { guide, clock, terms } = guideWorld();
    const router = guide.open(sessionA);
    const { handler, attempts } = failing(4);
    router.register("librarian", handler);
    const asked = router.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
    asked.catch(() => {}); // looked at below
    const tried: number[] = [];
    for (const pauseMs of [0, 99, 1, 199, 1]) {
      clock.advance(pauseMs);
      await turn();
      tried.push(attempts.length);
    }
    expect(tried).toEqual([1, 1, 2, 2, 3]);
    await expect(asked).rejects.toThrow("planted");
    expect([attempts, clock.pendingTimers()]).toEqual([[1, 2, 3], 0]);
    expect(guide.undelivered()).toMatchObject([
      { reason: "retry_exhausted", attempts: 3, topic: `session.${sessionA}.librarian.requests` },
    ]);
    expect(guide.metrics().counts).toMatchObject({ "message.retried": 2, "message.failed": 1 });
  });

  it("is not tried again for an asker that has given up meanwhile", async () => {
    const { guide, clock, terms } = guideWorld();
    const router = guide.open(sessionA);
    const { handler, attempts } = failing(9);
    router.register("librarian", handler);
    const giveUp = new AbortController();
    const own = { ...terms, signal: giveUp.signal };
    const asked = router.ask("architect", "librarian", "CONTEXT_REQUEST", question, own);
    asked.catch(() => {}); // looked at below
    await turn();
    giveUp.abort(new Error("gave up"));
    clock.advance(100);
    await expect(asked).rejects.toThrow("gave up");
    expect([attempts, router.metrics().counts["message.cancelled"]]).toEqual([[1], 1]);
  });

  it("is not tried again where asking twice would do it twice", async () => {
    const { guide, terms } = guideWorld();
    const router = guide.open(sessionA);
    const { handler, attempts } = failing(9);
    router.register("archivalist", handler);
    const kept = { title: "a", content: {} };
    await expect(router.ask("architect", "archivalist", "STORE_REQUEST", kept, terms)).rejects.toThrow("planted");
    expect([attempts, guide.undelivered()[0]?.reason]).toEqual([[1], "processing_error"]);
  });

  it("five times in a row is left alone for 30 s, in this session; a refusal that says why is no failure", async () => {
    const { guide, terms, clock } = guideWorld();
    const router = guide.open(sessionA);
    let does: "refuse" | "answer" | "fail" | "wait" = "refuse";
    let calls = 0;
    router.register("archivalist", async (_, signal) => {
      calls++;
      if (does === "wait") await once(signal, "abort");
      if (does === "answer") return { type: "ACK", payload: {} };
      if (does === "refuse") throw new DomainError("input.invalid", "not like this");
      throw calls % 2 === 0 ? new Error("planted") : new DomainError("role.unavailable", "planted");
    });
    const kept = { title: "a", content: {} };
    const store = (more = {}) => router.ask("architect", "archivalist", "STORE_REQUEST", kept, { ...terms, ...more });
    for (let times = 0; times < 6; times++) await expect(store()).rejects.toThrow("not like this");
    expect(guide.undelivered(sessionA)[0]?.reason).toBe("rejected");
    does = "fail";
    for (let times = 0; times < 4; times++) await expect(store()).rejects.toThrow("planted");
    does = "answer";
    await store();
    does = "wait";
    for (let times = 0; times < 5; times++) {
      const giveUp = new AbortController();
      const given = store({ signal: giveUp.signal });
      await turn();
      giveUp.abort();
      await expect(given).rejects.toThrow("planted");
    }
    expect([calls, router.metrics().agents[0]?.circuit], "an answer between, askers that gave up").toEqual([
      16,
      "closed",
    ]);
    does = "fail";
    for (let times = 0; times < 5; times++) await expect(store()).rejects.toThrow("planted");
    await expect(store()).rejects.toMatchObject({ code: "role.unavailable", retryAfterMs: 30_000 });
    expect([calls, router.metrics().agents[0]?.circuit]).toEqual([21, "open"]);
    expect(guide.undelivered(sessionA).at(-1)?.reason).toBe("circuit_open");
    clock.advance(30_000);
    await expect(store()).rejects.toThrow("planted");
  });

  it("of a shared agent opens its circuit in the session where it failed, and in no other", async () => {
    const { guide, terms } = guideWorld();
    guide.registerShared(standardCards.archivalist, () => Promise.reject(new Error("planted")));
    const [a, b] = [guide.open(sessionA), guide.open(sessionB)];
    const kept = { title: "a", content: {} };
    const store = (router: typeof a) => router.ask("architect", "archivalist", "STORE_REQUEST", kept, terms);
    for (let times = 0; times < 5; times++) await expect(store(a)).rejects.toThrow("planted");
    await expect(store(a)).rejects.toMatchObject({ code: "role.unavailable" });
    await expect(store(b)).rejects.toThrow("planted");
  });

  it.each([
    ["the session's own", `session.${sessionA}.librarian.requests`],
    ["a shared one's", "librarian.requests"],
  ])(
    "by silence, %s, is put aside as a timeout, and its late answer is dropped and logged [GUIDE-3]",
    async (whose, topic) => {
      const { guide, clock, logged, terms } = guideWorld();
      const router = guide.open(sessionA);
      let answer = (): void => {};
      const slow: RoleHandler = async (request, signal) => {
        await new Promise<void>((resolve) => (answer = resolve));
        return context(request, signal);
      };
      if (whose === "a shared one's") guide.registerShared(standardCards.librarian, slow);
      else router.register("librarian", slow);
      const asked = router.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
      asked.catch(() => {}); // looked at below
      await turn();
      expect(router.pending()).toHaveLength(1);
      clock.advance(deadlineMs);
      await expect(asked).rejects.toThrow("librarian did not answer CONTEXT_REQUEST within 60 s");
      answer();
      await turn();
      expect([router.pending(), guide.undelivered()]).toMatchObject([[], [{ reason: "timeout", topic }]]);
      expect(logged).toMatchObject([{ level: "warn", event: "guide.answer-dropped", from: "librarian" }]);
      expect(router.metrics().counts).toMatchObject({ "message.dropped": 1, "message.expired": 1 });
    },
  );
});

it("takes an answer by its correlation id, once, from whom was asked; any other is dropped and logged [GUIDE-3]", async () => {
  const { guide, logged, terms } = guideWorld();
  const router = guide.open(sessionA);
  router.register("librarian", () => new Promise(() => {}));
  const asked = router.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
  await turn();
  const [{ correlationId }] = router.pending() as [Message];
  const answer = await context(messageOf("CONTEXT_REQUEST", question), terms.signal);
  const stranger = "msg_0000000000000000000009" as MessageId;
  expect(router.reply(stranger, "librarian", answer)).toBe(false);
  expect(router.reply(correlationId, "archivalist", answer)).toBe(false);
  expect(() => router.reply(correlationId, "librarian", { type: "ACK", payload: {} })).toThrow("may not send ACK");
  expect(router.reply(correlationId, "librarian", answer)).toBe(true);
  expect(await asked).toMatchObject({ correlationId, from: "librarian", type: "CONTEXT_RESPONSE" });
  expect(router.reply(correlationId, "librarian", answer)).toBe(false);
  expect(logged.map(({ event }) => event)).toEqual(Array.from({ length: 3 }, () => "guide.answer-dropped"));
});

describe('"not my domain"', () => {
  const passOn =
    (to: RoleName | undefined, reason: string): RoleHandler =>
    async () => ({ type: "REROUTE_REQUEST", payload: { reason, ...(to === undefined ? {} : { suggested: to }) } });

  function rerouting(hops: { readonly [Role in RoleName]?: RoleName | undefined }) {
    const world = guideWorld();
    const router = world.guide.open(sessionA);
    const heard: Message[] = [];
    for (const name of ["architect", "inspector", "tester", "librarian"] as const)
      router.register(standardCards[name], name in hops ? passOn(hops[name], `not for ${name}`) : echo(name, heard));
    router.register("engineer", () => expect.unreachable());
    const ask = () => router.route("@to:architect what now?", world.terms);
    return { ...world, router, ask, heard };
  }

  it("goes to whom is suggested; the second time with a warning", async () => {
    const { ask, logged, recorded, heard } = rerouting({ architect: "inspector", inspector: "tester" });
    const { answers } = await ask();
    expect(answers).toMatchObject([{ from: "tester", answer: { payload: { text: "tester: what now?" } } }]);
    expect(logged.map(({ level, to }) => [level, to])).toEqual([
      ["info", "inspector"],
      ["warn", "tester"],
    ]);
    expect(recorded.map(({ from, to, type }) => `${from} ${type} ${to}`)).toEqual([
      "user USER_INPUT architect",
      "architect REROUTE_REQUEST guide",
      "user USER_INPUT inspector",
      "inspector REROUTE_REQUEST guide",
      "user USER_INPUT tester",
      "tester USER_RESPONSE user",
    ]);
    expect(new Set(recorded.map(({ correlationId }) => correlationId)).size).toBe(1);
    const ids = recorded.map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(
      recorded.map(({ parentId }) => parentId),
      "each caused by the request before it",
    ).toEqual([undefined, ids[0], ids[0], ids[2], ids[2], ids[4]]);
    expect(heard[0]?.metadata.refusals, "whoever is asked next reads why").toMatchObject([
      { by: "architect", reason: "not for architect", suggested: "inspector" },
      { by: "inspector" },
    ]);
  });

  it("is not passed on to an agent that has fallen silent: a person is asked [GUIDE-19]", async () => {
    const { router, ask, clock, terms } = rerouting({ architect: "inspector" });
    router.unregister("inspector");
    const card = { ...standardCards.inspector, constraints: { heartbeats: true, internal: false } };
    router.register(card, () => new Promise(() => {}));
    router.ask("user", "inspector", "USER_INPUT", { text: "work" }, { ...terms, deadlineMs: 600_000 }).catch(() => {});
    await turn();
    router.heartbeat("inspector");
    clock.advance(60_000);
    expect(router.metrics().agents.find(({ name }) => name === "inspector")?.health).toBe("dead");
    await expect(ask()).rejects.toMatchObject({ code: "route.unsure" });
  });

  it("has one deadline for the whole way", async () => {
    const { router, ask, clock } = rerouting({});
    for (const name of ["architect", "inspector"] as const) router.unregister(name);
    const waited = Promise.withResolvers<void>();
    router.register(standardCards.architect, async (request, signal) => {
      await waited.promise;
      return passOn("inspector", "not mine")(request, signal);
    });
    router.register(standardCards.inspector, () => new Promise(() => {}));
    const asked = ask();
    asked.catch(() => {}); // looked at below
    await turn();
    clock.advance(deadlineMs - 1);
    waited.resolve();
    await turn();
    clock.advance(1);
    await expect(asked).rejects.toThrow("inspector did not answer");
  });

  it("is a message of the registry like any other: one without a reason is refused", async () => {
    const { router, ask } = rerouting({});
    router.unregister("architect");
    const without = { type: "REROUTE_REQUEST", payload: { suggested: "tester" } } as Answer;
    router.register(standardCards.architect, async () => without);
    await expect(ask()).rejects.toThrow("payload of REROUTE_REQUEST is wrong");
  });

  it("the third time a person is asked, who reads what each of them said", async () => {
    const { ask } = rerouting({ architect: "inspector", inspector: "tester", tester: "librarian" });
    await expect(ask()).rejects.toMatchObject({
      code: "route.unsure",
      message: expect.stringMatching(/architect says "not for architect" and inspector says "not for inspector"/),
      details: { refusals: [{ by: "architect" }, { by: "inspector" }, { by: "tester", suggested: "librarian" }] },
    });
  });

  it.each<[string, RoleName | undefined]>([
    ["nobody is suggested", undefined],
    ["it would come back", "architect"],
    ["nobody plays that role", "academic"],
    ["it may not go there", "engineer"],
  ])("a person is asked at once when %s", async (_, suggested) => {
    const { ask, guide } = rerouting({ architect: suggested });
    await expect(ask()).rejects.toMatchObject({ code: "route.unsure" });
    expect(guide.metrics().counts["message.rerouted"]).toBeUndefined();
  });
});

it("lets a thousand wait for one agent and refuses the next one, which says nothing about the agent [GUIDE-7]", async () => {
  const { guide, terms } = guideWorld();
  const router = guide.open(sessionA);
  const open = Promise.withResolvers<void>();
  router.register("librarian", async (request, signal) => {
    await open.promise;
    return context(request, signal);
  });
  const ask = () => router.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
  const asked = Array.from({ length: 1_000 }, ask);
  await expect(ask()).rejects.toMatchObject({ code: "role.busy", details: { limit: 1_000, used: 1_000 } });
  expect([router.pending().length, router.metrics().agents[0]?.circuit]).toEqual([1_000, "closed"]);
  open.resolve();
  expect(await Promise.all(asked)).toHaveLength(1_000);
  await ask();
});

it("is heard by every watcher: requests, responses, and errors with what became of them", async () => {
  const { guide, clock, terms } = guideWorld();
  const router = guide.open(sessionA);
  const heard: (readonly unknown[])[] = [];
  for (const channel of ["requests", "responses", "errors"])
    guide.watch(`*.${channel}`, ({ from, to, status, error, processedAt }) => {
      heard.push([channel, from, to, status, ...(error === undefined ? [] : [error]), processedAt === clock.now()]);
    });
  let answer: RoleHandler = context;
  router.register("librarian", (request, signal) => answer(request, signal));
  const giveUp = new AbortController();
  const ask = () =>
    router.ask("architect", "librarian", "CONTEXT_REQUEST", question, {
      ...terms,
      deadlineMs: 50,
      signal: giveUp.signal,
    });
  const asked = ["architect", "librarian"];
  await ask();
  expect(heard.splice(0)).toEqual([
    ["requests", ...asked, "processing", false],
    ["responses", "librarian", "architect", "completed", true],
  ]);
  answer = () => Promise.reject(new Error("planted"));
  await expect(ask()).rejects.toThrow("planted");
  answer = () => new Promise(() => {});
  const late = ask();
  late.catch(() => {}); // looked at below
  await turn();
  clock.advance(50);
  await expect(late).rejects.toThrow("did not answer");
  answer = async (_, signal) => {
    await once(signal, "abort");
    throw new Error("stopped");
  };
  const given = ask();
  given.catch(() => {}); // looked at below
  await turn();
  giveUp.abort();
  await expect(given).rejects.toThrow("stopped");
  expect(heard.filter(([channel]) => channel === "errors")).toEqual([
    ["errors", ...asked, "failed", "planted", true],
    ["errors", ...asked, "expired", expect.stringContaining("did not answer"), true],
    ["errors", ...asked, "cancelled", "stopped", true],
  ]);
});

describe("hooks", () => {
  it("stand before and after routing and dispatch, lower numbers first [GUIDE-15, GUIDE-16]", async () => {
    const { guide, open, terms } = askWorld();
    const router = open(sessionA);
    const seen: string[] = [];
    for (const point of ["post-dispatch", "pre-dispatch", "post-route", "pre-route"] as const)
      for (const order of [51, undefined, 49])
        guide.addHook(point, {
          name: "spy",
          ...(order === undefined ? {} : { order }),
          run: () => void seen.push(`${point} ${order ?? 50}`),
        });
    await router.route("@to:librarian where?", terms);
    expect(seen).toEqual(
      ["pre-route", "post-route", "pre-dispatch", "post-dispatch"].flatMap((point) =>
        [49, 50, 51].map((order) => `${point} ${order}`),
      ),
    );
  });

  it("before may change what is said and to whom, but not whose it is [GUIDE-16]", async () => {
    const { guide, open, heard, recorded, terms } = askWorld();
    const router = open(sessionA);
    for (const sign of ["!", "?"])
      guide.addHook("pre-route", { name: sign, run: (request) => ({ ...request, text: `${request.text}${sign}` }) });
    const takeOver = guide.addHook("pre-dispatch", {
      name: "elsewhere",
      run: async (message) => ({ ...message, to: "tester", session: "ses_stolen" as never, from: "guide" }),
    });
    await router.route("@to:librarian where?", terms);
    expect(heard).toMatchObject([{ to: "tester", from: "user", session: sessionA, payload: { text: "where?!?" } }]);
    takeOver();
    guide.addHook("pre-dispatch", { name: "wrong", run: (message) => ({ ...message, to: "engineer" }) });
    await expect(router.route("@to:librarian where?", terms)).rejects.toThrow(
      "user may not send USER_INPUT to engineer",
    );
    expect(recorded).toHaveLength(2);
  });

  it.each([
    ["aborts with a reason", () => Promise.reject(new HookAbort("after hours"))],
    [
      "throws",
      () => {
        throw new Error("after hours");
      },
    ],
  ])("before that %s stops the chain and the operation [GUIDE-16]", async (_, run) => {
    const { guide, open, heard, recorded, terms } = askWorld();
    const router = open(sessionA);
    guide.addHook("pre-dispatch", { name: "curfew", order: 10, run });
    guide.addHook("pre-dispatch", { name: "never", order: 11, run: () => expect.unreachable() });
    await expect(router.route("@to:librarian where?", terms)).rejects.toMatchObject({
      code: "route.aborted",
      message: expect.stringContaining("after hours"),
      details: { hook: "curfew", point: "pre-dispatch" },
    });
    expect([heard, recorded]).toEqual([[], []]);
  });

  it("have a second each; one before that takes longer stops it, one after is only reported [GUIDE-16]", async () => {
    const { guide, open, clock, logged, terms } = askWorld();
    const router = open(sessionA);
    const stop = guide.addHook("pre-route", { name: "slow", run: () => new Promise<never>(() => {}) });
    const stopped = router.route("@to:librarian where?", terms);
    stopped.catch(() => {}); // looked at below
    await turn();
    clock.advance(1_000);
    await expect(stopped).rejects.toMatchObject({ code: "route.aborted", message: expect.stringContaining("1000 ms") });
    stop();
    guide.addHook("post-dispatch", { name: "broken", run: () => Promise.reject(new Error("planted")) });
    const { answers } = await router.route("@to:librarian where?", terms);
    expect(answers).toHaveLength(1);
    expect(logged).toMatchObject([{ level: "warn", event: "guide.hook-failed", hook: "broken" }]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("of the Guide put the session's context in, keep its state and record the decision [GUIDE-17, GUIDE-18, GUIDE-20]", async () => {
    const { open, heard, terms } = askWorld();
    const router = open(sessionA);
    await router.route("@to:librarian where?", { ...terms, metadata: { place: "here" } });
    await router.route("how should we design it?", terms);
    expect(heard[0]?.metadata.place, "beside what was there").toBe("here");
    expect(heard.map(({ metadata }) => metadata.context)).toEqual([
      { session: sessionA, turn: 1, lastTarget: undefined, lastIntent: undefined },
      { session: sessionA, turn: 2, lastTarget: "librarian", lastIntent: "check" },
    ]);
    expect(router.state()).toMatchObject({ turns: 2, lastTarget: "architect", lastIntent: "plan" });
    expect(router.state().dispatched).toMatchObject([
      { to: "librarian", status: "completed", decision: { by: "tag", confidence: 1 } },
      { to: "architect", status: "completed", decision: { by: "rules", intent: "plan" } },
    ]);
    for (let number = 0; number < 100; number++) await router.route(`@to:tester ${number}`, terms);
    const { dispatched } = router.state();
    expect([dispatched.length, dispatched[0]?.to], "the last hundred").toEqual([100, "tester"]);
  });

  it("of the Guide refuse an agent that has fallen silent, until it is heard again [GUIDE-19]", async () => {
    const { guide, clock, terms } = guideWorld();
    const router = guide.open(sessionA);
    const working = Promise.withResolvers<void>();
    let asked = 0;
    router.register(standardCards.tester, async (message, signal) => {
      if (++asked === 1) await working.promise;
      return echo("tester")(message, signal);
    });
    const health = () => router.metrics().agents.find(({ name }) => name === "tester")?.health;
    const patient = { ...terms, deadlineMs: 600_000 };
    router.heartbeat("tester");
    clock.advance(3_600_000);
    expect(health(), "who is not at work has nothing to be heard of").toBe("healthy");
    const first = router.route("@to:tester well?", patient);
    await turn();
    clock.advance(120_000);
    expect(health(), "who never beats lives as long as it is registered").toBe("healthy");
    router.heartbeat("tester");
    clock.advance(29_999);
    expect(health()).toBe("healthy");
    clock.advance(1);
    expect(health()).toBe("unhealthy");
    clock.advance(29_999);
    await router.route("@to:tester well?", terms);
    clock.advance(1);
    expect(health()).toBe("dead");
    await expect(router.route("@to:tester well?", terms)).rejects.toMatchObject({
      code: "role.unavailable",
      details: { role: "tester", reason: "dead" },
    });
    router.heartbeat("tester");
    await router.route("@to:tester well?", terms);
    clock.advance(60_000);
    working.resolve();
    await first;
    expect([health(), asked], "its work is over").toEqual(["healthy", 3]);
    await router.route("@to:tester well?", terms);
  });
});
