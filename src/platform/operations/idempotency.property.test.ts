import fc from "fast-check";
import { expect, it } from "vitest";
import { hashInput } from "./idempotency.ts";

const json = fc.jsonValue({ maxDepth: 4 });

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reordered(field)]),
  );
}

it("does not depend on the order of keys, at any depth [CORE-12]", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(hashInput(reordered(value))).toBe(hashInput(value));
    }),
  );
});

it("tells different bodies apart [CORE-12]", () => {
  const plain = (value: unknown) => JSON.stringify(sorted(value));
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(hashInput(one) === hashInput(other)).toBe(plain(one) === plain(other));
    }),
  );
});

it("takes a field that is undefined for one that is missing, as JSON does", () => {
  expect(hashInput({ a: 1, b: undefined })).toBe(hashInput({ a: 1 }));
  expect(hashInput({ a: 1, b: null })).not.toBe(hashInput({ a: 1 }));
});

/** An independent canonical form: entries as pairs, sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return { list: value.map(sorted) };
  if (value === null || typeof value !== "object") return value;
  return {
    pairs: Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted((value as Record<string, unknown>)[name])]),
  };
}
