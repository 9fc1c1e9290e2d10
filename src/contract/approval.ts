/** Approvals: what waits for a person: a decision, or the answer to a question. What waits holds no worker slot. */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { ApprovalId, GraphId, ReservationId } from "./ids.ts";
import { allInput, pageInput, pageOf, TimeMs } from "./page.ts";

export const Approval = z.object({
  id: ApprovalId,
  run: GraphId.describe("Run or DAG run that asks"),
  kind: z.enum(["plan", "command", "evidence", "question", "node"]),
  question: z.string(),
  details: z.array(z.string()),
  node: z.string().optional().describe("Node that is blocked until this is decided"),
  deadlineAt: TimeMs.optional().describe("When the default answer applies"),
  defaultAnswer: z.string().optional().describe("Answer used when none arrives in time"),
  status: z.enum(["waiting", "approved", "rejected", "answered", "expired"]),
  answer: z.string().optional().describe("To a question"),
  reason: z.string().optional(),
  createdAt: TimeMs,
  decidedAt: TimeMs.optional(),
});
export type Approval = Readonly<z.infer<typeof Approval>>;

const InboxId = z.union([ApprovalId, ReservationId]);

/** What waits for a person, from whichever part of Sylk it comes. */
export const InboxItem = Approval.omit({ id: true, run: true, kind: true }).extend({
  id: InboxId,
  run: GraphId.optional().describe("Run or DAG run that asks; none for a hold or an installation"),
  kind: z.enum([...Approval.shape.kind.options, "hold", "install"]),
  by: z.string().describe("Who asks"),
  project: z.string().describe("Name of the project"),
  about: z.string().optional().describe("Request of the run, or name of the graph"),
  title: z.string().optional().describe("Title of the node that waits"),
  byDefault: z.string().describe("What happens without an answer; at deadlineAt where there is one"),
  holdsFor: z.string().describe("For whom a decision holds"),
});
export type InboxItem = Readonly<z.infer<typeof InboxItem>>;

export const list = defineOperation({
  name: "approval.list",
  summary:
    "List everything that waits for you: plans, commands, questions, results, holds and installations that agents ask for",
  http: "GET /v1/approvals",
  actor: "anyone",
  input: z.strictObject({
    run: GraphId.optional().describe("Only those of this run or DAG run"),
    ...allInput,
    ...pageInput,
  }),
  output: pageOf(InboxItem),
  errors: ["input.invalid", "caller.denied"],
  example: {},
});

export const decide = defineOperation({
  name: "approval.decide",
  summary: "Approve, reject or answer what waits for you",
  http: "POST /v1/approvals/{id}/decide",
  actor: "user",
  input: z.strictObject({
    id: InboxId.describe("Approval id, or reservation id of a hold that an agent asks for"),
    decision: z
      .enum(["approve", "reject", "answer"])
      .describe("Answer a question, or reject it to leave it unanswered"),
    answer: z.string().trim().min(1).max(10_000).optional().describe("To a question"),
    reason: z.string().max(2000).optional().describe("Why; kept with the run"),
  }),
  output: z.object({ approval: InboxItem }),
  errors: [
    "input.invalid",
    "approval.not-found",
    "approval.decided",
    "session.not-possible",
    "run.not-possible",
    "dag.not-possible",
    "lease.lost",
    "caller.denied",
    "tool.install-off",
    "tool.install-failed",
  ],
  example: { id: "apr_01jd8q3m7k4x9t2v5b8n1c", decision: "approve" },
});

export const ApprovalRequested = defineEvent(
  "approval.requested",
  1,
  "A run or a DAG run waits for a person",
  z.object({ approval: Approval }),
);
export const ApprovalDecided = defineEvent("approval.decided", 1, "A person decided", z.object({ approval: Approval }));
