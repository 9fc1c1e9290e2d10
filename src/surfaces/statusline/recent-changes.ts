/**
 * The recent changes of each project, from the event log as it grows: how many, and the last ones in words that fade.
 *
 *   fresh   "otter reserved 3 files"
 *   fading  "otter reserved"
 *   gone    after half a minute
 */
import type { LogEvent, ProjectId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { changeIn } from "./change-in-words.ts";

export type RecentChanges = {
  note(event: LogEvent): void;
  perMinute(project: ProjectId): number;
  /** The newest first, without the asker's own. */
  shown(project: ProjectId, except: string | undefined): readonly string[];
};

const minuteMs = 60_000;
const freshMs = 10_000;
const goneMs = 30_000;
const mostShown = 3;
const mostKept = 500;
const mostProjects = 200;

type Noted = { readonly at: number; readonly event: LogEvent };

export function createRecentChanges(clock: Clock): RecentChanges {
  /** Changed in place and cut now and then: a copy of five hundred for each event would keep the collector busy. */
  const notedIn = new Map<ProjectId, Noted[]>();
  const since = (project: ProjectId, ms: number): readonly Noted[] => {
    const from = clock.monotonic() - ms;
    return (notedIn.get(project) ?? []).slice(-mostKept).filter(({ at }) => at > from);
  };
  return {
    note(event) {
      const noted = notedIn.get(event.project) ?? [];
      notedIn.delete(event.project);
      notedIn.set(event.project, noted);
      noted.push({ at: clock.monotonic(), event });
      if (noted.length >= 2 * mostKept) noted.splice(0, noted.length - mostKept);
      const [longest] = notedIn.keys();
      if (notedIn.size > mostProjects) notedIn.delete(longest!);
    },
    perMinute: (project) => since(project, minuteMs).length,
    shown(project, except) {
      const now = clock.monotonic();
      return since(project, goneMs)
        .flatMap(({ at, event }) => {
          const change = changeIn(event);
          return change === undefined || change.who === except ? [] : [{ at, ...change }];
        })
        .toReversed()
        .slice(0, mostShown)
        .map(({ at, who, did, what }) => [who, did, ...(now - at < freshMs ? what : [])].join(" "));
    },
  };
}
