/** What routing costs, counted in work instead of time; bench/benches/guide.ts measures the same calls. */
import { expect, it } from "vitest";
import { standardCards } from "./routing/standard-cards.ts";
import { askWorld, echo, guideWorld, sessionA } from "./testkit.ts";

/** Counts how often it is tried. */
class CountedPattern extends RegExp {
  tried = 0;
  override test(text: string): boolean {
    this.tried++;
    return super.test(text);
  }
}

function counted(patterns = 3) {
  let asked = 0;
  const world = guideWorld({
    classifyByModel: async () => {
      asked++;
      return undefined;
    },
  });
  const router = world.guide.open(sessionA);
  const tried = Array.from({ length: patterns }, () => new CountedPattern("never there"));
  router.register({ ...standardCards.librarian, patterns: [/\bwhere is\b/] }, echo("librarian"));
  router.register({ ...standardCards.tester, patterns: tried }, echo("tester"));
  return { ...world, router, tries: () => tried.map((pattern) => pattern.tried), asked: () => asked };
}

it("a cache hit classifies nothing and asks no model, whatever the number of patterns", async () => {
  const { router, terms, tries, asked } = counted();
  await router.route("where is the code of it?", terms);
  expect(tries()).toEqual([1, 1, 1]);
  for (let time = 0; time < 100; time++) await router.route("where is the code of it?", terms);
  expect([tries(), asked(), router.metrics().counts["routed.session-cache"]]).toEqual([[1, 1, 1], 0, 100]);
});

it("classification tries every pattern once for a text, and a model only where that is not enough", async () => {
  const { router, terms, tries, asked } = counted();
  for (let text = 0; text < 100; text++) await router.route(`where is the code of ${text}?`, terms);
  expect([tries(), asked()]).toEqual([[100, 100, 100], 0]);
  await expect(router.route("hello", terms)).rejects.toMatchObject({ code: "route.unknown" });
  expect([tries(), asked()]).toEqual([[101, 101, 101], 1]);
});

it("a thousand messages at once are all answered, recorded twice each, and nothing is left of them", async () => {
  const { open, recorded, clock, terms } = askWorld();
  const router = open(sessionA);
  const asked = Array.from({ length: 1_000 }, (_, number) =>
    router.ask("user", "librarian", "USER_INPUT", { text: String(number) }, terms),
  );
  const answers = await Promise.all(asked);
  expect(answers.map(({ payload }) => "text" in payload && payload.text)).toEqual(
    asked.map((_, number) => `librarian: ${number}`),
  );
  expect([recorded.length, router.pending().length, clock.pendingTimers()]).toEqual([2_000, 0, 0]);
});
