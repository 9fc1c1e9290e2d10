/**
 * Commits: making one beside others in the same tree, and who has to look again after it, and when.
 *
 *   commit.create -> throw-away index: HEAD + these paths -> gate -> hooks -> compare-and-swap on the branch -> announced
 *   commit.announce -> agents that hold or just held one of its paths -> a notice each -> commit.catch-up at their next edit
 *
 * Catching up is damped: looking again at most every half minute, taking over at most once a minute, and in batches while
 * a project commits a lot. What is not due yet is kept, never dropped.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";

const Commit = z.string().regex(/^[0-9a-f]{7,64}$/, "a commit is 7 to 64 lower-case hexadecimal digits");
const Paths = z.array(z.string().min(1).max(4096)).min(1).max(500);

export const create = defineOperation({
  name: "commit.create",
  summary: "Commit paths without touching the shared index; without paths, the files you reserved and changed",
  http: "POST /v1/commits/create",
  actor: "agent",
  input: z.strictObject({
    message: z.string().trim().min(1).max(20_000).describe("The commit's message"),
    paths: Paths.optional().describe("Files and folders, from the tree's root; default: what you reserved and changed"),
    agent: z
      .string()
      .min(1)
      .max(80)
      .optional()
      .describe("Only files that this agent changed, by name or id, as local history knows"),
    tree: z.string().min(1).max(4096).optional().describe("Working tree to commit in; default: the agent's own"),
    dryRun: z.boolean().default(false).describe("Only show what would be committed; hooks do not run"),
    fencingToken: z
      .int()
      .min(1)
      .optional()
      .describe("The fencing token of your reservation of these paths; refused as lost once it has ended"),
    override: z.string().trim().min(1).max(500).optional().describe("Commit anyway, for this reason; audited"),
    waitMs: z.int().min(0).max(3_600_000).default(300_000).describe("How long each hook of the repository may take"),
  }),
  output: z.object({
    commit: Commit.optional().describe("Hash of the commit; absent in a dry run"),
    branch: z.string(),
    paths: z.array(z.string()).describe("What it changes, from the tree's root"),
    told: z.array(AgentRef).describe("Agents it affects"),
    warnings: z.array(z.string()),
  }),
  errors: [
    "input.invalid",
    "project.not-found",
    "reservation.conflict",
    "lease.lost",
    "caller.denied",
    "agent.ended",
    "agent.not-found",
    "workspace.unavailable",
    "commit.nothing",
    "commit.not-possible",
    "commit.reverts",
    "commit.hook-refused",
  ],
  verbatim: ["paths", "tree"],
  example: { message: "Rate-limit orders", paths: ["src/api/orders.ts"] },
});

export const announce = defineOperation({
  name: "commit.announce",
  summary: "Announce a commit to the agents that hold, or just held, one of its paths",
  http: "POST /v1/commits",
  actor: "agent",
  input: z.strictObject({
    commit: Commit.describe("Hash of the commit"),
    paths: Paths.describe("What it changed, relative to the repository root"),
    subject: z.string().trim().min(1).max(300).default("committed").describe("Its first line"),
  }),
  output: z.object({
    told: z.array(AgentRef).describe("Agents it affects"),
    inMs: z.int().optional().describe("When they are told: later, because you have just resolved a conflict"),
  }),
  errors: ["input.invalid", "agent.ended"],
  verbatim: ["commit", "paths"],
  example: { commit: "4c2a1f0", paths: ["src/api/orders.ts"], subject: "Rate-limit orders" },
});

export const catchUp = defineOperation({
  name: "commit.catch-up",
  summary: "Show commits of others that affect you and are due now; they count as seen afterwards",
  http: "POST /v1/commits/catch-up",
  actor: "agent",
  input: z.strictObject({}),
  output: z.object({
    refresh: z.array(z.string()).describe("Paths to look at again now; empty when nothing is due"),
    sync: z.boolean().describe("Update to the commits of others now"),
    waiting: z.int().describe("Commits that affect you and that you have not seen yet"),
    nextInMs: z.int().optional().describe("When the waiting ones are due"),
    batched: z.boolean().describe("Commits are so frequent that they are batched"),
  }),
  errors: ["input.invalid", "agent.ended"],
  example: {},
});

export const CommitAnnounced = defineEvent(
  "commit.announced",
  1,
  "An agent committed, and the affected agents were told",
  z.object({ commit: Commit, paths: Paths, by: AgentRef, told: z.array(AgentRef) }),
);
