/**
 * Mail: what agents write to each other, also from one project to another. (Messages between roles of a run are envelopes: message.ts.)
 *
 *   mail.send -> messages -> mail.inbox (unread, oldest first) -> the next mail.inbox with upTo = cursor: read
 *
 * To named agents, to a topic's subscribers or to everyone; requests and notices are two channels with a cursor each.
 * Invariant: the server keeps the cursor and moves it only when told, so a lost answer is asked for again, and each
 * message is delivered to each receiver once and in order.
 */
import * as z from "zod";
import { AgentRef, Project } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { AgentId, FindingId, MessageId, ReservationId, WorkItemId } from "./ids.ts";
import { allInput, pageInput, pageOf, ProjectName, TimeMs } from "./page.ts";

export const MailChannel = z.enum(["requests", "notices"]);
export type MailChannel = z.infer<typeof MailChannel>;

export const Importance = z.enum(["low", "normal", "high", "urgent"]);
export type Importance = z.infer<typeof Importance>;

export const ContactPolicy = z.enum(["open", "auto", "contacts", "none"]);
export type ContactPolicy = z.infer<typeof ContactPolicy>;

const Paths = z.array(z.string().min(1).max(4096)).min(1).max(500);
const Held = z.object({ reservation: ReservationId });

/** What a message is, besides its words; each kind has its own fields, and other kinds are refused. */
export const MailContent = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text") }),
  z.strictObject({ kind: z.literal("release-request"), ...Held.shape, urgent: z.boolean().default(false) }),
  z.strictObject({ kind: z.literal("release-ack"), ...Held.shape }),
  z.strictObject({ kind: z.literal("release-defer"), ...Held.shape, etaMs: z.int().positive().max(86_400_000) }),
  z.strictObject({
    kind: z.literal("commit-notice"),
    commit: z.string().regex(/^[0-9a-f]{7,64}$/, "a commit is 7 to 64 lower-case hexadecimal digits"),
    paths: Paths,
    branch: z.string().min(1).max(250).optional(),
  }),
  z.strictObject({ kind: z.literal("release-notice"), ...Held.shape, paths: Paths }),
  z.strictObject({
    kind: z.literal("expiry-notice"),
    what: z.union([ReservationId, WorkItemId]),
    paths: Paths.optional(),
  }),
  z.strictObject({ kind: z.literal("handoff"), workItem: WorkItemId, to: AgentId.optional() }),
  z.strictObject({ kind: z.literal("finding"), finding: FindingId }),
]);
export type MailContent = Readonly<z.infer<typeof MailContent>>;
export type MailKind = MailContent["kind"];
const kinds = MailContent.options.map((option) => option.shape.kind.value);
const MailKind = z.enum(kinds as [MailKind, ...MailKind[]]);

const Topic = z
  .string()
  .regex(/^[a-z0-9][a-z0-9./-]{0,79}$/, "a topic is lower-case letters, digits, dots, slashes and dashes")
  .describe("Topic, for example api/orders");
const Subject = z.string().trim().min(1).max(300).describe("One line");

const Correspondent = AgentRef.extend({
  project: z.string().optional().describe("Name of its project, where the message crosses projects"),
});
export type Correspondent = Readonly<z.infer<typeof Correspondent>>;

export const Mail = z.object({
  id: MessageId,
  from: Correspondent,
  to: z.array(Correspondent).optional().describe("Receivers of a direct message"),
  topic: Topic.optional(),
  everyone: z.boolean().optional(),
  channel: MailChannel,
  content: MailContent,
  subject: z.string(),
  body: z.string(),
  truncated: z.boolean().optional().describe("The body is longer; mail.get has the rest"),
  importance: Importance,
  thread: MessageId.describe("First message of the thread"),
  replyTo: MessageId.optional(),
  ackDueAt: TimeMs.optional().describe("Time limit of the acknowledgement"),
  sentAt: TimeMs,
});
export type Mail = Readonly<z.infer<typeof Mail>>;

const othersText = ["subject", "body"] as const;
const CapBytes = z.int().min(512).max(65_536).default(8_192).describe("At most this many bytes of text in the answer");

export const send = defineOperation({
  name: "mail.send",
  summary: "Send a message to agents, to a topic or to everyone in a project",
  http: "POST /v1/messages",
  actor: "agent",
  input: z.strictObject({
    to: z
      .array(z.string().min(1).max(80))
      .min(1)
      .max(50)
      .optional()
      .describe("Receiving agents, by name or id; otter@shop: otter of project shop"),
    project: ProjectName.optional().describe("Project of the receivers"),
    topic: Topic.optional(),
    everyone: z.boolean().optional().describe("To every agent of the project, offline ones included"),
    subject: Subject,
    body: z.string().max(65_536).default("").describe("Text"),
    content: MailContent.default({ kind: "text" }).describe("Kind of message with its own fields, text by default"),
    importance: Importance.default("normal"),
    replyTo: MessageId.optional().describe(
      "Message this replies to; without receivers it goes to that message's sender",
    ),
    ackRequired: z.boolean().default(false).describe("Ask the named receivers to acknowledge"),
    ackWithinMs: z
      .int()
      .min(1_000)
      .max(604_800_000)
      .default(600_000)
      .describe("Time after which a missing acknowledgement is overdue"),
  }),
  output: z.object({ message: Mail }),
  errors: [
    "input.invalid",
    "agent.not-found",
    "agent.ended",
    "message.not-found",
    "project.not-found",
    "caller.denied",
    "mail.limit",
  ],
  example: { to: ["otter"], subject: "May I have src/orders.ts?", body: "Two lines in parse().", ackRequired: true },
});

const Cursor = z.string().regex(/^(requests|notices)\.\d{1,15}$/, "expected a cursor of an earlier answer");

export const inbox = defineOperation({
  name: "mail.inbox",
  summary: "Read unread mail, oldest first; upTo marks earlier messages as read",
  http: "GET /v1/inbox",
  actor: "agent",
  input: z.strictObject({
    channel: MailChannel.default("requests").describe("requests, or notices such as commits and findings"),
    upTo: Cursor.optional().describe("cursor of the last answer: everything up to it has been read"),
    kind: MailKind.optional().describe("Show one kind only, without moving the cursor"),
    limit: z.int().min(1).max(200).default(50).describe("Most messages to return"),
    maxBytes: CapBytes,
  }),
  output: z.object({
    items: z.array(Mail),
    cursor: z.string().optional().describe("Pass it as upTo with the next call"),
    more: z.boolean().describe("Further unread mail follows"),
  }),
  errors: ["input.invalid"],
  mcp: { untrusted: othersText },
  example: { channel: "requests", upTo: "requests.17" },
});

export const everywhere = defineOperation({
  name: "mail.everywhere",
  summary: "Read the person's unread mail of all projects, oldest first",
  http: "GET /v1/inbox/everywhere",
  actor: "user",
  input: z.strictObject({
    channel: MailChannel.default("requests").describe("requests, or notices such as commits and findings"),
    limit: z.int().min(1).max(200).default(50).describe("Most messages of one project to return"),
    maxBytes: CapBytes,
  }),
  output: z.object({
    items: z.array(
      z.object({
        project: Project,
        items: z.array(Mail),
        cursor: z.string().optional().describe("Pass it as upTo to mail.inbox of that project"),
        more: z.boolean().describe("Further unread mail follows"),
      }),
    ),
  }),
  errors: ["input.invalid"],
  mcp: { untrusted: othersText },
  example: {},
});

export const search = defineOperation({
  name: "mail.search",
  summary: "Find messages by words, thread or topic, newest first",
  http: "GET /v1/messages",
  actor: "anyone",
  input: z.strictObject({
    query: z.string().min(1).max(300).optional().describe('Words that all occur; "a phrase" stays together'),
    thread: MessageId.optional().describe("Only this thread"),
    topic: Topic.optional(),
    maxBytes: CapBytes,
    ...allInput,
    ...pageInput,
    limit: z.int().min(1).max(100).default(20).describe("Most messages to return"),
  }),
  output: pageOf(Mail),
  errors: ["input.invalid", "caller.denied"],
  mcp: { untrusted: othersText },
  example: { query: "rate limit" },
});

const byId = z.strictObject({ id: MessageId.describe("Message id") });
const exampleId = { id: "msg_01jd8q3m7k4x9t2v5b8n1c" };

export const get = defineOperation({
  name: "mail.get",
  summary: "Show one message, its body from an offset, and its acknowledgements",
  http: "GET /v1/messages/{id}",
  actor: "anyone",
  input: byId.extend({
    from: z.int().min(0).default(0).describe("Offset in the body to start at"),
    maxBytes: CapBytes,
  }),
  output: z.object({
    message: Mail,
    nextFrom: z.int().optional().describe("Where the rest of the body begins"),
    acks: z.array(z.object({ agent: AgentRef, ackedAt: TimeMs.optional() })),
  }),
  errors: ["input.invalid", "message.not-found", "caller.denied"],
  mcp: { untrusted: othersText },
  example: exampleId,
});

export const ack = defineOperation({
  name: "mail.ack",
  summary: "Acknowledge a message",
  http: "POST /v1/messages/{id}/ack",
  actor: "agent",
  input: byId,
  output: z.object({ id: MessageId, ackedAt: TimeMs }),
  errors: ["input.invalid", "message.not-found", "agent.ended", "caller.denied"],
  example: exampleId,
});

const OverdueAck = z.object({
  id: MessageId,
  subject: z.string(),
  importance: Importance,
  from: Correspondent,
  waitingFor: Correspondent,
  ackDueAt: TimeMs,
});

export const overdue = defineOperation({
  name: "mail.overdue",
  summary: "List overdue acknowledgements, oldest first",
  http: "GET /v1/inbox/overdue",
  actor: "anyone",
  input: z.strictObject({
    ...allInput,
    limit: z.int().min(1).max(200).default(50).describe("Most items to return"),
  }),
  output: z.object({ items: z.array(OverdueAck) }),
  errors: ["input.invalid", "caller.denied"],
  mcp: { untrusted: ["subject"] },
  example: {},
});

export const subscribe = defineOperation({
  name: "mail.subscribe",
  summary: "Subscribe to a topic, or unsubscribe",
  http: "POST /v1/inbox/topics",
  actor: "agent",
  input: z.strictObject({ topic: Topic, off: z.boolean().default(false).describe("Unsubscribe") }),
  output: z.object({ topics: z.array(z.string()) }),
  errors: ["input.invalid", "agent.ended"],
  example: { topic: "api/orders" },
});

export const policy = defineOperation({
  name: "mail.policy",
  summary: "Show or set who may write to you: open, auto, contacts or none",
  http: "POST /v1/inbox/policy",
  actor: "agent",
  input: z.strictObject({
    policy: ContactPolicy.optional().describe(
      "open: all agents; auto: agents you work with; contacts: your list; none",
    ),
    add: z.array(z.string().min(1).max(80)).max(50).optional().describe("Agents to add to your contacts"),
    remove: z.array(z.string().min(1).max(80)).max(50).optional().describe("Agents to remove from them"),
  }),
  output: z.object({ policy: ContactPolicy, contacts: z.array(AgentRef) }),
  errors: ["input.invalid", "agent.not-found", "project.not-found", "agent.ended"],
  example: { policy: "contacts", add: ["otter"] },
});

/** Facts about mail carry no words of it: the log is read by everyone of the project, a direct message is not. */
const sent = Mail.pick({
  id: true,
  from: true,
  topic: true,
  everyone: true,
  channel: true,
  importance: true,
  thread: true,
});
export const MailSent = defineEvent(
  "mail.sent",
  1,
  "A message was sent",
  z.object({ message: sent.extend({ kind: MailKind, to: z.array(AgentId).optional() }) }),
);
export const MailRead = defineEvent(
  "mail.read",
  1,
  "A receiver read its mail up to a cursor",
  z.object({ agent: AgentRef, channel: MailChannel, upTo: z.int() }),
);
export const MailAcked = defineEvent(
  "mail.acked",
  1,
  "A receiver acknowledged a message",
  z.object({ message: MessageId, agent: AgentRef }),
);
export const MailboxChanged = defineEvent(
  "mail.mailbox-changed",
  1,
  "An agent changed its topics, its contacts or who may write to it",
  z.object({ agent: AgentRef, policy: ContactPolicy, topics: z.array(z.string()) }),
);
