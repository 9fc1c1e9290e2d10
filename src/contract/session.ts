/** Sessions: isolated units of work that own agents, routing scope, runs and budget. */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { ProjectId, SessionId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";

export const SessionState = z.enum(["created", "active", "paused", "suspended", "completed", "failed"]);

export const Session = z.object({
  id: SessionId,
  project: ProjectId,
  name: z.string(),
  state: SessionState,
  createdAt: TimeMs,
  updatedAt: TimeMs,
});
export type Session = Readonly<z.infer<typeof Session>>;

export const create = defineOperation({
  name: "session.create",
  summary: "Create a session",
  http: "POST /v1/sessions",
  actor: "agent",
  input: z.strictObject({ name: z.string().trim().min(1).max(120).describe("What the session is about") }),
  output: z.object({ session: Session }),
  errors: ["input.invalid"],
  example: { name: "checkout" },
});

export const list = defineOperation({
  name: "session.list",
  summary: "List sessions, newest first",
  http: "GET /v1/sessions",
  actor: "anyone",
  input: z.strictObject({ state: SessionState.optional(), ...pageInput }),
  output: pageOf(Session),
  errors: ["input.invalid"],
  example: {},
});

export const SessionCreated = defineEvent("session.created", 1, "A session exists", z.object({ session: Session }));
