/**
 * The event log: every change and its event in one transaction; every live view reads it by cursor.
 *
 *   tx.events.append(draft) -> COMMIT -> bus "event.<type>" -> feeds wake up and read on from their cursor
 *
 * Invariant: sequences grow in commit order; a reader that always passes its last sequence sees each event once, or
 * `events.truncated` when retention has removed what it had not read.
 */
import type { EventDraft, LogEvent, ProjectId } from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";
import type { IdSource } from "../ids/index.ts";

export type EventPage = { readonly events: readonly LogEvent[]; readonly lastSequence: number; readonly more: boolean };

export type EventQuery = {
  readonly after: number;
  readonly limit: number;
  /** The last ones after the cursor instead of the first. */
  readonly newest?: boolean;
  /** Exact types wanted; undefined means all. */
  readonly types: readonly string[] | undefined;
  readonly project: ProjectId | undefined;
  /** Of their data together; the first event is in the page whatever its size. */
  readonly maxBytes?: number;
};

export type EventTally = { readonly total: number; readonly bytes: number; readonly lastAt: number | undefined };

export type EventRepository = {
  append(project: ProjectId, draft: EventDraft): Promise<LogEvent>;
  page(query: EventQuery): Promise<EventPage>;
  /** Events of a project whose subject is `text` or whose data holds it, the newest first. */
  mentioning(query: {
    readonly project: ProjectId;
    readonly text: string;
    readonly upTo: number;
    readonly limit: number;
  }): Promise<readonly LogEvent[]>;
  /** First sequence still kept, and the last one given out (0 when none was). */
  bounds(): Promise<{ readonly oldest: number; readonly newest: number }>;
  /** Removes what is older than `before` or beyond the newest `maxCount`; returns how many went. */
  truncate(before: number, maxCount: number): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
  /** How many there are of a project, about how much they take, and when the last one was. */
  tally(project: ProjectId): Promise<EventTally>;
};

export type EventPorts = {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly onAppended: (event: LogEvent) => void;
};
