import { describe, expect, it } from "vitest";
import { standardCards } from "./routing/standard-cards.ts";
import { askWorld, echo, sessionA, sessionB, names } from "./testkit.ts";

const where = "where is the total computed?";
const unsure = "review the tests";

describe("text without a tag", () => {
  it("is routed by rules, then by the session's own routes; case and spaces do not matter [GUIDE-6, GUIDE-23]", async () => {
    const { open, terms } = askWorld();
    const router = open(sessionA);
    const by = async (text: string) => (await router.route(text, terms)).decision.by;
    expect([await by(where), await by(` ${where.toUpperCase()}\n`), await by(where)]).toEqual([
      "rules",
      "session-cache",
      "session-cache",
    ]);
  });

  it("comes to the global routes after three equal decisions in two sessions; the session's own are asked first [GUIDE-6, GUIDE-34]", async () => {
    const { guide, open, terms } = askWorld();
    const [a, b] = [open(sessionA), open(sessionB)];
    const by = async (router: typeof a) => (await router.route(where, terms)).decision.by;
    expect([await by(a), await by(a), await by(b)]).toEqual(["rules", "session-cache", "rules"]);
    expect(guide.metrics().globalRoutes).toBe(1);
    const c = open("ses_000000000000000000000c" as typeof sessionA);
    expect([await by(c), await by(c)]).toEqual(["global-cache", "session-cache"]);
    const review = "find the code";
    for (const router of [a, b, a]) await router.route(review, terms);
    expect((await c.route(review, { ...terms, confirm: "librarian" })).decision.by).toBe("global-cache");
    expect((await c.route(review, terms)).decision, "its own, which a person confirmed").toMatchObject({
      by: "session-cache",
      confidence: 1,
    });
  });

  it("leaves all caches when the agents change: one session's own, or everybody's when a shared one does [GUIDE-34]", async () => {
    const { guide, open, terms } = askWorld();
    const [a, b] = [open(sessionA), open(sessionB)];
    const by = async (router: typeof a) => (await router.route(where, terms)).decision.by;
    for (const router of [a, b, a]) await by(router);
    expect(guide.metrics().globalRoutes).toBe(1);
    a.register(standardCards.librarian, echo("a's own"));
    expect([await by(a), await by(b)], "only a's agents changed").toEqual(["global-cache", "session-cache"]);
    a.unregister("librarian");
    a.unregister("tester");
    expect(await by(a), "no other session has these agents").toBe("rules");
    guide.unregisterShared("archivalist");
    expect(guide.metrics().globalRoutes).toBe(0);
    expect([await by(b), b.metrics().cachedRoutes]).toEqual(["rules", 1]);
    const c = open("ses_000000000000000000000c" as typeof sessionA);
    for (const router of [c, b]) await by(router);
    expect(guide.metrics().globalRoutes).toBe(1);
    guide.registerShared(standardCards.archivalist, echo("another"));
    expect([guide.metrics().globalRoutes, b.metrics().cachedRoutes]).toEqual([0, 0]);
  });

  it("stays in its session where a person said whom it is for: it becomes no other session's, and no other's route comes before it [GUIDE-34]", async () => {
    const { guide, open, terms } = askWorld();
    const [a, b, c] = [open(sessionA), open(sessionB), open("ses_000000000000000000000c" as typeof sessionA)];
    for (const router of [a, b]) {
      await router.route(unsure, { ...terms, confirm: "tester" });
      for (let times = 0; times < 2; times++) await router.route(unsure, terms);
    }
    expect(guide.metrics().globalRoutes).toBe(0);
    for (const router of [a, b, a]) await router.route(where, terms);
    expect(guide.metrics().globalRoutes).toBe(1);
    c.correct(where, "tester");
    expect((await c.route(where, terms)).decision).toMatchObject({ by: "rules", to: ["tester"] });
  });

  it("is not learnt when a tag named an agent, when it wants a change, or when it went wrong [GUIDE-6]", async () => {
    const { open, terms } = askWorld();
    const router = open(sessionA);
    for (const text of [
      `@to:tester ${where}`,
      "Add discounts to the cart",
      "remember that we decided this in the last run",
      "stop the plan of this workflow",
      "the failing tests of the suite",
    ]) {
      const { decision } = await router.route(text, terms);
      expect([text, decision.to.length, router.metrics().cachedRoutes]).toEqual([text, 1, 0]);
    }
    router.unregister("architect");
    router.register(standardCards.architect, async () => ({
      type: "REROUTE_REQUEST",
      payload: { reason: "not mine", suggested: "tester" },
    }));
    const { answers } = await router.route("how should we design it?", terms);
    expect([answers[0]?.from, router.metrics().cachedRoutes]).toEqual(["tester", 0]);
  });

  it("is carried out and logged for review from 0.75, and only if confirmed from 0.50", async () => {
    const { open, logged, heard, terms } = askWorld();
    const router = open(sessionA);
    const review = "find the code";
    expect(router.explain(review).decision).toMatchObject({ band: "log", to: ["librarian"] });
    await router.route(review, terms);
    const reviewed = { level: "info", event: "guide.route-review", to: "librarian" };
    expect(logged).toMatchObject([reviewed]);
    await router.route(review, terms);
    expect(logged, "from the cache as well").toMatchObject([reviewed, reviewed]);
    await expect(router.route(unsure, terms)).rejects.toMatchObject({
      code: "route.unsure",
      message: expect.stringContaining("--confirm inspector"),
      details: { to: "inspector", confidence: 0.6, candidates: expect.arrayContaining([]) },
    });
    expect([heard.length, router.metrics().counts["route.unsure"]]).toEqual([2, 1]);
    const { decision } = await router.route(unsure, { ...terms, confirm: "inspector" });
    expect([decision.to, heard.length, router.metrics().counts["route.corrected"]]).toEqual([
      ["inspector"],
      3,
      undefined,
    ]);
  });

  it("is only carried out if confirmed where the agent wants to be surer than that", async () => {
    const { open, heard, terms } = askWorld();
    const router = open(sessionA);
    const constraints = { minConfidence: 0.95 };
    router.register({ ...standardCards.librarian, constraints }, echo("librarian", heard));
    expect(router.explain("find the code").decision).toMatchObject({ confidence: 0.87, band: "confirm" });
    await expect(router.route("find the code", terms)).rejects.toMatchObject({ code: "route.unsure" });
    expect(heard).toEqual([]);
  });

  it("is refused below 0.50 with who is known and what they do; nothing is sent", async () => {
    const { open, heard, terms } = askWorld();
    const router = open(sessionA);
    expect(["hello", "which one?"].map((text) => router.explain(text).decision.confidence)).toEqual([0, 0.4]);
    for (const text of ["hello", "which one?"])
      await expect(router.route(text, terms)).rejects.toMatchObject({
        code: "route.unknown",
        message: expect.stringContaining("librarian (where things are in the code)"),
        details: { known: ["architect", "inspector", "tester", "librarian", "archivalist"] },
      });
    expect(heard).toEqual([]);
  });

  it("is corrected by whom the person names, and learns from it for texts like it; fifty corrections are kept", async () => {
    const { open, terms } = askWorld();
    const router = open(sessionA);
    await router.route(unsure, { ...terms, confirm: "tester" });
    expect(router.metrics().counts["route.corrected"]).toBe(1);
    expect((await router.route(unsure, terms)).decision).toMatchObject({ to: ["tester"] });
    expect(router.explain("review all the tests").candidates[0]).toMatchObject({ name: "tester", evidence: 35 });
    const unlike = router.explain("where are the tests").candidates.flatMap(({ because }) => because);
    expect(unlike).not.toContain("like an earlier correction +10");
    const correctOther = (number: number) => router.correct(`wholly other words ${number} x${number}`, "architect");
    for (let number = 0; number < 49; number++) correctOther(number);
    expect(router.explain(unsure).decision.to, "one of fifty").toEqual(["tester"]);
    correctOther(49);
    expect(router.explain(unsure).decision).toMatchObject({ to: ["inspector"], confidence: 0.6 });
    expect(() => router.correct("text", "engineer")).toThrow("no engineer to correct the route to");
  });

  it("asks a model only where the rules are not sure, takes its word for those who may answer, and tells its time apart [GUIDE-23]", async () => {
    let asked = 0;
    let says: "tester" | "engineer" | "archivalist" = "tester";
    let confidence = 0.92;
    const world = askWorld({
      classifyByModel: async () => {
        asked++;
        world.clock.advance(1_500);
        return { name: "acme/small", to: says, confidence };
      },
    });
    const router = world.open(sessionA);
    for (const sure of [where, "find the code"])
      expect((await router.route(sure, world.terms)).decision.by).toBe("rules");
    expect(asked).toBe(0);
    const { decision } = await router.route("hello", world.terms);
    expect(decision).toMatchObject({ by: "model", to: ["tester"], model: { name: "acme/small", ms: 1_500 } });
    confidence = 7;
    expect((await router.route("hello you", world.terms)).decision.confidence).toBe(1);
    confidence = 0.6;
    await expect(router.route("hello all", world.terms)).rejects.toMatchObject({ code: "route.unsure" });
    for (says of ["engineer", "archivalist"] as const)
      await expect(router.route("hello again", world.terms)).rejects.toMatchObject({ code: "route.unknown" });
  });
});

it("a model that fails leaves the rules' answer, which says so; a confirmation asks no model [GUIDE-23]", async () => {
  const asked: { readonly agents: readonly string[]; readonly question: unknown }[] = [];
  const { open, logged, terms } = askWorld({
    async classifyByModel(_, agents, { metadata: { question } }) {
      asked.push({ agents: names(agents), question });
      throw new Error("no key");
    },
  });
  const router = open(sessionA);
  const route = (text: string) => router.route(text, { ...terms, metadata: { question: text } });
  await expect(route(unsure)).rejects.toMatchObject({
    code: "route.unsure",
    message: expect.stringContaining("probably for inspector (0.60)") as string,
    details: { to: "inspector", classifier: "no key" },
  });
  await expect(route("hello")).rejects.toThrow(/No agent clearly matches this.*could not: no key/);
  expect(asked).toEqual([
    { agents: expect.not.arrayContaining(["archivalist"]) as string[], question: unsure },
    { agents: expect.arrayContaining(["librarian"]) as string[], question: "hello" },
  ]);
  expect(router.metrics().counts).toMatchObject({ "classifier.asked": 2, "classifier.failed": 2 });
  expect(logged.filter(({ event }) => event === "guide.unclassified")).toHaveLength(2);
  expect((await router.route(unsure, { ...terms, confirm: "tester" })).answers[0]!.from).toBe("tester");
  expect(asked).toHaveLength(2);
});

it("explains a route with the score of every candidate, also where a tag or a cache decides; sends and learns nothing", async () => {
  const { open, heard, terms } = askWorld();
  const router = open(sessionA);
  await router.route(where, terms);
  heard.length = 0;
  for (const text of [where, `@to:tester ${where}`, unsure]) {
    const { candidates } = router.explain(text);
    expect(candidates.map(({ name }) => name).sort()).toEqual([
      "architect",
      "archivalist",
      "inspector",
      "librarian",
      "tester",
    ]);
  }
  expect([heard, router.metrics().cachedRoutes]).toEqual([[], 1]);
});

it("goes by a shortcut to the agent that registered it here, and nowhere else [GUIDE-21]", async () => {
  const { guide, open, heard, terms } = askWorld();
  await open(sessionA).route("@find parseRoute", terms);
  expect(heard).toMatchObject([{ to: "librarian", payload: { text: "parseRoute", routedBy: "tag" } }]);
  guide.unregisterShared("librarian");
  await expect(open(sessionB).route("@find parseRoute", terms)).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(/"@find" is not a tag; use .*@recall/) as string,
  });
});

it.each([
  ["@from:librarian it is here", "marks an agent's reply"],
  ["@to:engineer do it", 'no agent "engineer"'],
  ["@guide:academic what is it", "there is no academic here; known: architect"],
])("refuses %j and says what there is instead [GUIDE-25]", async (text, message) => {
  const { open, terms, heard } = askWorld();
  const router = open(sessionA);
  router.register("engineer", echo("engineer", heard));
  await expect(router.route(text, terms)).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringContaining(message),
  });
  expect(heard).toEqual([]);
});
