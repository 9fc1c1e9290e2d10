import fc from "fast-check";
import { expect, it } from "vitest";
import { createHeap } from "./binary-heap.ts";

it("gives what a sorted list would give, however pushes and pops interleave", () => {
  const step = fc.oneof(fc.nat(50), fc.constant("pop" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      const heap = createHeap<number>((a, b) => a < b);
      const sorted: number[] = [];
      for (const step of steps) {
        if (step === "pop") expect(heap.pop()).toBe(sorted.shift());
        else {
          heap.push(step);
          sorted.push(step);
          sorted.sort((a, b) => a - b);
        }
        expect(heap.peek()).toBe(sorted[0]);
      }
    }),
  );
});

it("costs a step or two for each of 100,000 items that come in order", () => {
  const heap = createHeap<number>((a, b) => a < b);
  for (let item = 0; item < 100_000; item++) heap.push(item);
  for (let item = 0; item < 100_000; item++) heap.pop();
  expect([heap.pop(), heap.steps <= 200_000]).toEqual([undefined, true]);
});
