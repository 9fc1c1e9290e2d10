/** Reads the log for callers, one page by cursor; a page that would hide removed events is refused instead. */
import { DomainError, eventDefinitions, type ProjectId } from "../../contract/index.ts";
import { createSubjectTrie } from "../bus/index.ts";
import type { EventPage, EventQuery, EventRepository } from "./event-log.ts";
import type { PageLimits } from "./recent-events.ts";

type Ports = { readonly reader: { readonly events: EventRepository } };
type PageQuery = {
  readonly after: number;
  readonly limit: number;
  readonly newest?: boolean;
  readonly type: string;
  readonly project: ProjectId | undefined;
};
type FollowersQuery = Omit<EventQuery, "limit" | "maxBytes"> & { readonly limits: PageLimits };

export function readEventPage({ type, ...query }: PageQuery, ports: Ports): Promise<EventPage> {
  return checkedPage({ ...query, types: typesMatching(type) }, ports);
}

/** For one that may stop reading at any moment: the page is small enough to be held for it. */
export function readFollowersPage({ limits, ...query }: FollowersQuery, ports: Ports): Promise<EventPage> {
  return checkedPage({ ...query, limit: limits.count, maxBytes: limits.bytes }, ports);
}

async function checkedPage(query: EventQuery, { reader }: Ports): Promise<EventPage> {
  const { after } = query;
  // The page first: whatever retention removes until the bounds are read shows as truncated, never as a silent gap.
  const page = await reader.events.page(query);
  const { oldest, newest } = await reader.events.bounds();
  if (after < oldest - 1 && query.newest !== true) throw truncated(oldest);
  // A cursor from the future belongs to another home or a restored store: silence would look like "nothing happened".
  if (after > newest)
    throw new DomainError(
      "input.invalid",
      `The cursor ${after} is newer than the log (${newest}); start again from 0`,
      { details: { newest } },
    );
  return page;
}

/** Undefined: all of them, also those that this version does not know. */
export function typesMatching(pattern: string): readonly string[] | undefined {
  if (pattern === "**") return undefined;
  const trie = createSubjectTrie<"wanted">();
  trie.add(pattern, "wanted");
  return eventDefinitions.map(({ type }) => type).filter((type) => trie.match(type).subscribers.size > 0);
}

function truncated(oldest: number): DomainError {
  return new DomainError(
    "events.truncated",
    `Events before ${oldest} are no longer kept; read the current state, then continue from cursor ${oldest - 1}`,
    {
      details: { oldest: oldest - 1 },
    },
  );
}
