/**
 * The newest events in memory, for followers that are up to date: two hundred of them would otherwise each read the same
 * rows after every commit.
 *
 *   committed event -> push -> after(cursor): what came since, or "not here" and the follower reads the log
 *
 * Invariant: without a gap, and at most `maxCount` events of `maxBytes` together.
 */
import type { LogEvent } from "../../contract/index.ts";

export type RecentEvents = {
  push(event: LogEvent): void;
  /** What follows the cursor, up to both limits but never nothing for size alone; undefined: ask the log. */
  after(cursor: number, limits: PageLimits): readonly LogEvent[] | undefined;
};
export type PageLimits = { readonly count: number; readonly bytes: number };
type Kept = { readonly event: LogEvent; readonly bytes: number };

export function createRecentEvents({ maxCount = 500, maxBytes = 1_048_576 } = {}): RecentEvents {
  let kept: Kept[] = [];
  let bytes = 0;
  let newest: number | undefined;

  return {
    push(event) {
      const follows = newest === undefined || event.sequence === newest + 1;
      newest = Math.max(newest ?? 0, event.sequence);
      // One that does not follow the last would leave a gap: readers go to the log until the order is back.
      if (!follows) {
        kept = [];
        bytes = 0;
        return;
      }
      const size = sizeOf(event);
      kept.push({ event, bytes: size });
      bytes += size;
      while (kept.length > maxCount || bytes > maxBytes) bytes -= kept.shift()!.bytes;
    },
    after(cursor, limits) {
      const first = kept[0]?.event.sequence;
      if (first === undefined || cursor < first - 1 || cursor > newest!) return undefined;
      const page: LogEvent[] = [];
      let left = limits.bytes;
      for (const { event, bytes: size } of kept.slice(cursor - first + 1, cursor - first + 1 + limits.count)) {
        if (page.length > 0 && size > left) break;
        page.push(event);
        left -= size;
      }
      return page;
    },
  };
}

function sizeOf({ data }: LogEvent): number {
  return JSON.stringify(data).length;
}
