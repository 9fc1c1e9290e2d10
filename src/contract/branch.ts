/**
 * Branches: bringing work together without tearing the tree in which others work.
 *
 *   a finished branch -> branch.merge -> its target's turn -> merged beside the tree -> branch, index and files move at once
 *   upstream          -> branch.sync  -> damped: once a minute for each agent, in batches while the project is busy
 *   conflict          -> nothing moved -> one work item with both sides and the paths; nobody tries the same again
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
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
  commit: Commit.describe("Where the target stands now"),
  paths: z.array(z.string()).describe("What came into the target"),
  told: z.array(AgentRef).describe("Whom it concerns"),
};
const errors = [
  "input.invalid",
  "project.not-found",
  "caller.denied",
  "agent.ended",
  "workspace.unavailable",
  "workspace.dirty",
  "workspace.conflict",
  "commit.not-possible",
] as const;

export const merge = defineOperation({
  name: "branch.merge",
  summary: "Merge a finished branch when its turn comes; a conflict changes nothing and becomes a work item",
  http: "POST /v1/branches/merge",
  actor: "agent",
  input: z.strictObject({
    branch: Branch.describe("The finished branch"),
    into: Branch.optional().describe("Where it goes; default: the branch of the tree"),
    tree: Tree.describe("Working tree to work from; default: the agent's own"),
  }),
  output: z.object({ state: z.enum(["merged", "up-to-date"]), ...result }),
  errors,
  verbatim: ["branch", "into", "tree"],
  example: { branch: "rate-limit" },
});

export const sync = defineOperation({
  name: "branch.sync",
  summary: "Take over what is upstream, damped; a conflict changes nothing and is handed to one agent",
  http: "POST /v1/branches/sync",
  actor: "agent",
  input: z.strictObject({
    from: Branch.optional().describe('What to take over; default: the branch\'s upstream, as "git fetch" left it'),
    tree: Tree.describe("Working tree to bring up to date; default: the agent's own"),
  }),
  output: z.object({
    state: z.enum(["merged", "up-to-date", "later"]).describe("later: too soon after the last; kept, see nextInMs"),
    ...result,
    nextInMs: z.int().optional().describe("When it is due"),
    batched: z.boolean().describe("The project commits so much that it is brought up to date in batches"),
  }),
  errors,
  verbatim: ["from", "tree"],
  example: {},
});

export const BranchMerged = defineEvent(
  "branch.merged",
  1,
  "A branch came into another one",
  z.object({ branch: z.string(), into: z.string(), commit: Commit, by: AgentRef }),
);

export const BranchConflicted = defineEvent(
  "branch.conflicted",
  1,
  "Two branches did not merge; nothing moved, and a work item has it",
  z.object({
    branch: z.string(),
    into: z.string(),
    paths: z.array(z.string()),
    workItem: WorkItemId,
    by: AgentRef,
  }),
);
