import fc from "fast-check";
import { expect, it } from "vitest";
import { addedUp, counted, type Counters, noCounters, viewOf } from "./counters.ts";
import type { Report } from "./report.ts";

const outcome = fc.constantFrom("ok", "failed", "timed-out", "degraded", "edit-without-read", "unguarded");
const reports = fc.array(
  fc.record({
    kind: fc.constant("tool"),
    component: fc.constant("Edit"),
    outcome,
    ms: fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
    at: fc.nat(),
  }),
  { minLength: 1, maxLength: 100 },
) satisfies fc.Arbitrary<readonly Report[]>;

function countAll(given: readonly Report[]): Counters {
  return given.reduce(counted, noCounters(given[0]!));
}

it("counts every outcome with its denominator, and estimates the p95 within a factor of two [HLTH-1, HLTH-8]", () => {
  fc.assert(
    fc.property(reports, (given) => {
      const of = (wanted: Report["outcome"]) => given.filter((report) => report.outcome === wanted).length;
      const view = viewOf(countAll(given));
      expect(view).toMatchObject({
        calls: given.length,
        failures: of("failed"),
        timeouts: of("timed-out"),
        degraded: of("degraded"),
        editsWithoutRead: of("edit-without-read"),
        unguarded: of("unguarded"),
      });
      const times = given.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b);
      expect(view.latency === undefined).toBe(times.length === 0);
      if (times.length === 0) return;
      const exact = times[Math.ceil(times.length * 0.95) - 1]!;
      expect(view.latency!.p95Ms).toBeGreaterThanOrEqual(exact);
      expect(view.latency!.p95Ms).toBeLessThanOrEqual(Math.max(1, 2 * exact));
      expect(view.latency).toMatchObject({ count: times.length, maxMs: times.at(-1) });
    }),
  );
});

it("adds up to the same whether it was counted in one life or in two [HLTH-1]", () => {
  fc.assert(
    fc.property(reports, fc.nat(), (given, cut) => {
      const [before, after] = [given.slice(0, cut % given.length), given.slice(cut % given.length)];
      const { lastError: _one, ...together } = addedUp(
        before.length === 0 ? noCounters(after[0]!) : countAll(before),
        countAll(after),
      );
      const { lastError: _other, ...once } = countAll(given);
      expect(together).toEqual(once);
    }),
  );
});
