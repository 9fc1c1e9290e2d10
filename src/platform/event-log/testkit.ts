/** An event log in a real database file, with a bus and a clock moved by hand, for the tests of this folder. */
import { join } from "node:path";
import type { EventDraft, EventFeed, LogEvent, ProjectId } from "../../contract/index.ts";
import { createBus, type Bus } from "../bus/index.ts";
import { manualClock, type ManualClock } from "../clock/index.ts";
import { randomIds } from "../ids/index.ts";
import { openSqliteStore, type Store } from "../store/index.ts";
import { migratedFile, scratchFolder } from "../store/testkit.ts";
import { createEventFeed, readEventPage, sqliteEvents, type EventPage, type EventRepository } from "./index.ts";

export const shop = "prj_00000000000000000shop0" as ProjectId;
export const bank = "prj_00000000000000000bank0" as ProjectId;

export type ScratchLog = Disposable & {
  readonly store: Store<{ readonly events: EventRepository }>;
  readonly bus: Bus<LogEvent>;
  readonly clock: ManualClock;
  /** What the log announced, in the order it did. */
  readonly announced: readonly LogEvent[];
  /** One transaction; returns the sequences. */
  append(...drafts: readonly (EventDraft | undefined)[]): Promise<readonly number[]>;
  read(query: Partial<Parameters<typeof readEventPage>[0]>): Promise<EventPage>;
  feed(pageSize: number): EventFeed;
  truncate(terms: { readonly before?: number; readonly maxCount?: number }): Promise<number>;
};

export function scratchLog(): ScratchLog {
  const folder = scratchFolder();
  const clock = manualClock();
  const bus = createBus<LogEvent>({
    onSubscriberError: ({ error }) => {
      throw error;
    },
  });
  const announced: LogEvent[] = [];
  const store: ScratchLog["store"] = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: {
      events: sqliteEvents({
        clock,
        ids: randomIds(clock),
        onAppended(event) {
          announced.push(event);
          bus.publish(`event.${event.type}`, event);
        },
      }),
    },
    onDefect(error) {
      throw error;
    },
  });
  return {
    store,
    bus,
    clock,
    announced,
    append: (...drafts) =>
      store.transact("scope", async (tx) => {
        const sequences: number[] = [];
        for (const draft of drafts.length === 0 ? [undefined] : drafts)
          sequences.push((await tx.events.append(shop, draft ?? fact())).sequence);
        return sequences;
      }),
    read: (query) => readEventPage({ after: 0, limit: 1000, type: "**", project: undefined, ...query }, store),
    feed: (pageSize) => createEventFeed({ reader: store.reader, bus, pageSize }),
    truncate: ({ before = 0, maxCount = Number.MAX_SAFE_INTEGER }) =>
      store.transact("retention", (tx) => tx.events.truncate(before, maxCount)),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

export function fact(type = "agent.ended", data: unknown = {}): EventDraft {
  return { type, version: 1, subject: "agt_0000000000000000heron0", data };
}
