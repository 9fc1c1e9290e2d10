/**
 * Reservations: an agent's time-limited hold on a set of paths.
 *
 *   hook -> server -> acquireReservation -> event log -> dashboard, status line
 *
 * A reservation is a lease. It ends by release, by expiry, or with its agent.
 * Invariant: in one working tree no live exclusive reservation overlaps another agent's live one.
 */
import * as z from "zod";
import { AgentRef, Holder } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { ProjectId, ReservationId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

const LiteralPath = z.string().min(1).max(1024).describe("Relative to the repository root");
const Pattern = z.string().min(1).max(1024).describe("Relative to the repository root");

export const ReservationMode = z.enum(["exclusive", "shared"]);
export type ReservationMode = z.infer<typeof ReservationMode>;
export const ReservationScope = z.enum(["tree", "repository"]);
export type ReservationScope = z.infer<typeof ReservationScope>;

export const Reservation = z.object({
  id: ReservationId,
  paths: z.array(LiteralPath),
  patterns: z.array(Pattern),
  mode: ReservationMode,
  scope: ReservationScope.describe("tree: blocks inside one working tree; repository: in every worktree"),
  holder: AgentRef,
  tree: z.string(),
  reason: z.string().optional(),
  fencingToken: z.int(),
  ttlMs: z.int(),
  acquiredAt: TimeMs,
  expiresAt: TimeMs,
});
export type Reservation = Readonly<z.infer<typeof Reservation>>;

const FencingToken = z
  .int()
  .min(1)
  .describe("The fencing token of your reservation of these paths; refused as lost once it has ended");
export const WaitMs = z.int().min(0).max(600_000);

/** Two worktrees change the same path: neither is blocked, and both are told of the merge to come. */
const Forecast = z.object({
  reservation: ReservationId,
  holder: Holder,
  tree: z.string(),
  overlap: z.string().describe("A path both hold"),
});
export type Forecast = Readonly<z.infer<typeof Forecast>>;

export const acquire = defineOperation({
  name: "reservation.acquire",
  summary: "Reserve paths or globs until a time limit: all of them or none",
  http: "POST /v1/reservations",
  actor: "agent",
  input: z
    .strictObject({
      paths: z.array(LiteralPath).max(500).default([]).describe("Literal file names"),
      patterns: z.array(Pattern).max(100).default([]).describe("Globs: * ? ** {a,b} [x]"),
      mode: ReservationMode.default("exclusive"),
      scope: ReservationScope.default("tree"),
      reason: z.string().max(500).optional().describe("Purpose; shown to agents that collide with it"),
      ttlMs: z.int().min(1_000).max(1_800_000).optional().describe("Milliseconds until it ends unless renewed"),
      waitMs: WaitMs.default(0).describe("How long to wait for it; 0: answer at once"),
      fencingToken: FencingToken.optional(),
    })
    .refine(({ paths, patterns }) => paths.length + patterns.length > 0, {
      message: "name at least one path or pattern",
      path: ["paths"],
    }),
  output: z.object({
    reservation: Reservation,
    forecasts: z.array(Forecast).describe("Reservations in other worktrees that forecast a merge conflict"),
    news: z
      .array(z.string())
      .optional()
      .describe("Sentences told once: what killed sessions left running on these files"),
  }),
  errors: ["input.invalid", "reservation.conflict", "reservation.limit", "lease.lost", "agent.ended"],
  mcp: { listed: true },
  verbatim: ["paths", "patterns"],
  example: {
    paths: ["src/api/orders.ts"],
    patterns: ["src/api/**/*.test.ts"],
    mode: "exclusive",
    reason: "rate limiting",
  },
});

export const list = defineOperation({
  name: "reservation.list",
  summary: "List live reservations, or only those that cover one path",
  http: "GET /v1/reservations",
  actor: "anyone",
  input: z.strictObject({ path: LiteralPath.optional(), ...pageInput }),
  output: pageOf(Reservation.extend({ holder: Holder, project: ProjectId })),
  errors: ["input.invalid"],
  mcp: { listed: true },
  example: { path: "src/api/orders.ts" },
});

const byId = z.strictObject({ id: ReservationId.describe("Reservation id") });
const exampleId = { id: "rsv_01jd8q3m7k4x9t2v5b8n1c" as ReservationId };

export const renew = defineOperation({
  name: "reservation.renew",
  summary: "Renew a reservation, or take it back shortly after it expired",
  http: "POST /v1/reservations/{id}/renew",
  actor: "agent",
  input: byId.extend({
    changed: z.boolean().default(true).describe("False for a write that changed nothing: it does not renew"),
  }),
  output: z.object({ reservation: Reservation }),
  errors: ["input.invalid", "reservation.not-found", "lease.lost", "caller.denied"],
  mcp: { listed: true },
  example: exampleId,
});

export const release = defineOperation({
  name: "reservation.release",
  summary: "Release a reservation",
  http: "DELETE /v1/reservations/{id}",
  actor: "agent",
  input: byId,
  output: z.object({ reservation: Reservation }),
  errors: ["input.invalid", "reservation.not-found", "lease.lost", "caller.denied"],
  mcp: { listed: true },
  example: exampleId,
});

export const check = defineOperation({
  name: "reservation.check",
  summary: "Check whether you may write each path now, without reserving it",
  http: "POST /v1/reservations/check",
  actor: "agent",
  input: z.strictObject({
    paths: z.array(LiteralPath).min(1).max(500).describe("Literal file names"),
    fencingToken: FencingToken.optional(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        path: z.string(),
        state: z.enum(["free", "yours", "shared", "taken"]),
        reservation: ReservationId.optional(),
        holder: Holder.optional(),
      }),
    ),
  }),
  errors: ["input.invalid", "lease.lost", "agent.ended"],
  example: { paths: ["src/api/orders.ts"] },
});

export const wait = defineOperation({
  name: "reservation.wait",
  summary: "Wait until a reservation ends",
  http: "POST /v1/reservations/{id}/wait",
  actor: "agent",
  input: byId.extend({ waitMs: WaitMs.default(30_000).describe("Longest wait") }),
  output: z.object({ ended: z.boolean().describe("False: it is still held") }),
  errors: ["input.invalid", "reservation.not-found", "caller.denied"],
  example: { ...exampleId, waitMs: 30_000 },
});

export const ReleaseRequest = z.object({
  reservation: ReservationId,
  requester: AgentRef,
  urgency: z.enum(["normal", "urgent"]),
  reason: z.string().optional(),
  state: z.enum(["open", "acknowledged", "deferred"]),
  askedAt: TimeMs,
  mayForceAt: TimeMs.describe("From then on the requester may end it without the holder's answer"),
});
export type ReleaseRequest = Readonly<z.infer<typeof ReleaseRequest>>;

export const ask = defineOperation({
  name: "reservation.ask",
  summary: "Ask the holder of a reservation to release it",
  http: "POST /v1/reservations/{id}/ask",
  actor: "agent",
  input: byId.extend({
    urgency: z.enum(["normal", "urgent"]).default("normal"),
    reason: z.string().max(500).optional().describe("Purpose; shown to the holder"),
  }),
  output: z.object({ request: ReleaseRequest }),
  errors: ["input.invalid", "reservation.not-found", "lease.lost", "caller.denied", "agent.ended"],
  example: { ...exampleId, reason: "the build is red because of it" },
});

export const answer = defineOperation({
  name: "reservation.answer",
  summary: "Answer requests for your reservation: acknowledge, or defer until a time",
  http: "POST /v1/reservations/{id}/answer",
  actor: "agent",
  input: byId.extend({
    decision: z.enum(["acknowledge", "defer"]).describe("acknowledge: you will release it soon"),
    etaMs: z.int().min(1_000).max(3_600_000).optional().describe("With defer: when you expect to be done"),
  }),
  output: z.object({ requests: z.array(ReleaseRequest) }),
  errors: ["input.invalid", "reservation.not-found", "lease.lost", "caller.denied"],
  example: { ...exampleId, decision: "defer", etaMs: 120_000 },
});

export const force = defineOperation({
  name: "reservation.force",
  summary: "End a reservation whose holder did not answer your request in time",
  http: "POST /v1/reservations/{id}/force",
  actor: "agent",
  input: byId,
  output: z.object({ reservation: Reservation }),
  errors: [
    "input.invalid",
    "reservation.not-found",
    "reservation.conflict",
    "lease.lost",
    "caller.denied",
    "agent.ended",
  ],
  example: exampleId,
});

const counts = {
  grants: z.int(),
  handOvers: z.int().describe("How often a path passed to another agent"),
  backAndForth: z.int().describe("Hand-overs back to the previous holder: two agents that take turns"),
  waitedMs: z.int().describe("Time spent waiting, granted or not"),
  givenUp: z.int().describe("Waits that ended without a grant"),
  graceHits: z.int().describe("Expired reservations taken back within the grace period"),
};

export const stats = defineOperation({
  name: "reservation.stats",
  summary: "Show contention on reserved paths: hand-overs, waiting time, use of the grace period",
  http: "GET /v1/reservations/stats",
  actor: "anyone",
  input: z.strictObject({
    hours: z.int().min(1).max(168).default(24).describe("How far to look back"),
    limit: z.int().min(1).max(500).default(20).describe("Most paths to return, most contended first"),
  }),
  output: z.object({
    since: TimeMs,
    ...counts,
    handOversPerPathHour: z.number(),
    paths: z.array(z.object({ path: z.string(), ...counts, handOversPerHour: z.number() })),
  }),
  errors: ["input.invalid"],
  example: { hours: 24 },
});

const fact = z.object({ reservation: Reservation });
export const ReleaseAsked = defineEvent(
  "reservation.asked",
  1,
  "An agent asked the holder to release it",
  z.object({ reservation: Reservation, request: ReleaseRequest }),
);
export const ReleaseAnswered = defineEvent(
  "reservation.answered",
  1,
  "The holder acknowledged or deferred the request",
  z.object({ reservation: Reservation, requests: z.array(ReleaseRequest) }),
);
export const ReservationForced = defineEvent(
  "reservation.forced",
  1,
  "The requester ended it after the time limit",
  z.object({ reservation: Reservation, by: AgentRef, request: ReleaseRequest }),
);
export const ReservationAcquired = defineEvent(
  "reservation.acquired",
  1,
  "Paths are reserved",
  fact.extend({
    waitedMs: z.int().optional().describe("How long the holder had waited"),
    takenBack: z.boolean().optional().describe("It had expired, and its holder returned within the grace period"),
  }),
);
export const ReservationWidened = defineEvent(
  "reservation.widened",
  1,
  "The holder added paths to it",
  fact.extend({ waitedMs: z.int().optional() }),
);
export const ReservationForecast = defineEvent(
  "reservation.forecast",
  1,
  "Two worktrees hold the same path: a merge conflict is coming",
  z.object({ reservation: Reservation, other: Reservation, overlap: z.string() }),
);
export const ReservationReleased = defineEvent(
  "reservation.released",
  1,
  "The holder released the paths, or ended",
  fact,
);
export const ReservationExpired = defineEvent(
  "reservation.expired",
  1,
  "The time limit passed without a renewal",
  fact,
);
