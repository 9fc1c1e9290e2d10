/**
 * Sessions: isolated units of work that own agents, routing scope, runs and budget.
 *
 *   created -> active <-> paused (in memory and on disk) -> suspended (on disk only) -> active
 *                 any of these but created -> completed | failed
 *
 * Which session a client looks at is its focus, apart from all of this: many sessions may be active, one has the focus.
 */
import * as z from "zod";
import { DagStatus } from "./dag.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { ProjectId, SessionId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";
import { RunStatus } from "./run.ts";

export const SessionState = z.enum(["created", "active", "paused", "suspended", "completed", "failed"]);
export type SessionState = z.infer<typeof SessionState>;

const Metadata = z.record(z.string().max(80), z.string().max(2000));

export const Session = z.object({
  id: SessionId,
  project: ProjectId,
  name: z.string(),
  description: z.string(),
  branch: z.string().optional().describe("Branch the session works on, where it has one of its own"),
  state: SessionState,
  metadata: Metadata.describe("Notes of its clients"),
  implicit: z.boolean().describe("Made for a run that named no session"),
  reason: z.string().optional().describe("Why it ended"),
  createdAt: TimeMs,
  updatedAt: TimeMs,
  startedAt: TimeMs.optional().describe("When it first became active"),
  pausedAt: TimeMs.optional().describe("When it was last paused"),
  suspendedAt: TimeMs.optional().describe("When it was last suspended"),
  endedAt: TimeMs.optional(),
});
export type Session = Readonly<z.infer<typeof Session>>;

/** `session`: nothing runs in it yet. */
export const SessionPhase = z.enum([
  "session",
  "research",
  "planning",
  "execution",
  "inspection",
  "testing",
  "complete",
]);
export type SessionPhase = z.infer<typeof SessionPhase>;

/** What the session is at: the run or graph that it carries out, or carried out last, and how far that is. */
export const Workflow = z.object({
  phase: SessionPhase,
  dag: z.string().optional().describe("Current or last run or graph"),
  objective: z.string().optional().describe("Its request or name"),
  status: z.union([RunStatus, DagStatus]).optional().describe("Status of that run or graph"),
  reason: z.string().optional().describe("Reason of its status, such as an open question"),
  progress: z.object({ done: z.int(), total: z.int() }).describe("Its nodes"),
  unfinished: z.int().describe("Runs and graphs of the session that have not ended"),
});
export type Workflow = Readonly<z.infer<typeof Workflow>>;

export const SessionDetail = Session.extend({
  focused: z.boolean().describe("Whether the caller has it in focus"),
  workflow: Workflow,
  preferences: z.record(z.string(), z.string()).describe("Its own preferences, before those of the project"),
  promoted: z.record(z.string(), z.string()).describe("Preferences of the whole project"),
  topics: z.array(z.string()).describe("Its topics on the bus; none unless it is loaded"),
  saved: z.enum(["never", "well", "damaged", "newer"]).describe("Whether its last saved state can be read"),
});

const Times = z.object({ count: z.int(), meanMs: z.number(), p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() });
const Counts = { waiting: z.int(), running: z.int() };

/** The pool that gives out slots to Engineers, as its users see it. */
export const PoolFigures = z.object({
  limit: z.int().describe("Jobs that may run at once"),
  ...Counts,
  refused: z.int().describe("Jobs refused because the queue was full"),
  abandoned: z.int().describe("Jobs that did not stop when told to"),
  lanes: z.array(z.object({ lane: z.string(), waiting: z.int(), wait: Times })),
  sessions: z.array(
    z.object({
      session: z.string(),
      submitted: z.int(),
      started: z.int(),
      finished: z.int(),
      failed: z.int(),
      ...Counts,
      wait: Times,
    }),
  ),
  run: Times.extend({ buckets: z.array(z.object({ upToMs: z.number(), count: z.int() })) }),
});
export type PoolFigures = z.infer<typeof PoolFigures>;

const one = { id: SessionId.describe("Session id") };
/** Of what needs the session in memory. */
const savedErrors = [
  "input.invalid",
  "session.not-found",
  "session.not-possible",
  "session.snapshot-damaged",
  "session.snapshot-newer",
] as const;

export const create = defineOperation({
  name: "session.create",
  summary: "Create a session",
  http: "POST /v1/sessions",
  actor: "agent",
  input: z.strictObject({
    name: z.string().trim().min(1).max(120).describe("Name of the session"),
    description: z.string().max(2000).default("").describe("Description"),
    branch: z.string().min(1).max(250).optional().describe("Branch it works on, where it has one of its own"),
    waitMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .describe("How long to wait for room when the session limit is reached"),
  }),
  output: z.object({ session: Session }),
  errors: ["input.invalid", "session.limit"],
  example: { name: "checkout" },
});

export const list = defineOperation({
  name: "session.list",
  summary: "List sessions, newest first",
  http: "GET /v1/sessions",
  actor: "anyone",
  input: z.strictObject({ state: SessionState.optional(), ...pageInput }),
  output: pageOf(Session.extend({ workflow: Workflow })).extend({
    focused: SessionId.optional().describe("The session that the caller has in focus"),
  }),
  errors: ["input.invalid"],
  example: {},
});

export const get = defineOperation({
  name: "session.get",
  summary: "Show one session: state, focus, current run, preferences, topics",
  http: "GET /v1/sessions/{id}",
  actor: "anyone",
  input: z.strictObject(one),
  output: z.object({ session: SessionDetail }),
  errors: ["input.invalid", "session.not-found"],
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c" },
});

export const switchTo = defineOperation({
  name: "session.switch",
  summary: "Switch to another session; the previous one pauses or keeps running",
  http: "POST /v1/sessions/{id}/switch",
  actor: "anyone",
  input: z.strictObject({
    ...one,
    onBlur: z
      .enum(["pause", "background"])
      .optional()
      .describe("Pause or keep running the previous session; default: the setting sessions.onBlur"),
  }),
  output: z.object({ session: Session, previous: Session.optional() }),
  errors: [...savedErrors, "session.limit"],
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c" },
});

export const pause = defineOperation({
  name: "session.pause",
  summary: "Pause a session and its runs, after saving its state",
  http: "POST /v1/sessions/{id}/pause",
  actor: "anyone",
  input: z.strictObject(one),
  output: z.object({ session: Session }),
  errors: savedErrors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c" },
});

export const suspend = defineOperation({
  name: "session.suspend",
  summary: "Suspend a session: save it, pause its runs and unload it from memory",
  http: "POST /v1/sessions/{id}/suspend",
  actor: "anyone",
  input: z.strictObject(one),
  output: z.object({ session: Session }),
  errors: savedErrors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c" },
});

export const resume = defineOperation({
  name: "session.resume",
  summary: "Resume a paused or suspended session, with the runs that paused with it",
  http: "POST /v1/sessions/{id}/resume",
  actor: "anyone",
  input: z.strictObject(one),
  output: z.object({ session: Session }),
  errors: [...savedErrors, "session.limit"],
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c" },
});

export const close = defineOperation({
  name: "session.close",
  summary: "Close a session: cancel its unfinished runs, remove its topics, timers and subscriptions",
  http: "POST /v1/sessions/{id}/close",
  actor: "anyone",
  input: z.strictObject({
    ...one,
    failed: z.boolean().default(false).describe("It did not reach the wanted state"),
    reason: z.string().max(2000).optional().describe("Why it ends"),
  }),
  output: z.object({ session: Session }),
  errors: ["input.invalid", "session.not-found", "session.not-possible"],
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", reason: "merged" },
});

export const stats = defineOperation({
  name: "session.stats",
  summary: "Count sessions by state, and show the pool's queues, waiting and running times",
  http: "GET /v1/sessions/stats",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({
    states: z.record(SessionState, z.int()),
    open: z.int().describe("Sessions counted against the limit"),
    limit: z.int(),
    inMemory: z.int(),
    waiting: z.int().describe("Callers that wait for room"),
    pool: PoolFigures,
  }),
  errors: [],
  example: {},
});

export const SessionCreated = defineEvent(
  "session.created",
  1,
  "A session was created",
  z.object({ session: Session }),
);

export const SessionChanged = defineEvent(
  "session.changed",
  1,
  "A session's state changed",
  z.object({ session: Session, from: SessionState, to: SessionState }),
);

export const SessionFocused = defineEvent(
  "session.focused",
  1,
  "A client switched to another session",
  z.object({ client: z.string(), session: SessionId, previous: SessionId.optional() }),
);
