/**
 * Runs: one request on its way to a verified change.
 *
 *   planning -> awaiting_approval -> running -> verified | unverified | failed | cancelled
 *                                      ^ paused (interrupted, or its daemon ended with --no-auto-resume)
 *
 * Invariant: `verified` needs evidence made by Sylk's own process, newer than the last edit (RUN-6).
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { Finding } from "./finding.ts";
import { NodeId, PlanId, ProjectId, RunId, SessionId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";
import { WaitMs } from "./reservation.ts";
import { LoadedFact, SkillBudget } from "./skill.ts";

export const RunStatus = z.enum([
  "planning",
  "awaiting_approval",
  "running",
  "paused",
  "blocked",
  "verified",
  "unverified",
  "failed",
  "cancelled",
]);
export type RunStatus = z.infer<typeof RunStatus>;

export const NodeState = z.enum([
  "pending",
  "queued",
  "running",
  "succeeded",
  "failed",
  "blocked",
  "skipped",
  "cancelled",
]);
export type NodeState = z.infer<typeof NodeState>;

/** What a node of a run is for; only the work of engineers is planned by a model. */
export const RunNodeKind = z.enum(["plan", "approval", "engineer", "check", "judge", "conclude"]);
export type RunNodeKind = z.infer<typeof RunNodeKind>;

export const PlanNode = z.object({
  id: NodeId,
  title: z.string(),
  role: z.string(),
  prompt: z.string(),
  dependsOn: z.array(NodeId),
  files: z.array(z.string()).optional().describe("Files it is meant to add or change"),
});
export type PlanNode = Readonly<z.infer<typeof PlanNode>>;

const ExistingWork = z.object({
  title: z.string().describe("What the request asks for and the repository has already"),
  files: z.array(z.string()).describe("Files that have it"),
});
const PlannedCheck = z.object({
  kind: z.enum(["inspection", "tests"]),
  command: z.array(z.string()),
  source: z.string(),
});
export const Plan = z.object({
  id: PlanId,
  summary: z.string(),
  nodes: z.array(PlanNode),
  existing: z.array(ExistingWork).optional().describe("Not planned, because the repository has it already"),
  checks: z.array(PlannedCheck).optional().describe("Commands that will judge the change"),
});
export type Plan = Readonly<z.infer<typeof Plan>>;

export const RunNode = PlanNode.extend({
  kind: RunNodeKind,
  round: z.int().describe("0 for the plan, then one per correction and per plan made with feedback"),
  state: NodeState,
  attempt: z.int(),
  agent: z.string().optional(),
  startedAt: TimeMs.optional(),
  endedAt: TimeMs.optional(),
  retryAt: TimeMs.optional().describe("When the next attempt comes"),
  summary: z.string().optional(),
  notes: z
    .array(z.string())
    .optional()
    .describe("What the node did not do although it says that it is done: no file changed, no test written"),
  error: z.string().optional(),
  cause: z.string().optional().describe("Reason of its state, unless it has an error"),
  question: z.string().optional().describe("What it waits for, while it is blocked"),
});
export type RunNode = Readonly<z.infer<typeof RunNode>>;

/** What a check did. Absent, skipped, timed out and empty are results of their own; only `pass` is green. */
export const CheckOutcome = z.enum(["pass", "fail", "not-run", "no-tests", "timed-out"]);
export const CheckFailure = z.object({
  name: z.string().optional().describe("Test or rule that failed; absent if the output names none"),
  file: z.string().optional(),
  line: z.int().optional(),
  output: z.string().describe("Its own lines of the output, at most 30"),
});
export type CheckFailure = Readonly<z.infer<typeof CheckFailure>>;
export const Check = z.object({
  kind: z.enum(["inspection", "tests"]),
  round: z.int(),
  outcome: CheckOutcome,
  summary: z.string(),
  command: z.array(z.string()).optional(),
  /** Where the command comes from: the base commit's own files, or the user. */
  source: z.string().optional(),
  exitCode: z.int().optional(),
  contentHash: z.string().optional().describe("Identifies the tree that was checked"),
  passed: z.int().optional(),
  failed: z.int().optional(),
  failures: z
    .array(CheckFailure)
    .optional()
    .describe("Of a check that failed: at most 50, with 16,000 characters of output in all"),
  at: TimeMs,
});
export type Check = Readonly<z.infer<typeof Check>>;

export const RunCost = z.object({
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  unknownCalls: z.int().describe("Calls whose usage the provider did not report; they are in no total"),
});
export type RunCost = Readonly<z.infer<typeof RunCost>>;

export const Workspace = z.object({
  tree: z.string(),
  branch: z.string(),
  baseCommit: z.string(),
  repository: z.string(),
});

export const Run = z.object({
  id: RunId,
  session: SessionId,
  project: ProjectId,
  request: z.string(),
  status: RunStatus,
  reason: z.string().optional().describe("Reason of its status"),
  label: z.string().optional().describe('"rehearsal" when a scripted model answered'),
  model: z.string().optional(),
  plan: Plan.optional(),
  version: z.int().describe("Version of its graph; increases with every plan, correction and adjustment"),
  nodes: z.array(RunNode).describe("Every node of its graph; `kind` says what each is for"),
  checks: z.array(Check),
  findings: z.array(Finding),
  cost: RunCost,
  workspace: Workspace.optional().describe("Its tree and branch, while they exist"),
  commit: z.string().optional().describe("The change; absent if it changed nothing"),
  outcome: z.enum(["open", "merged", "discarded"]).describe("Outcome of the change"),
  mergedAs: z.string().optional().describe("Commit that merged the change"),
  since: z.int().describe("Cursor before its first event: follow it from here"),
  createdAt: TimeMs,
  updatedAt: TimeMs,
});
export type Run = Readonly<z.infer<typeof Run>>;

const RunSummary = Run.pick({
  id: true,
  session: true,
  project: true,
  request: true,
  status: true,
  reason: true,
  label: true,
  workspace: true,
  cost: true,
  outcome: true,
  createdAt: true,
  updatedAt: true,
}).extend({
  nodes: z.object({ total: z.int(), succeeded: z.int() }),
  budget: z.int().optional().describe("Token limit"),
});

const Argv = z.array(z.string().min(1).max(2000)).min(1).max(100);

export const start = defineOperation({
  name: "run.start",
  summary: "Turn a request into a verified change: plan, approval, parallel engineers, checks, fixes",
  http: "POST /v1/runs",
  actor: "anyone",
  input: z.strictObject({
    request: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .describe("The change you want; may begin with a tag such as @to:architect"),
    project: z.strictObject({ path: z.string().min(1).max(4096).describe("Any folder inside the repository") }),
    session: SessionId.optional().describe("Session to run in; default: a new one"),
    budget: z.int().positive().optional().describe("Token limit of this run"),
    approve: z.boolean().default(false).describe("Approve the plan without asking"),
    provider: z.string().min(1).max(60).optional().describe("Provider to use instead of the default one"),
    rehearse: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("Scenario file that a scripted model plays instead of a real one"),
    testCommand: Argv.optional().describe("Test command, if the project's files do not define one"),
    lintCommand: Argv.optional().describe("Lint command, if the project's files do not define one"),
    environment: z
      .record(z.string().max(200), z.string().max(32_768))
      .default({})
      .describe("PATH and selected variables of the calling shell, for commands of the run"),
  }),
  output: z.object({ run: Run }),
  errors: [
    "input.invalid",
    "project.not-found",
    "provider.missing",
    "workspace.unavailable",
    "session.not-found",
    "session.not-possible",
    "session.snapshot-damaged",
    "session.snapshot-newer",
    "session.limit",
    "provider.not-found",
    "caller.denied",
  ],
  mcp: { listed: true },
  verbatim: ["project", "rehearse"],
  example: { request: "Add a discount to the checkout", project: { path: "/home/ada/shop" }, approve: true },
});

export const list = defineOperation({
  name: "run.list",
  summary: "List runs, newest first",
  http: "GET /v1/runs",
  actor: "anyone",
  input: z.strictObject({ status: RunStatus.optional(), ...pageInput }),
  output: pageOf(RunSummary),
  errors: ["input.invalid"],
  example: { status: "verified" },
});

const byId = z.strictObject({ id: RunId.describe("Run id") });
const example = { id: "run_01jd8q3m7k4x9t2v5b8n1c" };
const output = z.object({ run: Run });

export const get = defineOperation({
  name: "run.get",
  summary: "Show one run: plan, nodes, checks, findings, cost",
  http: "GET /v1/runs/{id}",
  actor: "anyone",
  input: byId,
  output,
  errors: ["input.invalid", "run.not-found", "caller.denied"],
  example,
});

export const interrupt = defineOperation({
  name: "run.interrupt",
  summary: "Pause a run; nodes in progress stop and start again on resume",
  http: "POST /v1/runs/{id}/interrupt",
  actor: "anyone",
  input: byId,
  output,
  errors: ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"],
  example,
});

export const pause = defineOperation({
  name: "run.pause",
  summary: "Pause a run: no further node starts until you resume it",
  http: "POST /v1/runs/{id}/pause",
  actor: "anyone",
  input: byId.extend({
    abort: z.boolean().default(false).describe("Stop running nodes, to be run again; otherwise they finish"),
  }),
  output,
  errors: ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"],
  example,
});

export const resume = defineOperation({
  name: "run.resume",
  summary: "Resume a paused or interrupted run",
  http: "POST /v1/runs/{id}/resume",
  actor: "anyone",
  input: byId,
  output,
  errors: ["input.invalid", "run.not-found", "run.not-possible", "session.not-possible", "caller.denied"],
  example,
});

export const cancel = defineOperation({
  name: "run.cancel",
  summary: "Cancel a run; its changes stay on its branch",
  http: "POST /v1/runs/{id}/cancel",
  actor: "anyone",
  input: byId,
  output,
  errors: ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"],
  example,
});

const node = z
  .string()
  .min(1)
  .max(200)
  .describe("Node by its id or title, or by its kind: plan, approval, inspection, tests, judge, conclude");
const nodeErrors = ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"] as const;

export const retry = defineOperation({
  name: "run.retry",
  summary: "Retry a failed, skipped or cancelled node of a run, and the nodes skipped because of it",
  http: "POST /v1/runs/{id}/retry",
  actor: "anyone",
  input: byId.extend({ node }),
  output,
  errors: [...nodeErrors, "session.not-possible"],
  example: { ...example, node: "tests" },
});

export const skip = defineOperation({
  name: "run.skip",
  summary: "Skip a node of a run; without an approval, check, judgement or conclusion it is never verified",
  http: "POST /v1/runs/{id}/skip",
  actor: "anyone",
  input: byId.extend({
    node,
    reason: z.string().min(1).max(2_000).optional(),
    treatAsDone: z.boolean().default(false).describe("Dependent nodes run without its result"),
  }),
  output,
  errors: nodeErrors,
  example: { ...example, node: "Update the docs", treatAsDone: true },
});

export const answer = defineOperation({
  name: "run.answer",
  summary: "Approve or reject a run's plan",
  http: "POST /v1/runs/{id}/answer",
  actor: "user",
  input: byId.extend({
    node: node.default("approval"),
    decision: z.enum(["approve", "reject"]),
    reason: z.string().min(1).max(2_000).optional().describe("Why it is rejected"),
  }),
  output,
  errors: nodeErrors,
  example: { ...example, decision: "approve" },
});

export const adjust = defineOperation({
  name: "run.adjust",
  summary: "Add, replace or remove work of a run's plan that has not started; the changed plan needs approval",
  http: "POST /v1/runs/{id}/adjust",
  actor: "anyone",
  input: byId.extend({
    nodes: z
      .record(
        z.string().min(1).max(60),
        z.strictObject({
          title: z.string().min(1).max(200).describe("What holds when the node is done"),
          prompt: z.string().min(1).max(20_000).describe("What to do, with the files concerned"),
          files: z.array(z.string().min(1).max(500)).max(50).optional().describe("Files to add or change"),
          dependsOn: z
            .array(z.string().min(1).max(60))
            .max(50)
            .default([])
            .describe("Ids of nodes, or keys given here"),
        }),
      )
      .default({})
      .describe("By id to replace a node, by a key of your own to add one"),
    remove: z.array(z.string().min(1).max(60)).max(50).default([]).describe("Ids of nodes"),
    expectedVersion: z
      .int()
      .min(1)
      .optional()
      .describe("Version this adjustment was made for; refused when there is a newer one"),
  }),
  output,
  errors: [...nodeErrors, "dag.stale"],
  verbatim: ["nodes"],
  example: {
    ...example,
    nodes: { docs: { title: "The docs name the discount", prompt: "Describe discounts in docs/shop.md" } },
    expectedVersion: 2,
  },
});

export const budget = defineOperation({
  name: "run.budget",
  summary: "Raise a run's token limit, for a reason; audited",
  http: "POST /v1/runs/{id}/budget",
  actor: "user",
  input: byId.extend({
    tokens: z.int().positive().max(1e15).describe("New token limit, above the one so far and above what was used"),
    reason: z.string().trim().min(1).max(500).describe("Why the run may use more"),
  }),
  output,
  errors: ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"],
  example: { ...example, tokens: 400_000, reason: "The tests of the parser are worth it" },
});

export const feedback = defineOperation({
  name: "run.feedback",
  summary:
    "Change a waiting plan, or continue a finished run, with feedback: a new plan, then approval, work and checks",
  http: "POST /v1/runs/{id}/feedback",
  actor: "anyone",
  input: byId.extend({
    text: z.string().trim().min(1).max(20_000).describe("What to do differently, or in addition"),
    approve: z.boolean().default(false).describe("Approve the new plan without asking; only the user may"),
  }),
  output,
  errors: [...nodeErrors, "session.not-possible"],
  example: { ...example, text: "Also handle negative numbers" },
});

export const diff = defineOperation({
  name: "run.diff",
  summary: "Show a run's changes",
  http: "GET /v1/runs/{id}/diff",
  actor: "anyone",
  input: byId,
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        kind: z.enum(["added", "modified", "deleted"]),
        added: z.int().optional(),
        removed: z.int().optional(),
      }),
    ),
    patch: z.string(),
    truncated: z.boolean(),
  }),
  errors: ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"],
  example,
});

export const merge = defineOperation({
  name: "run.merge",
  summary: "Merge a run's changes into your working tree; the files they change must be clean and free",
  http: "POST /v1/runs/{id}/merge",
  actor: "anyone",
  input: byId.extend({
    unverified: z.boolean().default(false).describe("Merge although the change is not verified"),
    waitMs: WaitMs.default(0).describe("How long to wait for files that others hold; their holders are asked"),
  }),
  output: z.object({
    run: Run,
    commit: z.string(),
    already: z.boolean().describe("It was merged before this call"),
    kept: z.string().optional().describe("Why its tree and branch are still there"),
    paths: z.array(z.string()).describe("Changes that came into the tree"),
    told: z.array(AgentRef).describe("Agents it affects"),
  }),
  errors: [
    "input.invalid",
    "run.not-found",
    "run.not-possible",
    "workspace.unavailable",
    "workspace.dirty",
    "workspace.conflict",
    "reservation.conflict",
    "commit.not-possible",
    "caller.denied",
  ],
  example,
});

export const discard = defineOperation({
  name: "run.discard",
  summary: "Discard a run: keep its changes in quarantine and remove its working tree",
  http: "POST /v1/runs/{id}/discard",
  actor: "anyone",
  input: byId,
  output: z.object({
    run: Run,
    reference: z.string().optional().describe("Git reference that keeps its changes; absent if it left none"),
  }),
  errors: ["input.invalid", "run.not-found", "run.not-possible", "caller.denied"],
  example,
});

const Cleared = z.object({
  run: RunId,
  request: z.string(),
  why: z.enum(["merged", "empty", "failed"]),
  reference: z.string().optional().describe("Git reference that keeps the changes of a failed run"),
});
const Kept = z.object({ run: RunId, request: z.string(), branch: z.string(), why: z.string() });

export const clear = defineOperation({
  name: "run.clear",
  summary: "Remove the trees and branches of merged, empty and failed runs; changes of failed ones stay in quarantine",
  http: "POST /v1/runs/clear",
  actor: "anyone",
  input: z.strictObject({}),
  output: z.object({ cleared: z.array(Cleared), kept: z.array(Kept).describe("Runs that keep theirs, and why") }),
  errors: ["input.invalid"],
  example: {},
});

const about = { run: RunId, session: SessionId };
export const RunStarted = defineEvent(
  "run.started",
  1,
  "A request was accepted",
  z.object({
    ...about,
    request: z.string(),
    label: z.string().optional(),
    reason: z
      .string()
      .optional()
      .describe("What the user should know, for example that uncommitted changes stay behind"),
  }),
);
export const RunStatusChanged = defineEvent(
  "run.status-changed",
  1,
  "A run's status changed",
  z.object({ ...about, from: RunStatus, to: RunStatus, reason: z.string().optional() }),
);
export const RunOutcomeChanged = defineEvent(
  "run.outcome-changed",
  1,
  "A run's change was merged or discarded",
  z.object({
    ...about,
    outcome: z.enum(["merged", "discarded"]),
    commit: z.string().optional().describe("Merge commit"),
    reference: z.string().optional().describe("Git reference that keeps a discarded change"),
  }),
);
export const RunPlanned = defineEvent(
  "run.planned",
  1,
  "A plan, or a correction, was accepted as nodes",
  z.object({ ...about, round: z.int(), nodes: z.array(PlanNode) }),
);
export const RunNodeChanged = defineEvent(
  "run.node-changed",
  1,
  "A node's state changed",
  z.object({
    ...about,
    node: NodeId,
    title: z.string(),
    from: NodeState,
    to: NodeState,
    attempt: z.int(),
    agent: z.string().optional(),
    error: z.string().optional(),
    cause: z.string().optional(),
  }),
);
export const RunChecked = defineEvent(
  "run.checked",
  1,
  "Sylk ran a check",
  z.object({ ...about, check: Check, findings: z.array(Finding) }),
);
export const RunSpent = defineEvent(
  "run.spent",
  1,
  "A model answered",
  z.object({ ...about, role: z.string(), node: NodeId.optional(), model: z.string(), cost: RunCost }),
);
export const RunBudgetRaised = defineEvent(
  "run.budget-raised",
  1,
  "The user raised a run's token limit",
  z.object({ ...about, from: z.int(), to: z.int(), reason: z.string() }),
);
export const RunModelRetried = defineEvent(
  "run.model-retried",
  1,
  "A model call failed and is repeated after a pause",
  z.object({
    ...about,
    role: z.string(),
    node: NodeId.optional(),
    waitMs: z.int().describe("How long the pause is"),
    reason: z.string(),
  }),
);
export const RunSkillsLoaded = defineEvent(
  "run.skills-loaded",
  1,
  "A model of the run received skills",
  z.object({
    ...about,
    role: z.string(),
    node: NodeId.optional(),
    loaded: z.array(LoadedFact).describe("Beside the core skills of the role"),
    tooLarge: z.array(z.string()).describe("Needed, but the budget has no room"),
    budget: SkillBudget,
    problems: z.array(z.string()).describe("Skill files that could not be loaded, and why"),
  }),
);
export const RunMessage = defineEvent(
  "run.message",
  1,
  "The Guide routed a message",
  z.object({ ...about, message: z.record(z.string(), z.unknown()) }),
);
