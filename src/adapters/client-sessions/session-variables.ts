/**
 * The variables by which clients name their session to the processes they start; opencode's is set by our plugin. Every
 * command reads this table, so it imports no adapter.
 */
import type { SessionVariable } from "../../contract/index.ts";

export const sessionVariables: readonly SessionVariable[] = [
  { variable: "CLAUDE_CODE_SESSION_ID", client: "claude-code", pid: "CLAUDE_PID" },
  { variable: "CODEX_SESSION_ID", client: "codex" },
  { variable: "GEMINI_SESSION_ID", client: "gemini" },
  { variable: "SYLK_OPENCODE_SESSION", client: "opencode" },
];
