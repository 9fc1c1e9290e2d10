import { expect, it } from "vitest";
import { situationLine } from "./situation.ts";

it("says that the agent is alone only after a look, and why it is not known otherwise [HLTH-9]", () => {
  expect(situationLine({ others: [], incidents: [] })).toBe("no other agents");
  expect(situationLine({ others: { unknown: "the disk is full" }, incidents: [] })).toBe(
    "who else is here is unknown: the disk is full",
  );
});

it("tells names, what is not enforced and what is unresolved, in one line [HLTH-5, HLTH-7]", () => {
  const others = ["a", "b", "c", "d", "e", "f", "g"];
  expect(
    situationLine({ others, notEnforced: "the store is read-only", incidents: ["disk full: x", "daemon down: y"] }),
  ).toBe(
    '7 other agents: a, b, c, d, e and 2 more; coordination is NOT enforced: the store is read-only; 2 unresolved incidents: disk full: x (and 1 more); "sylk health" has the details',
  );
});
