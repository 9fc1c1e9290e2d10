/** Events of some types, a page at a time, with a pause after each: a long log holds no other work up. */
import type { LogEvent } from "../../contract/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";

export type PagedEvents = {
  readonly reader: { readonly events: EventRepository };
  /** Lets other work run. */
  readonly pause: () => Promise<void>;
};

const pageSize = 500;

export async function* pagesOf(
  types: readonly string[],
  start: number,
  { reader: { events }, pause }: PagedEvents,
): AsyncGenerator<readonly LogEvent[]> {
  for (let after = start; ;) {
    const page = await events.page({ after, limit: pageSize, types, project: undefined });
    if (page.events.length > 0) yield page.events;
    if (!page.more) return;
    after = page.lastSequence;
    await pause();
  }
}
