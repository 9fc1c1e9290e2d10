/**
 * Session indexes: for tools that insist on `git add` and `git commit`, an index that one session alone stages into.
 *
 *   open -> a file made from HEAD -> export GIT_INDEX_FILE=… -> git add, git commit -> close, or the session's end
 *   another agent committed, or a day has passed -> built anew from HEAD, with what this session has staged
 *
 * Invariant: what it has staged are changes of its session; a path that others committed meanwhile is not among them.
 */
import * as z from "zod";
import { AgentRef } from "./agent.ts";
import { defineEvent, defineOperation } from "./define.ts";
import { AgentId } from "./ids.ts";
import { TimeMs } from "./page.ts";

export const SessionIndex = z.object({
  agent: AgentId.describe("The agent that owns it"),
  tree: z.string().describe("Working tree it belongs to"),
  file: z.string().describe("For GIT_INDEX_FILE"),
  builtAt: TimeMs.describe("When it was last rebuilt from HEAD"),
});
export type SessionIndex = Readonly<z.infer<typeof SessionIndex>>;

const Unstaged = z.array(z.string()).describe("Staged paths that others committed meanwhile: stage them again");

export const open = defineOperation({
  name: "index.open",
  summary: "Create or refresh a private git index for your add and commit",
  http: "POST /v1/indexes",
  actor: "agent",
  input: z.strictObject({
    tree: z.string().min(1).max(4096).optional().describe("Working tree to commit in; default: the agent's own"),
  }),
  output: z.object({ index: SessionIndex, unstaged: Unstaged }),
  errors: [
    "input.invalid",
    "project.not-found",
    "caller.denied",
    "agent.ended",
    "workspace.unavailable",
    "commit.not-possible",
  ],
  verbatim: ["tree"],
  example: {},
});

export const close = defineOperation({
  name: "index.close",
  summary: "Remove your private git index; staged changes stay in the files",
  http: "POST /v1/indexes/close",
  actor: "agent",
  input: z.strictObject({}),
  output: z.object({ removed: z.string().optional().describe("The removed file; absent if there was none") }),
  errors: ["input.invalid", "agent.ended"],
  example: {},
});

const fact = z.object({ index: SessionIndex, by: AgentRef });
export const SessionIndexOpened = defineEvent("index.opened", 1, "An agent got a private index", fact);
export const SessionIndexClosed = defineEvent("index.closed", 1, "An agent's private index was removed", fact);
export const SessionIndexRebuilt = defineEvent(
  "index.rebuilt",
  1,
  "An agent's private index was rebuilt from HEAD",
  fact.extend({ kept: z.array(z.string()), unstaged: Unstaged }),
);
