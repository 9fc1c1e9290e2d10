import fc from "fast-check";
import { expect, it } from "vitest";
import { decideSweep, type SweepSnapshot } from "./decide-sweep.ts";

/** The decision looks at ids, parents, holders and owners alone; a parent is older than its child. */
const leftMs = fc.integer({ min: -1_000, max: 1_000 });
const agents = fc
  .array(fc.record({ leftMs, processGone: fc.boolean(), parent: fc.option(fc.nat(7)) }), { maxLength: 8 })
  .map((entries) =>
    entries.map(({ parent, ...entry }, index) => ({
      ...entry,
      record: { id: `agt-${index}`, parent: parent !== null && parent < index ? `agt-${parent}` : undefined } as never,
    })),
  );
const held = fc.array(fc.record({ leftMs, by: fc.nat(7) }), { maxLength: 8 }).map((entries) =>
  entries.map(({ by, ...entry }, index) => ({
    ...entry,
    record: { id: `item-${index}`, holder: { id: `agt-${by}` }, owner: { id: `agt-${by}` } } as never,
  })),
);
const snapshot: fc.Arbitrary<SweepSnapshot> = fc.record({ agents, reservations: held, claims: held });

/** Written again, from the sentence: gone by itself, or anybody above it is. */
function isGone(snapshot: SweepSnapshot, id: string | undefined): boolean {
  const entry = snapshot.agents.find(({ record }) => record.id === id);
  return entry !== undefined && (entry.processGone || entry.leftMs <= 0 || isGone(snapshot, entry.record.parent));
}
const keyOf = ({ id }: { readonly id: string }): string => id;

it("takes offline exactly who is gone, silent, or below such a one, each once and with the nearest reason [IDN-5]", () => {
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const { offline } = decideSweep(snapshot);
      const expected = snapshot.agents.filter(({ record }) => isGone(snapshot, record.id));
      expect(offline.map(({ record }) => record.id).toSorted()).toEqual(
        expected.map(({ record }) => record.id).toSorted(),
      );
      for (const { record, reason } of offline) {
        const { processGone, leftMs: left } = snapshot.agents.find((entry) => entry.record === record)!;
        expect(reason).toBe(processGone ? "process-gone" : left <= 0 ? "silent" : "parent-offline");
      }
    }),
  );
});

it("frees exactly what has no time left of those who stay, in order, and nothing else", () => {
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const { expired, unclaimed } = decideSweep(snapshot);
      const isDue = (leftMs: number, agent: string | undefined) => leftMs <= 0 && !isGone(snapshot, agent);
      const reservations = snapshot.reservations.filter(({ leftMs: left, record }) => isDue(left, record.holder.id));
      const claims = snapshot.claims.filter(({ leftMs: left, record }) => isDue(left, record.owner?.id));
      expect(expired.map(keyOf)).toEqual(reservations.map(({ record }) => keyOf(record)));
      expect(unclaimed.map(keyOf)).toEqual(claims.map(({ record }) => keyOf(record)));
    }),
  );
});

it("looks again exactly when the first of the others runs out, and never when there is none", () => {
  fc.assert(
    fc.property(snapshot, (snapshot) => {
      const holderOf = (record: unknown) => (record as { holder: { id: string } }).holder.id;
      const remaining = [
        ...snapshot.agents.filter(({ record }) => !isGone(snapshot, record.id)),
        ...[...snapshot.reservations, ...snapshot.claims].filter(({ record }) => !isGone(snapshot, holderOf(record))),
      ].flatMap((entry) => (entry.leftMs > 0 ? [entry.leftMs] : []));
      expect(decideSweep(snapshot).nextInMs).toBe(remaining.length === 0 ? undefined : Math.min(...remaining));
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
