/** The event log as callers read it: facts with a sequence, by cursor, without gap or duplicate. */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { EventId, ProjectId } from "./ids.ts";
import { TimeMs } from "./page.ts";

export const LogEvent = z.object({
  sequence: z.int().describe("Cursor of this event"),
  id: EventId,
  type: z.string(),
  version: z.int(),
  project: ProjectId,
  subject: z.string().describe("Id of the thing the fact is about"),
  at: TimeMs,
  data: z.record(z.string(), z.unknown()),
});
export type LogEvent = Readonly<z.infer<typeof LogEvent>>;

const TypePattern = z
  .string()
  .max(100)
  .regex(/^(\*{1,2}|[a-z0-9-]+)(\.(\*{1,2}|[a-z0-9-]+))*$/, "an event type, where * matches one part and ** the rest")
  .describe("Only events of this type; * matches one part, ** the rest: reservation.*");

export const list = defineOperation({
  name: "event.list",
  summary: "Read events after a cursor (a live stream with Accept: text/event-stream)",
  http: "GET /v1/events",
  actor: "anyone",
  input: z.strictObject({
    after: z.int().min(0).default(0).describe("Cursor: the sequence of the last event already seen"),
    newest: z.boolean().default(false).describe("The last ones there are, instead of the first after the cursor"),
    type: TypePattern.default("**"),
    limit: z.int().min(1).max(1000).default(100).describe("Most events to return"),
  }),
  output: z.object({
    items: z.array(LogEvent),
    nextCursor: z.string().optional(),
    lastSequence: z.int().describe("Cursor up to which the log was read"),
  }),
  errors: ["input.invalid", "events.truncated"],
  example: { after: 0, type: "reservation.*", limit: 50 },
});

/** How a live view waits: pages from the log, then a wake-up after each commit. Ends with the signal. */
export type EventFeed = (query: {
  readonly after: number;
  readonly type: string;
  readonly project: ProjectId | undefined;
  readonly signal: AbortSignal;
}) => AsyncIterable<readonly LogEvent[]>;
