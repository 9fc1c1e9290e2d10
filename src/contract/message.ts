/**
 * Messages between agents: one envelope, one registry of types. Every message belongs to a session by its type, and the
 * registry says who may send what to whom; the Guide enforces both.
 */
import * as z from "zod";
import { MessageId, RunId, SessionId } from "./ids.ts";

export const RoleName = z.enum([
  "user",
  "guide",
  "architect",
  "orchestrator",
  "engineer",
  "inspector",
  "tester",
  "librarian",
  "academic",
  "archivalist",
]);
export type RoleName = z.infer<typeof RoleName>;

type MessageTerms = { readonly from: readonly RoleName[]; readonly to: readonly RoleName[] };

/** Requests and their answers, as used today; a later part adds the rest of the list. */
export const messageTypes = {
  USER_INPUT: { from: ["user"], to: ["architect", "librarian", "academic", "archivalist"] },
  PLAN_RESPONSE: { from: ["architect"], to: ["user"] },
  PLAN_APPROVED: { from: ["user"], to: ["architect"] },
  CONTEXT_REQUEST: { from: ["architect", "engineer"], to: ["librarian"] },
  CONTEXT_RESPONSE: { from: ["librarian"], to: ["architect", "engineer"] },
  DAG_EXECUTE: { from: ["architect"], to: ["orchestrator"] },
  DAG_STATUS: { from: ["orchestrator"], to: ["architect"] },
  TASK_DISPATCH: { from: ["orchestrator"], to: ["engineer"] },
  TASK_COMPLETE: { from: ["engineer"], to: ["orchestrator"] },
  TASK_FAILED: { from: ["engineer"], to: ["orchestrator"] },
  VALIDATE_TASK: { from: ["orchestrator"], to: ["inspector"] },
  VALIDATION_RESULT: { from: ["inspector"], to: ["orchestrator"] },
  VALIDATION_CORRECTIONS: { from: ["inspector"], to: ["architect"] },
  TESTS_READY: { from: ["orchestrator"], to: ["tester"] },
  TEST_RESULTS: { from: ["tester"], to: ["orchestrator", "user"] },
  TEST_CORRECTIONS: { from: ["tester"], to: ["architect"] },
  STORE_REQUEST: { from: ["architect", "orchestrator"], to: ["archivalist"] },
  WORKFLOW_COMPLETE: { from: ["architect"], to: ["user"] },
  ACK: { from: ["architect", "archivalist"], to: ["inspector", "tester", "architect", "orchestrator"] },
} as const satisfies Record<string, MessageTerms>;
export type MessageType = keyof typeof messageTypes;

export const Message = z.object({
  id: MessageId,
  correlationId: MessageId.describe("Id of the request this belongs to; its own for a request"),
  parentId: MessageId.optional().describe("Message that caused this one"),
  session: SessionId,
  run: RunId,
  from: RoleName,
  to: RoleName,
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  at: z.int(),
  deadlineAt: z.int().optional(),
  attempt: z.int(),
  status: z.enum(["queued", "processing", "completed", "failed", "expired", "cancelled"]),
  error: z.string().optional(),
});
export type Message = Readonly<z.infer<typeof Message>>;
