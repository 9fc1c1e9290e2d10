import fc from "fast-check";
import { expect, it } from "vitest";
import { logEvent } from "./testkit.ts";
import { emptyLog, endOf, holesIn, markRemoved, mergePage, trimLog } from "./merge-events.ts";

const sequencesOf = (log: { readonly events: readonly { readonly sequence: number }[] }) =>
  log.events.map(({ sequence }) => sequence);

/** A log of `length` events of which a filter lets some pass, read in random windows in random order. */
const reading = fc.integer({ min: 1, max: 60 }).chain((length) =>
  fc.record({
    length: fc.constant(length),
    passes: fc.array(fc.boolean(), { minLength: length, maxLength: length }),
    windows: fc.array(fc.tuple(fc.integer({ min: 0, max: length }), fc.integer({ min: 0, max: length })), {
      maxLength: 30,
    }),
  }),
);

it("holds each event of what was read once and in order, however pages and live batches arrive [DASH-11, DASH-12]", () => {
  fc.assert(
    fc.property(reading, ({ length, passes, windows }) => {
      const all = Array.from({ length }, (_, index) => logEvent(index + 1)).filter((_, index) => passes[index]);
      let log = emptyLog;
      const covered = new Set<number>();
      for (const [one, other] of windows) {
        const [after, upTo] = [Math.min(one, other), Math.max(one, other)];
        const events = all.filter(({ sequence }) => sequence > after && sequence <= upTo);
        log = mergePage(log, { after, upTo, events });
        for (let sequence = after + 1; sequence <= upTo; sequence++) covered.add(sequence);
      }
      expect(sequencesOf(log)).toEqual(sequencesOf({ events: all.filter(({ sequence }) => covered.has(sequence)) }));
      // What is neither covered nor in a hole lies outside: reading the holes completes the log.
      for (const { after, upTo } of holesIn(log, 0)) {
        for (let sequence = after + 1; sequence <= upTo; sequence++) expect(covered.has(sequence)).toBe(false);
        log = mergePage(log, {
          after,
          upTo,
          events: all.filter(({ sequence }) => sequence > after && sequence <= upTo),
        });
      }
      expect(sequencesOf(log)).toEqual(sequencesOf({ events: all }).filter((sequence) => sequence <= endOf(log)));
      expect(holesIn(log, 0)).toEqual([]);
    }),
  );
});

it("shows what retention removed as a gap, and keeps what was read before [DASH-11]", () => {
  const page = (after: number, ...sequences: number[]) => ({
    after,
    upTo: sequences.at(-1)!,
    events: sequences.map((sequence) => logEvent(sequence)),
  });
  const log = mergePage(mergePage(emptyLog, page(2, 3, 4)), page(8, 9, 10));
  expect(holesIn(log)).toEqual([{ after: 4, upTo: 8 }]);
  const cut = markRemoved(log, 6);
  expect(cut.removed).toEqual([
    { after: 0, upTo: 2 },
    { after: 4, upTo: 6 },
  ]);
  expect(holesIn(cut)).toEqual([{ after: 6, upTo: 8 }]);
  expect(sequencesOf(cut)).toEqual([3, 4, 9, 10]);
});

it("lets go of one end when it holds too many, and knows that it has to be read again [DASH-16]", () => {
  const events = Array.from({ length: 50 }, (_, index) => logEvent(index + 1));
  const log = mergePage(emptyLog, { after: 0, upTo: 60, events });
  const newest = trimLog(log, 20, "newest");
  expect([newest.events.length, newest.ranges]).toEqual([20, [{ after: 30, upTo: 60 }]]);
  const oldest = trimLog(log, 20, "oldest");
  expect([oldest.events.length, oldest.ranges]).toEqual([20, [{ after: 0, upTo: 20 }]]);
  expect(trimLog(log, 50, "newest")).toBe(log);
});
