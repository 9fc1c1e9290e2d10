export type { EventPage, EventPorts, EventRepository } from "./event-log.ts";
export { sqliteEvents } from "./event-log.sqlite.ts";
export { createEventFeed } from "./event-feed.ts";
export { eventHandlers } from "./handlers.ts";
export { readEventPage } from "./read-events.ts";
