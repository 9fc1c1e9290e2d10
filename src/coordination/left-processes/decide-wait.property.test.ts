import fc from "fast-check";
import { expect, it } from "vitest";
import { decideWait } from "./decide-wait.ts";

const situation = fc.record({
  mode: fc.constantFrom("wait" as const, "end" as const),
  running: fc.nat(3),
  waitedMs: fc.nat(100_000_000),
});

it("releases as soon as nothing runs, never before, and signals only where that is set", () => {
  fc.assert(
    fc.property(situation, (one) => {
      const decision = decideWait(one);
      expect(decision.do === "release").toBe(one.running === 0);
      expect(decision.do === "signal").toBe(one.mode === "end" && one.running > 0);
    }),
    { numRuns: 500 },
  );
});

it("asks politely first, and ends them after five seconds", () => {
  const at = (waitedMs: number) => decideWait({ mode: "end", running: 1, waitedMs });
  expect([at(0), at(4_999), at(5_000)]).toMatchObject([
    { signal: "SIGTERM" },
    { signal: "SIGTERM" },
    { signal: "SIGKILL" },
  ]);
});
