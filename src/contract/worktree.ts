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
  agent: AgentId.describe("Who asked for it"),
});
export type Worktree = Readonly<z.infer<typeof Worktree>>;

export const create = defineOperation({
  name: "worktree.create",
  summary: "Get a working tree of your own on a branch of your own, or the one you have of that name",
  http: "POST /v1/worktrees",
  actor: "agent",
  input: z.strictObject({ name: Name.default("work").describe("What you call it") }),
  output: z.object({
    worktree: Worktree,
    notice: z.string().optional().describe("What of your present tree is not part of it"),
  }),
  errors: ["input.invalid", "agent.ended", "workspace.unavailable"],
  example: { name: "rate-limit" },
});

export const list = defineOperation({
  name: "worktree.list",
  summary: "List the working trees that agents asked for",
  http: "GET /v1/worktrees",
  actor: "agent",
  input: z.strictObject({}),
  output: z.object({ items: z.array(Worktree) }),
  errors: ["input.invalid", "workspace.unavailable"],
  example: {},
});

export const remove = defineOperation({
  name: "worktree.remove",
  summary: "Give a working tree back; what is not committed, or on no other branch, is kept by a reference",
  http: "POST /v1/worktrees/remove",
  actor: "agent",
  input: z.strictObject({ name: Name.default("work").describe("What you called it") }),
  output: z.object({
    removed: z.string().describe("The folder that is gone"),
    quarantined: z.string().optional().describe("Reference that keeps what was unsaved"),
  }),
  errors: ["input.invalid", "agent.ended", "workspace.unavailable", "worktree.not-found"],
  example: { name: "rate-limit" },
});

export const WorktreeCreated = defineEvent(
  "worktree.created",
  1,
  "An agent got a working tree of its own",
  z.object({ worktree: Worktree, by: AgentRef }),
);

export const WorktreeRemoved = defineEvent(
  "worktree.removed",
  1,
  "A working tree was given back",
  z.object({ worktree: Worktree, quarantined: z.string().optional(), by: AgentRef }),
);
