import fc from "fast-check";
import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { askWorld } from "./testkit.ts";

const texts = [
  "where is the total computed?",
  "what did we try last week?",
  "how should we design discounts?",
  "find the code",
] as const;
const sessions = ["a", "b", "c"].map((name) => `ses_000000000000000000000${name}` as SessionId);

type Step = { readonly session: number; readonly text: number; readonly correct: boolean };
const step: fc.Arbitrary<Step> = fc.record({
  session: fc.nat(sessions.length - 1),
  text: fc.nat(texts.length - 1),
  correct: fc.boolean(),
});

/** What one session learnt from itself alone decides; asked beside others or alone, it goes to the same role. */
it("route caches are each session's own: what others ask and correct, at the same time, changes no other's routes [GUIDE-27, SM-12]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 24 }), async (steps) => {
      const together = askWorld();
      const routers = sessions.map((session) => together.open(session));
      const seen = await Promise.all(
        sessions.map(async (_, index) =>
          play(
            routers[index]!,
            steps.filter(({ session }) => session === index),
            together.terms,
          ),
        ),
      );
      for (const [index, session] of sessions.entries()) {
        const alone = askWorld();
        const expected = await play(
          alone.open(session),
          steps.filter((each) => each.session === index),
          alone.terms,
        );
        expect(seen[index]).toEqual(expected);
        expect(routers[index]!.metrics().cachedRoutes).toBe(alone.guide.get(session)!.metrics().cachedRoutes);
      }
    }),
    { numRuns: 100 },
  );
});

async function play(
  router: ReturnType<ReturnType<typeof askWorld>["open"]>,
  steps: readonly Step[],
  terms: ReturnType<typeof askWorld>["terms"],
): Promise<readonly string[]> {
  const went: string[] = [];
  for (const { text, correct } of steps) {
    const { decision, session } = await router.route(texts[text]!, {
      ...terms,
      ...(correct ? { confirm: "tester" as const } : {}),
    });
    // From its own cache exactly when it has asked before; the global one only stands in for the rules.
    went.push(`${session} ${decision.to.join()} ${decision.by === "session-cache" ? "own" : "new"}`);
  }
  return went;
}
