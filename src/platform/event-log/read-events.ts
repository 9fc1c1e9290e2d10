/** Reads the log for callers: one page by cursor, or an endless feed that wakes after each commit. */
import { DomainError, eventDefinitions, type EventFeed, type LogEvent, type ProjectId } from "../../contract/index.ts";
import { createSubjectTrie, type Bus } from "../bus/index.ts";
import type { EventPage, EventRepository } from "./event-log.ts";

type Ports = { readonly reader: { readonly events: EventRepository }; readonly bus: Bus<LogEvent> };
type FeedPorts = Ports & { readonly pageSize?: number };
type PageQuery = {
  readonly after: number;
  readonly limit: number;
  readonly type: string;
  readonly project: ProjectId | undefined;
};

export async function readEventPage(
  { after, limit, type, project }: PageQuery,
  { reader }: Pick<Ports, "reader">,
): Promise<EventPage> {
  // The page first: whatever retention removes until the bounds are read shows as truncated, never as a silent gap.
  const page = await reader.events.page({ after, limit, types: typesOf(type), project });
  const { oldest, newest } = await reader.events.bounds();
  if (after < oldest - 1) throw truncated(oldest);
  // A cursor from the future belongs to another home or a restored store: silence would look like "nothing happened".
  if (after > newest)
    throw new DomainError(
      "input.invalid",
      `The cursor ${after} is newer than the log (${newest}); start again from 0`,
      { details: { newest } },
    );
  return page;
}

/**
 * A slow consumer is simply not asked for its next page: it stays at its cursor and reads on from the log,
 * so it holds no buffer of ours and never slows a writer.
 */
export function createEventFeed({ reader, bus, pageSize = 200 }: FeedPorts): EventFeed {
  return async function* feed({ after, type, project, signal }) {
    let cursor = after;
    let wake = (): void => {};
    let pending = true;
    const notice = (): void => {
      pending = true;
      wake();
    };
    const unsubscribe = bus.subscribe(`event.${type}`, notice);
    signal.addEventListener("abort", notice);
    try {
      while (!signal.aborted) {
        if (!pending) await new Promise<void>((resolve) => (wake = resolve));
        if (signal.aborted) return;
        pending = false;
        const page = await readEventPage({ after: cursor, limit: pageSize, type, project }, { reader });
        cursor = page.lastSequence;
        if (page.more) pending = true;
        if (page.events.length > 0) yield page.events;
      }
    } finally {
      unsubscribe();
      signal.removeEventListener("abort", notice);
    }
  };
}

function typesOf(pattern: string): readonly string[] | undefined {
  if (pattern === "**") return undefined;
  const trie = createSubjectTrie<"wanted">();
  trie.add(pattern, "wanted");
  return eventDefinitions.map(({ type }) => type).filter((type) => trie.match(type).subscribers.size > 0);
}

function truncated(oldest: number): DomainError {
  return new DomainError(
    "events.truncated",
    `Events before ${oldest} are no longer kept; read the current state, then go on from cursor ${oldest - 1}`,
    {
      details: { oldest: oldest - 1 },
    },
  );
}
