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
import { ReservationId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

const LiteralPath = z.string().min(1).max(1024).describe("A file name as it is, relative to the repository root");
const Pattern = z.string().min(1).max(1024).describe("A glob, relative to the repository root");

export const ReservationMode = z.enum(["exclusive", "shared"]);
export const ReservationScope = z.enum(["tree", "repository"]);

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

export const acquire = defineOperation({
  name: "reservation.acquire",
  summary: "Reserve paths or globs until a time limit; all of them or none",
  http: "POST /v1/reservations",
  actor: "agent",
  input: z
    .strictObject({
      paths: z.array(LiteralPath).max(500).default([]).describe("Literal file names"),
      patterns: z.array(Pattern).max(100).default([]).describe("Globs: * ? ** {a,b} [x]"),
      mode: ReservationMode.default("exclusive"),
      scope: ReservationScope.default("tree"),
      reason: z.string().max(500).optional().describe("What for; shown to whoever collides"),
      ttlMs: z.int().min(1_000).max(1_800_000).optional().describe("Milliseconds until it ends unless renewed"),
    })
    .refine(({ paths, patterns }) => paths.length + patterns.length > 0, {
      message: "name at least one path or pattern",
      path: ["paths"],
    }),
  output: z.object({ reservation: Reservation }),
  errors: ["input.invalid", "reservation.conflict", "reservation.limit", "agent.ended"],
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
  output: pageOf(Reservation.extend({ holder: Holder })),
  errors: ["input.invalid"],
  mcp: { listed: true },
  example: { path: "src/api/orders.ts" },
});

const byId = z.strictObject({ id: ReservationId.describe("Reservation id") });
const exampleId = { id: "rsv_01jd8q3m7k4x9t2v5b8n1c" as ReservationId };

export const renew = defineOperation({
  name: "reservation.renew",
  summary: "Extend a reservation by its time limit from now",
  http: "POST /v1/reservations/{id}/renew",
  actor: "agent",
  input: byId,
  output: z.object({ reservation: Reservation }),
  errors: ["input.invalid", "reservation.not-found", "lease.lost", "caller.denied"],
  mcp: { listed: true },
  example: exampleId,
});

export const release = defineOperation({
  name: "reservation.release",
  summary: "Give a reservation back",
  http: "DELETE /v1/reservations/{id}",
  actor: "agent",
  input: byId,
  output: z.object({ reservation: Reservation }),
  errors: ["input.invalid", "reservation.not-found", "lease.lost", "caller.denied"],
  mcp: { listed: true },
  example: exampleId,
});

const fact = z.object({ reservation: Reservation });
export const ReservationAcquired = defineEvent("reservation.acquired", 1, "Paths are reserved", fact);
export const ReservationReleased = defineEvent(
  "reservation.released",
  1,
  "The holder gave the paths back, or ended",
  fact,
);
export const ReservationExpired = defineEvent(
  "reservation.expired",
  1,
  "The time limit passed without a renewal",
  fact,
);
