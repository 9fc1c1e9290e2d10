import fc from "fast-check";
import { expect, it } from "vitest";
import type { Citation } from "../../contract/index.ts";
import { judgeClaim } from "./judge-claim.ts";
import { labelledClaims } from "./testkit.ts";
import { claimsOf } from "./write-answer.ts";

const names = ["Redis", "Postgres", "Kafka", "Envoy", "Consul", "Nomad"] as const;
const places = ["Frankfurt", "Dublin", "Oslo", "Madrid"] as const;
const verbs = ["stores", "sends", "copies", "checks"] as const;
const things = ["orders", "prices", "leases", "tokens"] as const;
const fact = fc.record({
  name: fc.constantFrom(...names),
  verb: fc.constantFrom(...verbs),
  number: fc.integer({ min: 2, max: 9_000 }),
  thing: fc.constantFrom(...things),
  place: fc.constantFrom(...places),
});
type Fact = { name: string; verb: string; number: number; thing: string; place: string };
const sentenceOf = ({ name, verb, number, thing, place }: Fact): string =>
  `${name} ${verb} ${number} ${thing} in ${place}.`;
/** Something that the source does not say, made from what it says. */
const changes: readonly ((told: Fact) => string)[] = [
  (told) => sentenceOf({ ...told, number: told.number + 1 }),
  (told) => sentenceOf({ ...told, name: "Zookeeper" }),
  (told) => sentenceOf({ ...told, place: "Lisbon" }),
  (told) => sentenceOf({ ...told, verb: "deletes" }),
  (told) => sentenceOf({ ...told, thing: "invoices" }),
  (told) => sentenceOf(told).replace(told.verb, `never ${told.verb}`),
  (told) => sentenceOf(told).replace(".", " at most."),
  (told) => sentenceOf(told).replace(".", " every Monday."),
  (told) => `“${sentenceOf({ ...told, number: told.number + 1 })}”`,
  (told) => `The source says "${told.name} ${told.verb} everything".`,
  (told) => `${told.place} ${told.verb} ${told.number} ${told.thing} in ${told.name}.`,
];

it("what is invented is never quoted or supported; what the source says always is [ACA-28]", () => {
  fc.assert(
    fc.property(fc.array(fact, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (facts, which, how) => {
      const told = facts[which % facts.length]!;
      const source = facts.map(sentenceOf).join(" ");
      const invented = changes[how % changes.length]!(told);
      const isSaidAnyway = facts.some((one) => invented === sentenceOf(one) || invented === `“${sentenceOf(one)}”`);
      fc.pre(!isSaidAnyway);
      expect(judgeClaim(invented, source).kind).toBe("unsupported");
      expect(judgeClaim(sentenceOf(told), source)).toEqual({ kind: "supported", evidence: sentenceOf(told) });
      expect(judgeClaim(`“${sentenceOf(told)}”`, source).kind).toBe("quoted");
    }),
  );
});

it("a citation that is not there never supports, whatever the sentence says [ACA-28]", () => {
  fc.assert(
    fc.property(fc.array(fact, { minLength: 1, maxLength: 4 }), fc.integer({ min: 5, max: 999 }), (facts, number) => {
      const citations = facts.map((one, index) => ({ number: index + 1, text: sentenceOf(one) }) as Citation);
      const answer = facts.map((one) => sentenceOf(one).replace(".", ` [${number}].`)).join(" ");
      for (const { kind } of claimsOf(answer, citations)) expect(kind).toBe("unsupported");
    }),
  );
});

it("no text breaks the judge, and white space alone changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 }), (claim, source) => {
      expect(["quoted", "supported", "unsupported"]).toContain(judgeClaim(claim, source).kind);
    }),
  );
  expect(judgeClaim("“A b”", "x A\n\tb y").kind).toBe("quoted");
});

it("of the labelled claims none counts as supported that its source does not say, and most that are said count [ACA-28]", () => {
  const judged = labelledClaims.map(({ claim, source, isSaid }) => ({
    claim,
    isSaid,
    kind: judgeClaim(claim, source).kind,
  }));
  const supported = judged.filter(({ kind }) => kind === "supported");
  expect(labelledClaims.length).toBeGreaterThanOrEqual(400);
  expect(supported.filter(({ isSaid }) => !isSaid).map(({ claim }) => claim)).toEqual([]);
  expect(supported.length / judged.filter(({ isSaid }) => isSaid).length).toBeGreaterThan(0.85);
});

it("one word of a sentence exchanged, added, doubled or moved, and it is supported no more [ACA-28]", () => {
  const sentences = labelledClaims.flatMap(({ source, claim, isSaid }) =>
    isSaid && judgeClaim(claim, source).kind === "supported" ? [{ source, words: claim.split(" ") }] : [],
  );
  const strange = [
    "penguin",
    "not",
    "never",
    "only",
    "all",
    "some",
    "may",
    "must",
    "less",
    "7",
    "minutes",
    "by",
  ] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...sentences),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...strange),
      fc.constantFrom("exchange", "add", "move"),
      ({ source, words }, one, other, word, how) => {
        const [from, to] = [one % words.length, other % words.length];
        const changed =
          how === "exchange"
            ? words.with(from, word)
            : how === "add"
              ? words.toSpliced(from, 0, word)
              : words.toSpliced(from, 1).toSpliced(to, 0, words[from]!);
        const plain = (some: readonly string[]) =>
          some
            .map((each) => each.toLowerCase().replaceAll(/[.,;]/g, ""))
            .filter((each) => !/^(?:an?|the|its|their)$/.test(each))
            .join(" ");
        const text = changed.join(" ");
        fc.pre(plain(changed) !== plain(words) && !plain(source.split(" ")).includes(plain(changed)));
        const isTurnedAbout = text.includes(",") || source.includes(",");
        fc.pre(!isTurnedAbout);
        expect([text, judgeClaim(text, source).kind]).toEqual([text, "unsupported"]);
      },
    ),
    { numRuns: 500 },
  );
});
