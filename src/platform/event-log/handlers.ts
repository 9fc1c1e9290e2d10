/** Handler of the event log: what `contract/event.ts` names. */
import type { OperationHandlers, OperationsOn } from "../operations/index.ts";
import type { EventRepository } from "./event-log.ts";
import { readEventPage } from "./read-events.ts";

/** A caller with a project sees that project's events. */
export function eventHandlers({
  store,
}: {
  readonly store: { readonly reader: { readonly events: EventRepository } };
}): OperationHandlers<unknown, OperationsOn<"event">> {
  return {
    async "event.list"({ after, newest, limit, type }, { caller }) {
      const query = { after, newest, limit, type, project: caller.project?.id };
      const { events, lastSequence, more } = await readEventPage(query, store);
      return { items: [...events], lastSequence, ...(more ? { nextCursor: String(lastSequence) } : {}) };
    },
  };
}
