import { expect, it } from "vitest";
import { simulation } from "./simulate.ts";

const terms = {
  agents: [1, 2, 6],
  minutes: 30,
  seed: 7,
  off: [],
  rhythm: { ...simulation.rhythms.sprint!, areas: 1, filesPerArea: 4 },
  rhythmName: "sprint",
} as const;
const watching = { onProgress: () => {}, signal: new AbortController().signal };

it("gives the same result to the last byte for the same seed, and another for another seed [LOAD-1]", async () => {
  const [first, again, other] = [
    await simulation.simulate(terms, watching),
    await simulation.simulate(terms, watching),
    await simulation.simulate({ ...terms, seed: 8 }, watching),
  ];
  expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  expect(JSON.stringify(other.measurements)).not.toBe(JSON.stringify(first.measurements));
  expect(first.measurements.map(({ agents }) => agents)).toEqual([1, 2, 6]);
});
