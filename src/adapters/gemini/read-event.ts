/**
 * Reads Gemini CLI's hook messages on standard input as our events. Fields as of 0.61: `session_id`, `cwd`, `timestamp`; tools
 * are `write_file` and `replace` with `file_path`, and `run_shell_command` with `command` and perhaps a folder below `cwd`.
 * It says nothing about sub-agents.
 */
import { resolve } from "node:path";
import type { HookEvent, HookHeaders } from "../../contract/index.ts";
import {
  processOf,
  readSent,
  type Sent,
  textOf,
  type Written,
  writeEvent,
  writtenByCommand,
  writtenByTool,
  writtenFile,
} from "../hook-input/index.ts";

export function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  const sent = readSent(body);
  const cwd = textOf(sent, "cwd");
  const session = { key: textOf(sent, "session_id"), client: "gemini", ...processOf(headers) } as const;
  switch (event) {
    case "SessionStart":
      return { kind: "session-start", session, cwd };
    case "BeforeTool":
      return writeEvent(
        written(sent, cwd),
        { session, cwd },
        { tool: sent.tool_name, input: sent.tool_input, id: sent.tool_use_id },
      );
    case "AfterAgent":
      return { kind: "turn-end", session, cwd, again: sent.stop_hook_active === true };
    case "SessionEnd":
      return { kind: "session-end", session, cwd };
    default:
      return undefined;
  }
}

function written({ tool_name: tool, tool_input: input }: Sent, cwd: string): Written {
  if (typeof input !== "object" || input === null) return undefined;
  const { command, dir_path: folder, file_path: path } = input as Sent;
  if (tool === "run_shell_command")
    return writtenByCommand(command, typeof folder === "string" ? resolve(cwd, folder) : cwd);
  if (tool === "write_file" || tool === "replace") return writtenFile(path, "file_path");
  return writtenByTool(tool, input, cwd, { readers });
}

/** Its own tools that write no file of a tree. */
const readers: ReadonlySet<string> = new Set(
  "read_file read_many_files list_directory glob search_file_content grep_search web_fetch google_web_search save_memory write_todos ask_user activate_skill".split(
    " ",
  ),
);
/** Every other tool, of other servers too. */
export const guardedTools = `^(?!(?:${[...readers].join("|")})$|mcp_sylk_|sylk__).`;
