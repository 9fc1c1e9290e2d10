/**
 * Messages between agents: one envelope, one registry of types.
 *
 *   type -> its payload -> who may send it to whom -> which types answer it; the Guide enforces all three
 *
 * The registry types callers too: `MessageOf<"PLAN_APPROVED">` has the payload of its type, `AnswerType<…>` its answers.
 * Invariant: a message belongs to a session; the schema refuses one without.
 */
import * as z from "zod";
import { Finding } from "./finding.ts";
import { HistoryEntry } from "./history.ts";
import { MessageId, NodeId, PlanId, RunId, SessionId } from "./ids.ts";
import { Check, Plan, PlanNode } from "./run.ts";
import { ToolScan, ToolScanRequest } from "./tool.ts";

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

type Way = { readonly from: readonly RoleName[]; readonly to: readonly RoleName[] };
type MessageTerms = {
  readonly payload: z.ZodObject;
  /** Each sender of a row may send to each of its receivers. */
  readonly ways: readonly Way[];
  /** Types that answer it; none for a message that is an answer or a report itself. */
  readonly answers?: readonly string[];
  /** Asking again changes nothing, so a failed delivery may be tried again. */
  readonly repeatable?: true;
};

/** Those a person may address; Engineers, the Orchestrator and the Guide itself are reached through others. */
const answering = ["architect", "librarian", "academic", "archivalist", "inspector", "tester"] as const;
const consulting = ["architect", "engineer", "inspector", "tester"] as const;
const text = z.string();
const someText = z.string().min(1);
const findings = z.array(Finding);
const count = z.int().nonnegative();
/** Findings reach the Architect by VALIDATION_CORRECTIONS and TEST_CORRECTIONS only; results carry the check. */
const CheckResult = z.strictObject({ check: Check });
const Outcome = z.strictObject({
  outcome: z.enum(["succeeded", "failed", "cancelled"]),
  rejected: z.boolean(),
  failed: z.array(text).optional(),
  checks: z.array(Check),
});
/** Says what to do about a failure: retry now or later, change something first, or give up. */
const FailureClass = z.enum(["transient", "permanent", "user-fixable", "rate-limit", "provider-degraded", "timeout"]);
const Question = z.strictObject({ question: someText });
/** Until when a question waits, and what counts then; without a default answer it waits on. */
const patience = { deadlineAt: z.int().optional(), defaultAnswer: someText.optional() };
const OfSession = z.strictObject({ session: SessionId });
const FoundFile = z.strictObject({ path: text, score: z.number(), excerpt: text });
const Values = z.record(z.string(), z.unknown());

export const messageTypes = {
  USER_INPUT: {
    payload: z.strictObject({
      text: someText,
      routedBy: text.optional(),
      intent: text.optional(),
      domain: text.optional(),
      params: z.record(z.string(), text).optional(),
      data: Values.optional(),
    }),
    ways: [{ from: ["user"], to: answering }],
    answers: ["USER_RESPONSE", "PLAN_RESPONSE"],
  },
  USER_RESPONSE: {
    payload: z.strictObject({ text, data: Values.optional(), model: text.optional(), label: text.optional() }),
    ways: [{ from: answering, to: ["user"] }],
  },
  SESSION_CREATE: {
    payload: z.strictObject({ name: someText }),
    ways: [{ from: ["user"], to: ["guide"] }],
    answers: ["ACK"],
  },
  SESSION_SWITCH: { payload: OfSession, ways: [{ from: ["user"], to: ["guide"] }], answers: ["ACK"] },
  SESSION_SUSPEND: { payload: OfSession, ways: [{ from: ["user"], to: ["guide"] }], answers: ["ACK"] },
  SESSION_RESUME: { payload: OfSession, ways: [{ from: ["user"], to: ["guide"] }], answers: ["ACK"] },
  SESSION_COMPLETE: { payload: OfSession, ways: [{ from: ["user"], to: ["guide"] }], answers: ["ACK"] },
  RESEARCH_REQUEST: {
    payload: Question,
    ways: [{ from: consulting, to: ["academic"] }],
    repeatable: true,
    answers: ["RESEARCH_RESPONSE"],
  },
  RESEARCH_RESPONSE: {
    payload: z.strictObject({ text, sources: z.array(text) }),
    ways: [{ from: ["academic"], to: consulting }],
  },
  CONTEXT_REQUEST: {
    payload: Question,
    ways: [{ from: consulting, to: ["librarian"] }],
    repeatable: true,
    answers: ["CONTEXT_RESPONSE"],
  },
  CONTEXT_RESPONSE: {
    payload: z.strictObject({ files: z.array(text), fileCount: count, found: z.array(FoundFile) }),
    ways: [{ from: ["librarian"], to: consulting }],
  },
  TOOLS_REQUEST: {
    payload: ToolScanRequest.extend({ text: someText }),
    ways: [{ from: ["user", ...consulting], to: ["librarian", "academic"] }],
    repeatable: true,
    answers: ["TOOLS_RESPONSE"],
  },
  TOOLS_RESPONSE: {
    payload: z.strictObject(ToolScan.shape),
    ways: [{ from: ["librarian", "academic"], to: ["user", ...consulting] }],
  },
  HISTORY_REQUEST: {
    payload: Question,
    ways: [{ from: consulting, to: ["archivalist"] }],
    repeatable: true,
    answers: ["HISTORY_RESPONSE"],
  },
  HISTORY_RESPONSE: {
    payload: z.strictObject({ entries: z.array(HistoryEntry) }),
    ways: [{ from: ["archivalist"], to: consulting }],
  },
  STORE_REQUEST: {
    payload: z.strictObject({ title: text, content: Values }),
    ways: [{ from: ["architect", "orchestrator"], to: ["archivalist"] }],
    answers: ["ACK"],
  },
  PLAN_REQUEST: {
    payload: z.strictObject({ text: someText }),
    ways: [{ from: ["user"], to: ["architect"] }],
    answers: ["PLAN_RESPONSE"],
  },
  PLAN_RESPONSE: { payload: z.strictObject({ plan: Plan }), ways: [{ from: ["architect"], to: ["user"] }] },
  PLAN_APPROVED: {
    payload: z.strictObject({ plan: PlanId, nodes: z.array(PlanNode) }),
    ways: [{ from: ["user"], to: ["architect"] }],
    answers: ["WORKFLOW_COMPLETE"],
  },
  PLAN_MODIFIED: {
    payload: z.strictObject({ plan: PlanId, changes: someText }),
    ways: [{ from: ["user"], to: ["architect"] }],
    answers: ["PLAN_RESPONSE"],
  },
  DAG_EXECUTE: {
    payload: z.strictObject({ round: count, nodes: z.array(PlanNode) }),
    ways: [{ from: ["architect"], to: ["orchestrator"] }],
    answers: ["DAG_STATUS"],
  },
  DAG_STATUS: { payload: Outcome, ways: [{ from: ["orchestrator"], to: ["architect"] }] },
  DAG_CANCEL: {
    payload: z.strictObject({ reason: text }),
    ways: [{ from: ["user"], to: ["orchestrator"] }],
    answers: ["ACK"],
  },
  TASK_DISPATCH: {
    payload: z.strictObject({
      node: PlanNode,
      attempt: z.int().positive(),
      parents: Values.describe("By node: summary, context and artifacts of the work it depends on"),
      session: Values.optional().describe("Name, branch, notes and preferences of its session"),
      answers: z.array(z.strictObject({ question: text, answer: text })).optional(),
    }),
    ways: [{ from: ["orchestrator"], to: ["engineer"] }],
    answers: ["TASK_COMPLETE", "TASK_FAILED", "TASK_HELP"],
  },
  TASK_COMPLETE: {
    payload: z.strictObject({
      summary: someText,
      notes: z.array(text).optional().describe("What it did not do: no file changed, no test written"),
      context: Values.optional().describe("What the nodes that depend on it need to know"),
      artifacts: Values.optional().describe("What they can use, by name"),
    }),
    ways: [{ from: ["engineer"], to: ["orchestrator"] }],
  },
  TASK_FAILED: {
    payload: z.strictObject({
      reason: text,
      class: FailureClass,
      retryAfterMs: z.number().nonnegative().optional(),
    }),
    ways: [{ from: ["engineer"], to: ["orchestrator"] }],
  },
  TASK_HELP: {
    payload: z.strictObject({
      node: NodeId,
      question: someText,
      context: text.optional(),
      forUser: z.strictObject(patience).optional().describe("The node is blocked until the user answers"),
    }),
    ways: [
      { from: ["engineer"], to: ["orchestrator"] },
      { from: ["orchestrator"], to: ["architect"] },
    ],
    answers: ["ACK"],
  },
  CLARIFICATION_REQUEST: {
    payload: z.strictObject({
      question: someText,
      onBehalfOf: RoleName.optional(),
      options: z.array(text).optional(),
      node: NodeId.optional(),
      ...patience,
    }),
    ways: [{ from: ["architect"], to: ["user"] }],
    answers: ["CLARIFICATION_RESPONSE"],
  },
  CLARIFICATION_RESPONSE: {
    payload: z.strictObject({ answer: someText }),
    ways: [{ from: ["user"], to: ["architect"] }],
  },
  VALIDATE_TASK: {
    payload: z.strictObject({ round: count }),
    ways: [{ from: ["orchestrator"], to: ["inspector"] }],
    answers: ["VALIDATION_RESULT"],
  },
  VALIDATION_RESULT: { payload: CheckResult, ways: [{ from: ["inspector"], to: ["orchestrator"] }] },
  VALIDATION_FULL: { payload: CheckResult.extend({ findings }), ways: [{ from: ["inspector"], to: ["user"] }] },
  VALIDATION_CORRECTIONS: {
    payload: z.strictObject({ findings }),
    ways: [{ from: ["inspector"], to: ["architect"] }],
    answers: ["ACK"],
  },
  TEST_PLAN_REQUEST: {
    payload: z.strictObject({ text: someText, plan: PlanId.optional() }),
    ways: [{ from: ["architect"], to: ["tester"] }],
  },
  TEST_PLAN_RESPONSE: { payload: z.strictObject({ text }), ways: [{ from: ["tester"], to: ["user"] }] },
  TEST_DAG_REQUEST: {
    payload: z.strictObject({ nodes: z.array(PlanNode) }),
    ways: [{ from: ["tester"], to: ["architect"] }],
    answers: ["ACK"],
  },
  TESTS_READY: {
    payload: z.strictObject({ round: count }),
    ways: [{ from: ["orchestrator"], to: ["tester"] }],
    answers: ["TEST_RESULTS"],
  },
  TEST_RESULTS: { payload: CheckResult, ways: [{ from: ["tester"], to: ["orchestrator", "user"] }] },
  TEST_CORRECTIONS: {
    payload: z.strictObject({ findings }),
    ways: [{ from: ["tester"], to: ["architect"] }],
    answers: ["ACK"],
  },
  USER_OVERRIDE: {
    payload: z.strictObject({ reason: someText, finding: text.optional() }),
    ways: [{ from: ["user"], to: ["inspector", "tester"] }],
    answers: ["ACK"],
  },
  USER_INTERRUPT: {
    payload: z.strictObject({ reason: text }),
    ways: [{ from: ["user"], to: ["architect"] }],
    answers: ["ACK"],
  },
  WORKFLOW_COMPLETE: { payload: Outcome, ways: [{ from: ["architect"], to: ["user"] }] },
  REROUTE_REQUEST: {
    payload: z.strictObject({ reason: someText, suggested: RoleName.optional() }),
    ways: [{ from: answering, to: ["guide"] }],
  },
  ACK: {
    payload: z.strictObject({
      taken: count.optional(),
      kept: text.optional(),
      answer: text.optional(),
      ask: z
        .strictObject({ question: someText, ...patience })
        .optional()
        .describe("Only the user can answer; the asking role waits"),
    }),
    ways: [
      { from: ["architect"], to: ["user", "inspector", "tester", "orchestrator"] },
      { from: ["orchestrator"], to: ["user", "engineer"] },
      { from: ["archivalist"], to: ["architect", "orchestrator"] },
      { from: ["inspector", "tester", "guide"], to: ["user"] },
    ],
  },
} as const satisfies Record<string, MessageTerms>;
export type MessageType = keyof typeof messageTypes;
export type PayloadOf<Type extends MessageType> = z.infer<(typeof messageTypes)[Type]["payload"]>;
/** Types that a request of this type is answered by. */
export type AnswerType<Type extends MessageType> = Extract<
  (typeof messageTypes)[Type] extends { readonly answers: readonly (infer Answer)[] } ? Answer : never,
  MessageType
>;

/** The registry seen as plain rows. */
export function messageTerms(type: string): MessageTerms | undefined {
  return Object.hasOwn(messageTypes, type) ? messageTypes[type as MessageType] : undefined;
}

export function maySend(type: string, from: RoleName, to: RoleName): boolean {
  return messageTerms(type)?.ways.some((way) => way.from.includes(from) && way.to.includes(to)) ?? false;
}

export function mayAnswer(answer: string, request: string): boolean {
  return messageTerms(request)?.answers?.includes(answer) ?? false;
}

/** How urgent a message is; any whole number between is one too. */
export const messagePriorities = { background: 0, low: 25, normal: 50, high: 75, critical: 100 } as const;

export const Message = z.object({
  id: MessageId,
  correlationId: MessageId.describe("Id of the request this belongs to; its own for a request"),
  parentId: MessageId.optional().describe("Message that caused this one"),
  session: SessionId,
  run: RunId.optional().describe("Run that it is about; none for a question"),
  from: RoleName,
  to: RoleName,
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  priority: z.int().min(0).max(100),
  at: z.int(),
  deadlineAt: z.int().optional(),
  attempt: z.int(),
  maxAttempts: z.int(),
  status: z.enum(["queued", "processing", "completed", "failed", "expired", "cancelled"]),
  metadata: z.record(z.string(), z.unknown()),
  error: z.string().optional(),
  processedAt: z.int().optional(),
});
export type Message = Readonly<z.infer<typeof Message>>;

/** A message whose payload was checked against its type: `type` tells which payload it has. */
export type MessageOf<Type extends MessageType = MessageType> = {
  [Each in Type]: Omit<Message, "type" | "payload"> & { readonly type: Each; readonly payload: PayloadOf<Each> };
}[Type];
