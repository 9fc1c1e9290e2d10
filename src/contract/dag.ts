/**
 * DAG runs: graphs of commands and prompts that run in parallel and survive crashes.
 *
 *   running -> succeeded | failed | cancelled
 *     ^ waiting: every open node needs a person's answer    ^ paused: no node starts until you resume it
 *
 * A node runs once all its dependencies succeeded. Every state change is recorded before it takes effect, so a run continues
 * after its daemon was killed. Invariant: a succeeded node never starts again; an interrupted node does.
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { DagId, ProjectId, SessionId } from "./ids.ts";
import { pageInput, pageOf, TimeMs } from "./page.ts";
import { acquire } from "./reservation.ts";
import * as runs from "./run.ts";

const NodeName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "expected letters, digits, dots and dashes, at most 100");
const Argv = z.array(z.string().max(20_000)).min(1).max(200);
const Milliseconds = z
  .int()
  .min(1)
  .max(7 * 86_400_000);

const Retry = z.strictObject({
  max: z.int().min(0).max(100).describe("Attempts after the first one"),
  backoffMs: z.int().min(0).max(3_600_000).default(1_000).describe("The first wait; each further one doubles"),
});

const { paths, patterns, mode } = acquire.input.shape;
const Reserves = z
  .strictObject({ paths, patterns, mode })
  .refine((wanted) => wanted.paths.length + wanted.patterns.length > 0, {
    message: "name at least one path or pattern",
    path: ["paths"],
  });

export const DagNodeTerms = z.strictObject({
  run: z
    .union([Argv, z.string().min(1).max(20_000)])
    .optional()
    .describe("The command: a list of words, or one line that needs no shell"),
  prompt: z.string().min(1).max(100_000).optional().describe("Or a question to a model; it gets what its parents gave"),
  role: z.string().min(1).max(60).optional().describe("Who answers the prompt, as the model is told"),
  dependsOn: z.array(NodeName).max(1_000).default([]),
  cwd: z.string().min(1).max(1_000).optional().describe("Folder inside the repository"),
  env: z.record(z.string().max(200), z.string().max(32_768)).default({}).describe("Variables for this command"),
  timeoutMs: Milliseconds.optional().describe("For each attempt, without the time spent in the queue"),
  retry: Retry.optional(),
  approve: z.boolean().default(false).describe("Waits for a person's approval before it runs"),
  reserves: Reserves.optional().describe(
    "Reserved while it runs; the node waits, blocked, while another agent holds them",
  ),
  priority: z.enum(["critical", "high", "normal", "low", "background"]).default("normal"),
});
export type DagNodeTerms = Readonly<z.infer<typeof DagNodeTerms>>;

const Nodes = z.record(NodeName, DagNodeTerms).describe("By name: a command or a prompt each");

export const DagPolicy = z.strictObject({
  maxConcurrency: z.int().min(1).max(1_000).default(10),
  failFast: z
    .boolean()
    .default(true)
    .describe("The first final failure ends the run; otherwise it only skips dependent nodes"),
  retry: Retry.default({ max: 0, backoffMs: 1_000 }),
  timeoutMs: Milliseconds.default(300_000),
});
export type DagPolicy = Readonly<z.infer<typeof DagPolicy>>;

export const DagStatus = z.enum(["running", "waiting", "paused", "succeeded", "failed", "cancelled"]);
export type DagStatus = z.infer<typeof DagStatus>;

export const DagNode = z.object({
  name: z.string(),
  kind: z.enum(["command", "prompt"]),
  text: z.string().describe("The command or the prompt, shortened"),
  role: z.string(),
  dependsOn: z.array(z.string()),
  state: runs.NodeState,
  attempt: z.int(),
  startedAt: TimeMs.optional(),
  endedAt: TimeMs.optional(),
  retryAt: TimeMs.optional().describe("When the next attempt comes"),
  exitCode: z.int().optional(),
  error: z.string().optional(),
  cause: z.string().optional().describe("Reason of its state, unless it has an error"),
  blockedOn: z.enum(["approval", "clarification", "reservation"]).optional().describe("While it is blocked"),
  question: z.string().optional().describe("Question to a person, while it is blocked"),
  output: z.string().optional().describe("Last 64 KB of its output; only when you ask for one node"),
  artifacts: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("What it left for later nodes, by name; only when you ask for one node"),
});
export type DagNode = Readonly<z.infer<typeof DagNode>>;

export const Dag = z.object({
  id: DagId,
  session: SessionId,
  project: ProjectId,
  name: z.string(),
  status: DagStatus,
  reason: z.string().optional(),
  label: z.string().optional().describe('"rehearsal" when a scripted model answers'),
  mode: z.enum(["eager", "layered"]),
  policy: DagPolicy,
  version: z.int().describe("Increases with every adjustment"),
  nodes: z.array(DagNode),
  progress: z.object({ done: z.int(), total: z.int() }).describe("Nodes that need no more work, of all"),
  etaMs: z.union([z.int(), z.literal("unknown")]).describe("Estimated time left, from finished nodes of the same kind"),
  since: z.int().describe("Cursor before its first event: follow it from here"),
  createdAt: TimeMs,
  updatedAt: TimeMs,
});
export type Dag = Readonly<z.infer<typeof Dag>>;

const Summary = Dag.pick({
  id: true,
  session: true,
  project: true,
  name: true,
  status: true,
  reason: true,
  version: true,
  progress: true,
  createdAt: true,
  updatedAt: true,
});

const output = z.object({ dag: Dag });

/** Fields that mean the same for runs. */
const { project, session, rehearse } = runs.start.input.shape;
const { abort } = runs.pause.input.shape;
const { reason, treatAsDone } = runs.skip.input.shape;
const { expectedVersion } = runs.adjust.input.shape;

export const run = defineOperation({
  name: "dag.run",
  summary: "Run a graph of commands and prompts in parallel; it continues after a daemon crash",
  http: "POST /v1/dags",
  actor: "anyone",
  input: z.strictObject({
    name: z.string().trim().min(1).max(120).optional().describe("What the run is about"),
    mode: z
      .enum(["eager", "layered"])
      .default("eager")
      .describe("layered: a node starts only after every earlier layer has ended"),
    policy: DagPolicy.default({
      maxConcurrency: 10,
      failFast: true,
      retry: { max: 0, backoffMs: 1_000 },
      timeoutMs: 300_000,
    }),
    nodes: Nodes,
    project,
    session,
    provider: z
      .string()
      .min(1)
      .max(60)
      .optional()
      .describe("Configured provider for prompts; default: the default provider"),
    rehearse,
    environment: z
      .record(z.string().max(200), z.string().max(32_768))
      .default({})
      .describe("PATH and selected variables of the calling shell, for the commands"),
  }),
  output,
  errors: [
    "input.invalid",
    "project.not-found",
    "session.not-found",
    "session.not-possible",
    "session.snapshot-damaged",
    "session.snapshot-newer",
    "session.limit",
    "provider.missing",
    "provider.not-found",
    "scenario.invalid",
    "caller.denied",
  ],
  verbatim: ["project", "rehearse", "nodes"],
  example: {
    name: "checks",
    nodes: { lint: { run: ["npm", "run", "lint"] }, test: { run: "npm test", dependsOn: ["lint"] } },
    project: { path: "/home/ada/shop" },
  },
});

export const check = defineOperation({
  name: "dag.check",
  summary: "Check a graph without running it: tells every problem at once",
  http: "POST /v1/dags/check",
  actor: "anyone",
  input: z.strictObject({
    graph: z
      .record(z.string().max(200), z.unknown())
      .describe("As its file has it: nodes, and name, mode, policy and provider where they are given"),
  }),
  output: z.object({
    nodes: z.int(),
    problems: z
      .array(z.object({ path: z.string().describe("For example nodes.test.run"), message: z.string() }))
      .describe("None: dag.run takes the graph"),
  }),
  errors: ["input.invalid"],
  verbatim: ["graph"],
  example: { graph: { nodes: { test: { run: "npm test", dependsOn: ["lint"] } } } },
});

export const list = defineOperation({
  name: "dag.list",
  summary: "List DAG runs, newest first",
  http: "GET /v1/dags",
  actor: "anyone",
  input: z.strictObject({ status: DagStatus.optional(), session: SessionId.optional(), ...pageInput }),
  output: pageOf(Summary),
  errors: ["input.invalid"],
  example: { status: "running" },
});

const id = DagId.describe("DAG run id");
const exampleId = "dag_01jd8q3m7k4x9t2v5b8n1c";

/** The output of commands, and which agents hold the paths that a node waits for. */
const mcp = { untrusted: ["output", "error", "cause"] };

export const show = defineOperation({
  name: "dag.show",
  summary: "Show one DAG run: state, attempt and error of its nodes, and the output of one node",
  http: "GET /v1/dags/{id}",
  actor: "anyone",
  input: z.strictObject({ id, node: NodeName.optional().describe("Show only this node, with its output") }),
  output,
  errors: ["input.invalid", "dag.not-found", "caller.denied"],
  mcp,
  example: { id: exampleId, node: "test" },
});

const errors = ["input.invalid", "dag.not-found", "dag.not-possible", "caller.denied"] as const;

export const cancel = defineOperation({
  name: "dag.cancel",
  summary: "Cancel a DAG run and stop its running nodes",
  http: "POST /v1/dags/{id}/cancel",
  actor: "anyone",
  input: z.strictObject({ id, reason }),
  output,
  errors,
  mcp,
  example: { id: exampleId },
});

export const pause = defineOperation({
  name: "dag.pause",
  summary: "Pause a DAG run: no further node starts until you resume it",
  http: "POST /v1/dags/{id}/pause",
  actor: "anyone",
  input: z.strictObject({ id, abort }),
  output,
  errors,
  mcp,
  example: { id: exampleId },
});

export const resume = defineOperation({
  name: "dag.resume",
  summary: "Resume a paused DAG run",
  http: "POST /v1/dags/{id}/resume",
  actor: "anyone",
  input: z.strictObject({ id }),
  output,
  errors: [...errors, "session.not-possible"],
  mcp,
  example: { id: exampleId },
});

const node = NodeName.describe("Name of the node");

export const retry = defineOperation({
  name: "dag.retry",
  summary: "Retry a failed, skipped or cancelled node, and the nodes skipped because of it",
  http: "POST /v1/dags/{id}/retry",
  actor: "anyone",
  input: z.strictObject({ id, node }),
  output,
  errors: [...errors, "session.not-possible"],
  mcp,
  example: { id: exampleId, node: "test" },
});

export const skip = defineOperation({
  name: "dag.skip",
  summary: "Skip a node that has not run, is waiting or has failed",
  http: "POST /v1/dags/{id}/skip",
  actor: "anyone",
  input: z.strictObject({ id, node, reason, treatAsDone }),
  output,
  errors,
  mcp,
  example: { id: exampleId, node: "lint", treatAsDone: true },
});

export const answer = defineOperation({
  name: "dag.answer",
  summary: "Approve or reject a blocked node",
  http: "POST /v1/dags/{id}/answer",
  actor: "user",
  input: runs.answer.input.extend({ id, node }),
  output,
  errors,
  example: { id: exampleId, node: "deploy", decision: "approve" },
});

export const adjust = defineOperation({
  name: "dag.adjust",
  summary: "Add, replace or remove nodes that have not started, as a new version",
  http: "POST /v1/dags/{id}/adjust",
  actor: "anyone",
  input: z.strictObject({
    id,
    nodes: Nodes.default({}).describe("Added, or replaced where the name is known"),
    remove: z.array(NodeName).max(1_000).default([]),
    expectedVersion,
  }),
  output,
  errors: [...errors, "dag.stale"],
  verbatim: ["nodes"],
  mcp,
  example: { id: exampleId, nodes: { docs: { run: "npm run docs", dependsOn: ["test"] } }, expectedVersion: 1 },
});

const about = { dag: DagId, session: SessionId };
export const DagStarted = defineEvent(
  "dag.started",
  1,
  "A DAG run was accepted",
  z.object({ ...about, name: z.string(), nodes: z.int() }),
);

export const DagTransition = z.object({
  node: z.string(),
  from: runs.NodeState,
  to: runs.NodeState,
  at: TimeMs,
  attempt: z.int(),
  error: z.string().optional(),
  cause: z.string().optional(),
});
export const DagChanged = defineEvent(
  "dag.changed",
  1,
  "A DAG run or its nodes changed state",
  z.object({
    ...about,
    transitions: z.array(DagTransition),
    status: DagStatus.optional(),
    reason: z.string().optional(),
    version: z.int().optional().describe("When it was adjusted"),
  }),
);
