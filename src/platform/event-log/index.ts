export type { EventPage, EventPorts, EventRepository } from "./event-log.ts";
export { sqliteEvents } from "./event-log.sqlite.ts";
export { createEventFeed, readEventPage } from "./read-events.ts";
