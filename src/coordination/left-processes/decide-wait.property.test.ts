import fc from "fast-check";
import { expect, it } from "vitest";
import { decideWait } from "./decide-wait.ts";

const situation = fc.record({
  mode: fc.constantFrom("wait" as const, "end" as const),
  running: fc.nat(3),
  waitedMs: fc.nat(60_000),
  waitMs: fc.nat(60_000),
});

it("releases as soon as nothing runs and at the limit, never before, and signals only where that is set", () => {
  fc.assert(
    fc.property(situation, (one) => {
      const decision = decideWait(one);
      const { mode, running, waitedMs, waitMs } = one;
      expect(decision.do === "release").toBe(running === 0 || waitedMs >= waitMs);
      if (decision.do === "release") expect(decision.how).toBe(running === 0 ? "ended" : "still-running");
      expect(decision.do === "signal").toBe(mode === "end" && running > 0 && waitedMs < waitMs);
    }),
    { numRuns: 500 },
  );
});

it("asks politely first, and ends them before the limit", () => {
  const at = (waitedMs: number, waitMs: number) => decideWait({ mode: "end", running: 1, waitedMs, waitMs });
  expect([at(0, 30_000), at(4_999, 30_000), at(5_000, 30_000)]).toMatchObject([
    { signal: "SIGTERM" },
    { signal: "SIGTERM" },
    { signal: "SIGKILL" },
  ]);
  expect(at(1_000, 2_000)).toMatchObject({ signal: "SIGKILL" });
});
