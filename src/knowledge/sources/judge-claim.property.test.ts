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

it("of the labelled claims that count as supported nearly all are, and most of those that are said count", () => {
  const judged = labelledClaims.map(({ claim, source, isSaid }) => ({
    claim,
    isSaid,
    kind: judgeClaim(claim, source).kind,
  }));
  const supported = judged.filter(({ kind }) => kind === "supported");
  expect(labelledClaims.length).toBeGreaterThanOrEqual(60);
  // A sentence without the words "in write-ahead mode" says more than its source.
  expect(supported.filter(({ isSaid }) => !isSaid).map(({ claim }) => claim)).toEqual(["Readers do not block writers"]);
  expect(supported.filter(({ isSaid }) => isSaid).length / supported.length).toBeGreaterThan(0.95);
  expect(supported.length / judged.filter(({ isSaid }) => isSaid).length).toBeGreaterThan(0.8);
});
