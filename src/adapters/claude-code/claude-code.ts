/**
 * Claude Code behind the client interface: the events we listen to, and where its settings are.
 *
 * `Stop` is the end of a turn, not of the session: it releases nothing. The only way to say something to the model there is
 * to let it continue, with the text as the reason. What teams say about tasks is read by agent-teams/, where that is switched
 * on; this adapter does not answer it.
 */
import { join } from "node:path";
import type { InstallableClientV1 } from "../../contract/index.ts";
import { guardedTools, readEvent } from "./read-event.ts";

export const claudeCode: InstallableClientV1 = {
  version: 1,
  name: "claude-code",
  instructions: { file: "CLAUDE.md", pointer: "@AGENTS.md" },
  readEvent,
  tell: (event, text) =>
    event === "Stop"
      ? JSON.stringify({ decision: "block", reason: text })
      : JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
  deny,
  entries: [
    { event: "SessionStart", timeoutSeconds: 10 },
    { event: "PreToolUse", matcher: guardedTools, timeoutSeconds: 5 },
    { event: "PostToolBatch", timeoutSeconds: 5 },
    { event: "SubagentStart", timeoutSeconds: 5 },
    { event: "SubagentStop", timeoutSeconds: 5 },
    { event: "Stop", timeoutSeconds: 5 },
    { event: "TaskCreated", timeoutSeconds: 5 },
    { event: "TaskCompleted", timeoutSeconds: 5 },
    { event: "TeammateIdle", timeoutSeconds: 5 },
    { event: "SessionEnd", timeoutSeconds: 5 },
  ],
  hasStatusline: true,
  shellPrefixVariable: "CLAUDE_CODE_SHELL_PREFIX",
  settingsFile(scope, { tree, userHome, env }) {
    if (scope === "user") return join(env.CLAUDE_CONFIG_DIR || join(userHome, ".claude"), "settings.json");
    return join(tree, ".claude", scope === "project" ? "settings.json" : "settings.local.json");
  },
};

/** In the present form, and in the older one, which versions without the present form read. */
function deny(event: string, text: string): string | undefined {
  if (event !== "PreToolUse") return undefined;
  return JSON.stringify({
    decision: "block",
    reason: text,
    hookSpecificOutput: { hookEventName: event, permissionDecision: "deny", permissionDecisionReason: text },
  });
}
