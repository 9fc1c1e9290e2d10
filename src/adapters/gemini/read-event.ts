/**
 * What Gemini CLI sends on a hook's standard input -> our event. Fields as of 0.61: `session_id`, `cwd`, `timestamp`; tools
 * are `write_file` and `replace` with `file_path`, and `run_shell_command` with `command` and perhaps a folder below `cwd`.
 * It says nothing about sub-agents.
 */
import { resolve } from "node:path";
import type { HookEvent, HookHeaders } from "../../contract/index.ts";
import { malformed, processOf, readSent, type Sent, textOf, writtenByShell } from "../hook-input/index.ts";

export function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  const sent = readSent(body);
  const cwd = textOf(sent, "cwd");
  const session = { key: textOf(sent, "session_id"), client: "gemini", ...processOf(headers) } as const;
  switch (event) {
    case "SessionStart":
      return { kind: "session-start", session, cwd };
    case "BeforeTool": {
      const paths = writtenFiles(sent, cwd);
      return paths.length === 0 ? undefined : { kind: "write", session, cwd, paths };
    }
    case "AfterAgent":
      return { kind: "sign-of-life", session, cwd };
    case "SessionEnd":
      return { kind: "session-end", session, cwd };
    default:
      return undefined;
  }
}

function writtenFiles({ tool_name: tool, tool_input: input }: Sent, cwd: string): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  const { command, dir_path: folder, file_path: path } = input as Sent;
  if (tool === "run_shell_command")
    return writtenByShell(command, typeof folder === "string" ? resolve(cwd, folder) : cwd);
  if (tool !== "write_file" && tool !== "replace") return [];
  if (typeof path !== "string" || path === "") throw malformed("has no file_path");
  return [path];
}
