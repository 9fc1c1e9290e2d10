/**
 * Worktrees: a tree of its own for an agent that asks for one. Others share the user's tree.
 *
 *   create -> a branch and a folder below the home -> the agent works there -> remove, or swept when the agent has ended
 *   clean, and its commit is on another branch -> removed; anything else -> a reference keeps it (quarantine)
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { AgentId } from "./ids.ts";

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "expected up to 40 of a-z, 0-9 and -");

export const Worktree = z.object({
  name: z.string(),
  tree: z.string(),
  branch: z.string(),
  agent: AgentId.describe("Agent that created it"),
});
export type Worktree = Readonly<z.infer<typeof Worktree>>;

export const create = defineOperation({
  name: "worktree.create",
  summary: "Create your own git worktree on its own branch, or return the one you have by that name",
  http: "POST /v1/worktrees",
  actor: "agent",
  input: z.strictObject({ name: Name.default("work").describe("Its name") }),
  output: z.object({
    worktree: Worktree,
    notice: z.string().optional().describe("Changes of your current tree that it does not contain"),
  }),
  errors: ["input.invalid", "agent.ended", "workspace.unavailable"],
  example: { name: "rate-limit" },
});

export const list = defineOperation({
  name: "worktree.list",
  summary: "List the worktrees that agents created",
  http: "GET /v1/worktrees",
  actor: "agent",
  input: z.strictObject({}),
  output: z.object({ items: z.array(Worktree) }),
  errors: ["input.invalid", "workspace.unavailable"],
  example: {},
});

export const remove = defineOperation({
  name: "worktree.remove",
  summary: "Remove a worktree; uncommitted or unmerged work is kept under a git reference",
  http: "POST /v1/worktrees/remove",
  actor: "agent",
  input: z.strictObject({ name: Name.default("work").describe("Its name") }),
  output: z.object({
    removed: z.string().describe("The removed folder"),
    quarantined: z.string().optional().describe("Git reference that keeps unsaved work"),
  }),
  errors: ["input.invalid", "agent.ended", "workspace.unavailable", "worktree.not-found"],
  example: { name: "rate-limit" },
});

export const WorktreeCreated = defineEvent(
  "worktree.created",
  1,
  "An agent created a worktree",
  z.object({ worktree: Worktree, by: AgentRef }),
);

export const WorktreeRemoved = defineEvent(
  "worktree.removed",
  1,
  "A worktree was removed",
  z.object({ worktree: Worktree, quarantined: z.string().optional(), by: AgentRef }),
);
