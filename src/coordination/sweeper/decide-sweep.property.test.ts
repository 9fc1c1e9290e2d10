import fc from "fast-check";
import { expect, it } from "vitest";
import { decideSweep, type SweepSnapshot } from "./decide-sweep.ts";

/** The decision looks at nothing of a record, so a name will do. */
const entries = fc
  .array(fc.integer({ min: -1_000, max: 1_000 }), { maxLength: 8 })
  .map((lefts) => lefts.map((leftMs, index) => ({ record: `record-${index}` as never, leftMs })));
const snapshot: fc.Arbitrary<SweepSnapshot> = fc.record({ agents: entries, reservations: entries, claims: entries });

const kinds = [
  ["agents", "silent"],
  ["reservations", "expired"],
  ["claims", "unclaimed"],
] as const;

it("frees exactly what has no time left, in order, and nothing else", () => {
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const decision = decideSweep(snapshot);
      for (const [kind, fate] of kinds)
        expect(decision[fate]).toEqual(snapshot[kind].filter(({ leftMs }) => leftMs <= 0).map(({ record }) => record));
    }),
  );
});

it("looks again exactly when the first of the others runs out, and never when there is none", () => {
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const remaining = kinds.flatMap(([kind]) => snapshot[kind].map(({ leftMs }) => leftMs)).filter((ms) => ms > 0);
      const { nextInMs } = decideSweep(snapshot);
      expect(nextInMs).toBe(remaining.length === 0 ? undefined : Math.min(...remaining));
    }),
  );
});

it("has nothing left to do after its own decision, until the time it named", () => {
  const minus = (snapshot: SweepSnapshot, ms: number): SweepSnapshot => {
    const later = <Entry extends { readonly leftMs: number }>(entries: readonly Entry[]) =>
      entries.filter(({ leftMs }) => leftMs > 0).map((entry) => ({ ...entry, leftMs: entry.leftMs - ms }));
    return {
      agents: later(snapshot.agents),
      reservations: later(snapshot.reservations),
      claims: later(snapshot.claims),
    };
  };
  const freedBy = (snapshot: SweepSnapshot) => {
    const { silent, expired, unclaimed } = decideSweep(snapshot);
    return silent.length + expired.length + unclaimed.length;
  };
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const { nextInMs } = decideSweep(snapshot);
      expect(freedBy(minus(snapshot, 0))).toBe(0);
      if (nextInMs === undefined) return;
      expect(freedBy(minus(snapshot, nextInMs - 1))).toBe(0);
      expect(freedBy(minus(snapshot, nextInMs))).toBeGreaterThan(0);
    }),
  );
});

it("changes nothing of what it looks at", () => {
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const before = structuredClone(snapshot);
      decideSweep(snapshot);
      expect(snapshot).toEqual(before);
    }),
  );
});
