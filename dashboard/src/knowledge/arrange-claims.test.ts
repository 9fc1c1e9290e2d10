import { expect, it } from "vitest";
import type { Citation } from "../daemon/contract.ts";
import { arrangeClaims, citedPlace } from "./arrange-claims.ts";

const cited = { number: 2, location: "leases.md", lines: { from: 5, to: 8 } } as Citation;

it("puts the sentence of the source beside a claim, and the reason beside one that no source bears out [DASH-8]", () => {
  const drawn = arrangeClaims(
    [
      { text: "A", kind: "quoted", citation: 2, evidence: "A." },
      { text: "B", kind: "unsupported", evidence: "Not B.", reason: "the source denies it" },
      { text: "C", kind: "supported", citation: 9, evidence: "C!" },
    ],
    [cited],
  );
  expect(drawn.map(({ beside }) => beside)).toEqual(["A.", "the source denies it", "C!"]);
  expect(drawn.map(({ citation }) => citation)).toEqual([cited, undefined, undefined]);
  expect(new Set(drawn.map(({ shape }) => shape)).size).toBe(3);
  expect([citedPlace(cited), citedPlace({ ...cited, lines: { from: 5, to: 5 } })]).toEqual([
    "leases.md:5-8",
    "leases.md:5",
  ]);
});
