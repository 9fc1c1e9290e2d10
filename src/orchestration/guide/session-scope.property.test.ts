import fc from "fast-check";
import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { standardCards } from "./routing/standard-cards.ts";
import { echo, guideWorld, names } from "./testkit.ts";

const sessions = ["a", "b", "c"].map((name) => `ses_000000000000000000000${name}` as SessionId);
const roles = ["architect", "inspector", "tester"] as const;
/** No rule knows whom these are for. */
const texts = ["hm, the cart", "so, the till"] as const;

/** What one session does: who answers there, whom it learns to ask, what it waits for. */
const deeds = fc.record({
  own: fc.shuffledSubarray([...roles], { minLength: 2 }),
  learns: fc.uniqueArray(fc.tuple(fc.constantFrom(...texts), fc.nat(1)), { selector: ([text]) => text }),
  asks: fc.nat(3),
});
type Deeds = typeof deeds extends fc.Arbitrary<infer Value> ? Value : never;
type World = ReturnType<typeof guideWorld>;

async function act({ guide, terms }: World, session: SessionId, { own, learns, asks }: Deeds): Promise<void> {
  const router = guide.open(session);
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  for (const role of own) {
    router.register(standardCards[role], echo(role));
    await pause();
  }
  router.register("academic", () => new Promise(() => {}));
  for (const [text, which] of learns) {
    router.correct(text, own[which % own.length]!);
    await router.route(text, terms);
    await pause();
  }
  for (let asked = 0; asked < asks; asked++) {
    router.ask("architect", "academic", "RESEARCH_REQUEST", { question: session }, terms).catch(() => {});
    await pause();
  }
}

const seen = ({ guide }: World, session: SessionId) => {
  const router = guide.open(session);
  return {
    agents: names(router.agents()),
    routes: texts.map((text) => router.explain(text).decision.to),
    cached: router.metrics().cachedRoutes,
    pending: router.pending().map((message) => [message.session, message.payload.question]),
  };
};

it("each session has its own agents, learnt routes and pending requests, while all work at once [SM-10, SM-11, SM-13]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(deeds, deeds, deeds), async (all) => {
      const together = guideWorld();
      await Promise.all(sessions.map((session, index) => act(together, session, all[index]!)));
      for (const [index, session] of sessions.entries()) {
        const alone = guideWorld();
        await act(alone, session, all[index]!);
        const own = seen(together, session);
        expect(own).toEqual(seen(alone, session));
        const learnt = new Map(
          all[index]!.learns.map(([text, which]) => [text, own.agents[which % all[index]!.own.length]!]),
        );
        expect(own.routes).toEqual(texts.map((text) => (learnt.has(text) ? [learnt.get(text)] : [])));
        expect(own.pending).toEqual(Array.from({ length: all[index]!.asks }, () => [session, session]));
        alone.guide.closeAll();
      }
      const [first, ...others] = sessions.map((session) => together.guide.open(session));
      const answer = { type: "RESEARCH_RESPONSE", payload: {} } as never;
      for (const { correlationId } of first!.pending())
        for (const router of others) expect(router.reply(correlationId, "academic", answer)).toBe(false);
      expect(first!.pending()).toHaveLength(all[0].asks);
      together.guide.closeAll();
    }),
    { numRuns: 12 },
  );
});
