/**
 * Gemini CLI behind the client interface: hooks and our MCP server in its settings; it counts timeouts in milliseconds.
 *
 * `AfterAgent` is the end of a turn. An answer that is denied there is kept, and the reason is the next prompt. `BeforeTool`
 * passes nothing on to the model but a denial.
 */
import { join } from "node:path";
import type { InstallableClientV1 } from "../../contract/index.ts";
import { guardedTools, readEvent } from "./read-event.ts";

export const gemini: InstallableClientV1 = {
  version: 1,
  name: "gemini",
  instructions: { file: "GEMINI.md", pointer: "@./AGENTS.md" },
  callsNameNoSession: true,
  readEvent,
  tell(event, text) {
    if (event === "BeforeTool") return undefined;
    return event === "AfterAgent"
      ? JSON.stringify({ decision: "deny", reason: text })
      : JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
  },
  // Exit code 2 denies as well, and tells the user that our hook has failed.
  deny: (event, text) => (event === "BeforeTool" ? JSON.stringify({ decision: "deny", reason: text }) : undefined),
  timeoutsInMs: true,
  entries: [
    { event: "SessionStart", timeoutSeconds: 10 },
    { event: "BeforeTool", matcher: guardedTools, timeoutSeconds: 5 },
    { event: "AfterAgent", timeoutSeconds: 5 },
    { event: "SessionEnd", timeoutSeconds: 5 },
  ],
  settingsFile: (scope, { tree, userHome }) => join(scope === "user" ? userHome : tree, ".gemini", "settings.json"),
  furtherParts: (file) => [
    {
      file,
      part: {
        kind: "member",
        what: "our MCP server",
        path: ["mcpServers", "sylk"],
        value: (home) => ({
          command: "sylk",
          args: ["mcp"],
          ...(home === undefined ? {} : { env: { SYLK_HOME: home } }),
        }),
      },
    },
  ],
};
