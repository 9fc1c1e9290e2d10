import fc from "fast-check";
import { expect, it } from "vitest";
import { largestFunction } from "./largest-function.ts";

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = (id: number, content: readonly number[]) => [id, ...numberOf(content.length), ...content];
const code = (...sizes: readonly number[]) =>
  section(10, [
    ...numberOf(sizes.length),
    ...sizes.flatMap((size) => [...numberOf(size), ...Array<number>(size).fill(0x0a)]),
  ]);

function numberOf(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberOf(value >>> 7)];
}

it("finds the largest function, whatever other sections say", () => {
  expect(
    largestFunction(Uint8Array.from([...header, ...section(0, [10, 5, 1]), ...code(3, 300, 7), ...section(11, [1])])),
  ).toBe(300);
  expect(largestFunction(Uint8Array.from(header))).toBe(0);
});

it("ends on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(largestFunction(bytes)).toBeGreaterThanOrEqual(0);
    }),
  );
});
