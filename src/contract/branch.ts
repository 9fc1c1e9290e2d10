/**
 * Branches: bringing work together without tearing the tree in which others work.
 *
 *   a finished branch -> branch.merge -> its target's turn -> merged beside the tree -> branch, index and files move at once
 *   upstream          -> branch.sync  -> damped: once a minute for each agent, in batches while the project is busy
 *   conflict          -> nothing moved -> one work item with both sides and the paths; the same merge is not tried again
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { WaitMs } from "./reservation.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { WorkItemId } from "./ids.ts";

const Branch = z
  .string()
  .min(1)
  .max(250)
  .regex(/^[^-\0-\x20\x7f~^:?*[\\][^\0-\x20\x7f~^:?*[\\]*$/, "expected the name of a branch");
const Commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const Tree = z.string().min(1).max(4096).optional();

const result = {
  branch: z.string(),
  into: z.string(),
  commit: Commit.describe("Commit the target is at now"),
  paths: z.array(z.string()).describe("Changes that came into the target"),
  told: z.array(AgentRef).describe("Agents it affects"),
};
const errors = [
  "input.invalid",
  "project.not-found",
  "caller.denied",
  "agent.ended",
  "workspace.unavailable",
  "workspace.dirty",
  "workspace.conflict",
  "reservation.conflict",
  "commit.not-possible",
] as const;

export const merge = defineOperation({
  name: "branch.merge",
  summary: "Queue a finished branch for merging; a conflict changes nothing and becomes a work item",
  http: "POST /v1/branches/merge",
  actor: "agent",
  input: z.strictObject({
    branch: Branch.describe("Branch that is finished"),
    into: Branch.optional().describe("Target branch; default: the branch of the tree"),
    tree: Tree.describe("Working tree to work from; default: the agent's own"),
    waitMs: WaitMs.default(0).describe("How long to wait for files that others hold; their holders are asked"),
  }),
  output: z.object({ state: z.enum(["merged", "up-to-date"]), ...result }),
  errors,
  verbatim: ["branch", "into", "tree"],
  example: { branch: "rate-limit" },
});

export const sync = defineOperation({
  name: "branch.sync",
  summary: "Merge upstream changes at a limited rate; a conflict changes nothing and is assigned to one agent",
  http: "POST /v1/branches/sync",
  actor: "agent",
  input: z.strictObject({
    from: Branch.optional().describe('Branch to merge from; default: the upstream, as "git fetch" left it'),
    tree: Tree.describe("Working tree to update; default: the agent's own"),
  }),
  output: z.object({
    state: z
      .enum(["merged", "up-to-date", "later"])
      .describe("later: too soon after the last one; queued, see nextInMs"),
    ...result,
    nextInMs: z.int().optional().describe("When it is due"),
    batched: z.boolean().describe("Commits are so frequent that they are batched"),
  }),
  errors,
  verbatim: ["from", "tree"],
  example: {},
});

export const BranchMerged = defineEvent(
  "branch.merged",
  1,
  "A branch was merged into another",
  z.object({ branch: z.string(), into: z.string(), commit: Commit, by: AgentRef }),
);

export const BranchConflicted = defineEvent(
  "branch.conflicted",
  1,
  "Two branches conflict; nothing changed, and a work item was created",
  z.object({
    branch: z.string(),
    into: z.string(),
    paths: z.array(z.string()),
    workItem: WorkItemId,
    by: AgentRef,
  }),
);
