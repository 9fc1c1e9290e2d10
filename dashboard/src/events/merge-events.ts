/**
 * The part of the log that the page holds: pages read by cursor and the live tail, merged without gap or duplicate.
 *
 *   page (after, upTo] + events -> ranges that are covered, events by sequence
 *
 * Invariant: events ascend and are unique, and each lies in a covered range. A hole between two ranges was not read yet; a
 * removed range was overtaken by retention, and is shown as a gap.
 */
import type { LogEvent } from "../daemon/contract.ts";

/** Every event after the first cursor, up to and with the second. */
export type Range = { readonly after: number; readonly upTo: number };
export type EventPage = Range & { readonly events: readonly LogEvent[] };
export type HeldLog = {
  readonly events: readonly LogEvent[];
  readonly ranges: readonly Range[];
  /** Overtaken by retention. */
  readonly removed: readonly Range[];
};

export const emptyLog: HeldLog = { events: [], ranges: [], removed: [] };

export function mergePage(log: HeldLog, { events, after, upTo }: EventPage): HeldLog {
  if (upTo <= after) return log;
  return { ...log, events: mergeSorted(log.events, events), ranges: joinRanges([...log.ranges, { after, upTo }]) };
}

/** Nothing up to this cursor can be read any more; events that were read before stay. */
export function markRemoved(log: HeldLog, upTo: number): HeldLog {
  const holes = holesIn({ ...log, ranges: [...log.ranges, { after: Math.max(upTo, endOf(log)), upTo: Infinity }] }, 0);
  const gone = holes
    .map((hole) => ({ after: hole.after, upTo: Math.min(hole.upTo, upTo) }))
    .filter((hole) => hole.upTo > hole.after);
  return {
    ...log,
    ranges: joinRanges([...log.ranges, ...gone]),
    removed: joinRanges([...log.removed, ...gone]),
  };
}

/** What lies between the covered ranges; with `from` also what lies before the first of them. */
export function holesIn({ ranges }: Pick<HeldLog, "ranges">, from?: number): readonly Range[] {
  const sorted = joinRanges(ranges);
  const first = sorted[0];
  const before =
    from === undefined || first === undefined || first.after <= from ? [] : [{ after: from, upTo: first.after }];
  return [...before, ...sorted.slice(1).map((range, index) => ({ after: sorted[index]!.upTo, upTo: range.after }))];
}

export const startOf = ({ ranges }: HeldLog): number => ranges[0]?.after ?? 0;
export const endOf = ({ ranges }: HeldLog): number => ranges.at(-1)?.upTo ?? 0;

/** At most this many events, so that the tab stays small; what is let go is read again on demand. */
export function trimLog(log: HeldLog, most: number, keep: "newest" | "oldest"): HeldLog {
  const { events } = log;
  if (events.length <= most) return log;
  const kept = keep === "newest" ? events.slice(-most) : events.slice(0, most);
  const [after, upTo] = keep === "newest" ? [kept[0]!.sequence - 1, Infinity] : [-Infinity, kept.at(-1)!.sequence];
  const cut = (ranges: readonly Range[]): readonly Range[] =>
    ranges
      .map((range) => ({ after: Math.max(range.after, after), upTo: Math.min(range.upTo, upTo) }))
      .filter((range) => range.upTo > range.after);
  return { events: kept, ranges: cut(log.ranges), removed: cut(log.removed) };
}

function mergeSorted(known: readonly LogEvent[], more: readonly LogEvent[]): readonly LogEvent[] {
  if (more.length === 0) return known;
  const last = known.at(-1);
  if (last === undefined || last.sequence < more[0]!.sequence) return [...known, ...more];
  const bySequence = new Map([...known, ...more].map((event) => [event.sequence, event]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.after - b.after)) {
    const last = joined.at(-1);
    if (last === undefined || range.after > last.upTo) joined.push(range);
    else if (range.upTo > last.upTo) joined[joined.length - 1] = { after: last.after, upTo: range.upTo };
  }
  return joined;
}
