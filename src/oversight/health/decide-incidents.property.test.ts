import fc from "fast-check";
import { expect, it } from "vitest";
import { decideIncidents, type HealthState, noTrouble } from "./decide-incidents.ts";
import type { Report } from "./report.ts";

const reports = fc.array(
  fc.record({
    kind: fc.constantFrom("hook", "agent", "provider", "daemon"),
    component: fc.constantFrom("a", "b", "c"),
    agent: fc.option(fc.constantFrom({ id: "x", name: "x" }, { id: "y", name: "y" }), { nil: undefined }),
    outcome: fc.constantFrom("ok", "failed", "timed-out", "degraded", "edit-without-read", "unguarded"),
    error: fc.constantFrom("disk is full", "database is locked", "oops 1", "oops 2", "daemon down", "", undefined),
    at: fc.nat({ max: 3 * 3_600_000 }),
  }),
  { maxLength: 60 },
) satisfies fc.Arbitrary<readonly Report[]>;

function inOrder(given: readonly Report[]): readonly Report[] {
  return [...given].sort((a, b) => a.at - b.at);
}

function decideAll(given: readonly Report[], each: (state: HealthState) => void = () => {}): HealthState {
  let state = noTrouble;
  for (const report of given) {
    state = decideIncidents(state, report, report.at).state;
    each(state);
  }
  return state;
}

it("never has two open incidents for one key, and their times and counts add up [HLTH-3]", () => {
  fc.assert(
    fc.property(reports, (given) => {
      decideAll(inOrder(given), ({ incidents }) => {
        expect(new Set(incidents.map(({ key }) => key)).size).toBe(incidents.length);
        for (const { openedAt, lastFailureAt, failures, components, escalatedAt } of incidents) {
          expect(openedAt).toBeLessThanOrEqual(lastFailureAt);
          expect(failures).toBeGreaterThanOrEqual(components.length);
          if (escalatedAt !== undefined) expect(escalatedAt).toBeGreaterThanOrEqual(openedAt);
        }
      });
    }),
  );
});

it("opens an incident for every cause that two components meet within a minute [HLTH-3]", () => {
  fc.assert(
    fc.property(reports, (given) => {
      const failures = inOrder(given).filter(({ outcome }) => outcome === "failed");
      const opened = new Set<string>();
      let state = noTrouble;
      for (const report of failures) {
        const decision = decideIncidents(state, report, report.at);
        state = decision.state;
        for (const { what, incident } of decision.changes) if (what === "opened") opened.add(incident.cause);
      }
      for (const [error, cause] of [
        ["disk is full", "disk-full"],
        ["database is locked", "store-locked"],
      ] as const) {
        const own = failures.filter((report) => report.error === error);
        const met = own.some((one) =>
          own.some((other) => Math.abs(one.at - other.at) <= 60_000 && keyOf(one) !== keyOf(other)),
        );
        if (met) expect(opened).toContain(cause);
      }
    }),
  );
});

function keyOf({ kind, component, agent }: Report): string {
  return `${kind} ${component} ${agent?.id}`;
}

it("escalates exactly what fails more than three times within five minutes, in whatever order it is told [HLTH-4]", () => {
  const times = fc.array(fc.nat({ max: 30 * 60_000 }), { maxLength: 12 });
  fc.assert(
    fc.property(times, (given) => {
      const told = given.map((at): Report => ({ kind: "hook", component: "a", outcome: "failed", error: "oops", at }));
      let state = noTrouble;
      for (const report of told) state = decideIncidents(state, report, 30 * 60_000).state;
      const expected = given.some((begin) => given.filter((at) => at >= begin && at < begin + 300_000).length > 3);
      expect(state.incidents.some(({ escalatedAt }) => escalatedAt !== undefined)).toBe(expected);
    }),
  );
});

it("resolves everything in the end: nothing stays open for ever without a report [HLTH-4]", () => {
  fc.assert(
    fc.property(reports, (given) => {
      const state = decideAll(inOrder(given));
      const weeks = 8 * 24 * 3_600_000 + 3 * 3_600_000;
      expect(decideIncidents(state, undefined, weeks).state.incidents).toEqual([]);
    }),
  );
});

it("reads hostile words without failing [HLTH-3]", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (error) => {
      const report: Report = { kind: "tool", component: "t", outcome: "failed", error, at: 1 };
      expect(decideIncidents(noTrouble, report, 1).state.failures).toHaveLength(1);
    }),
  );
});
