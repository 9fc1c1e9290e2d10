/**
 * Reads Codex's hook messages on standard input as our events. Fields as of 0.166: Claude's, and `turn_id`, `model`. The shell is
 * `Bash` with `command`; a patch is `apply_patch` with the patch as its `command`.
 */
import type { HookEvent, HookHeaders } from "../../contract/index.ts";
import {
  readSent,
  type Sent,
  sessionOf,
  textOf,
  type Written,
  writeEvent,
  writtenByCommand,
  writtenByPatch,
  writtenByTool,
} from "../hook-input/index.ts";

export function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  const sent = readSent(body);
  const cwd = textOf(sent, "cwd");
  const session = sessionOf(sent, headers, "codex");
  switch (event) {
    case "SessionStart":
      return { kind: "session-start", session, cwd };
    case "PreToolUse":
      return writeEvent(
        written(sent, cwd),
        { session, cwd },
        { tool: sent.tool_name, input: sent.tool_input, id: sent.tool_use_id },
      );
    case "Stop":
      return { kind: "turn-end", session, cwd, again: sent.stop_hook_active === true };
    case "SubagentStart":
      return { kind: "sign-of-life", session, cwd };
    case "SubagentStop":
      return session.parent === undefined ? undefined : { kind: "session-end", session, cwd };
    case "SessionEnd":
      return { kind: "session-end", session, cwd };
    default:
      return undefined;
  }
}

function written({ tool_name: tool, tool_input: input }: Sent, cwd: string): Written {
  if (typeof input !== "object" || input === null) return undefined;
  const { command } = input as Sent;
  if (tool === "Bash") return writtenByCommand(command, cwd);
  return tool === "apply_patch" ? writtenByPatch(command, cwd) : writtenByTool(tool, input, cwd, { readers });
}

/** Its own tools that write no file. */
const readers: ReadonlySet<string> = new Set(
  "update_plan view_image web_search list_mcp_resources list_mcp_resource_templates read_mcp_resource".split(" "),
);
