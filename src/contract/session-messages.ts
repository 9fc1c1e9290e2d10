/** Messages of a session: what the Guide carried between people and roles, kept in memory while the session is loaded. */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { MessageId, SessionId } from "./ids.ts";
import { messageTypes, type MessageType, RoleName } from "./message.ts";
import { TimeMs } from "./page.ts";

const Type = z.enum(Object.keys(messageTypes) as [MessageType, ...MessageType[]]);
const Priority = z.int().min(0).max(100);

export const SessionMessageFact = z.object({
  sequence: z.int().describe("Cursor of this message"),
  at: TimeMs,
  id: MessageId,
  correlationId: MessageId.describe("Id of the request that it belongs to"),
  channel: z.enum(["requests", "responses", "errors"]),
  topic: z
    .string()
    .describe("Where it was published: librarian.requests for a role of all sessions, below its session for others"),
  from: RoleName,
  to: RoleName,
  type: z.string(),
  priority: Priority.describe("Urgency, 0 to 100; 50 unless its sender said otherwise"),
  status: z.string(),
  text: z.string().optional().describe("Beginning of its text, where it has one"),
  error: z.string().optional().describe("Why the request was not answered"),
});
export type SessionMessageFact = Readonly<z.infer<typeof SessionMessageFact>>;

export const messages = defineOperation({
  name: "session.messages",
  summary: "Show the latest messages of a session, by type and priority; wait for the next one",
  http: "GET /v1/sessions/{id}/messages",
  actor: "anyone",
  input: z.strictObject({
    id: SessionId.describe("Session id"),
    type: Type.optional().describe("Only messages of this type, such as USER_INPUT"),
    minPriority: Priority.optional().describe("Only messages of this priority or a higher one, 0 to 100"),
    after: z.int().min(0).default(0).describe("Only messages after this cursor"),
    limit: z.int().min(1).max(200).default(50).describe("Most messages to return; the latest ones"),
    waitMs: z.int().min(0).max(60_000).default(0).describe("How long to wait when there is none"),
  }),
  output: z.object({
    items: z.array(SessionMessageFact),
    lastSequence: z.int().describe("Cursor of the session's latest message"),
    forgotten: z.int().describe("Older messages that are no longer kept; a session keeps 200"),
  }),
  errors: ["input.invalid", "session.not-found"],
  mcp: { untrusted: ["text", "error"] },
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", type: "USER_INPUT", minPriority: 75 },
});
