/**
 * Reads Claude Code's hook messages on standard input as our events. Fields as of 2.1: `session_id`, `cwd`, and inside a
 * sub-agent `agent_id` beside the parent's `session_id`.
 */
import type { EndedCall, HookEvent, HookHeaders, HookSession } from "../../contract/index.ts";
import {
  callId,
  commandText,
  malformed,
  metReadOnly,
  mostSaid,
  readSent,
  type Sent,
  sessionOf,
  textOf,
  type Written,
  writeEvent,
  writtenByCommand,
  writtenByTool,
  writtenFile,
} from "../hook-input/index.ts";

/** As many, and as long, as `guard.used` takes. */
const mostPaths = 500;
const longestPath = 4096;
/** Where each writing tool names its file. */
const fileField: Readonly<Record<string, string>> = {
  Edit: "file_path",
  Write: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};
/** Its own tools that write no file of a tree; what a sub-agent does comes as calls of its own. */
const readers: ReadonlySet<string> = new Set(
  (
    "Read Grep Glob LS NotebookRead WebFetch WebSearch Task Agent TaskOutput TaskStop TaskCreate TaskGet TaskList TaskUpdate " +
    "TodoRead TodoWrite BashOutput KillShell KillBash ExitPlanMode EnterPlanMode AskUserQuestion Skill SlashCommand " +
    "ToolSearch ListMcpResourcesTool ReadMcpResourceTool LSP SendMessage TeamCreate TeamDelete Monitor Sleep StructuredOutput"
  ).split(" "),
);
/** Every tool that is not among them, also one that a later version brings. A matcher with these signs is a regular expression. */
export const guardedTools = `^(?!(?:${[...readers].join("|")})$|mcp__(?:plugin_)?sylk_).`;
/** Only calls that were told before they began have an end to tell. */
const announced = new RegExp(guardedTools);

export function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  const sent = readSent(body);
  const cwd = textOf(sent, "cwd");
  const session = sessionOf(sent, headers, "claude-code");
  switch (event) {
    case "SessionStart":
      return { kind: "session-start", session, cwd };
    case "PreToolUse":
      return writeEvent(
        written(sent, cwd),
        { session, cwd },
        { tool: sent.tool_name, input: sent.tool_input, id: sent.tool_use_id },
      );
    case "PostToolBatch":
      return usedFiles(sent, session, cwd);
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
  if (tool === "Bash") return writtenByCommand((input as Sent).command, cwd);
  const field = typeof tool === "string" && Object.hasOwn(fileField, tool) ? fileField[tool] : undefined;
  if (field !== undefined) return writtenFile((input as Sent)[field], field);
  return writtenByTool(tool, input, cwd, { readers });
}

/** All tools of one answer of the model in one event: reads cost no process each. Calls that make no sense are left out. */
function usedFiles({ tool_calls: calls }: Sent, session: HookSession, cwd: string): HookEvent {
  if (!Array.isArray(calls)) throw malformed("has no tool_calls");
  const read: string[] = [];
  const wrote: string[] = [];
  const said: string[] = [];
  const ended: EndedCall[] = [];
  for (const call of calls) {
    const { tool_name: tool, tool_input: input, tool_response: answer, tool_use_id: id } = Object(call) as Sent;
    if (announced.test(String(tool))) ended.push({ ...commandText(tool, input), ...callId(id) });
    if (tool === "Bash") said.push(...metReadOnly(answer));
    const { file_path: path, command } = Object(input) as Sent;
    if (tool === "Read" && typeof path === "string") read.push(path);
    else if (tool === "Bash" && typeof command === "string")
      wrote.push(...(writtenByCommand(command, cwd)?.paths ?? []));
    else if (typeof tool === "string" && Object.hasOwn(fileField, tool)) {
      const file = (Object(input) as Sent)[fileField[tool]!];
      if (typeof file === "string") wrote.push(file);
    }
  }
  const [known, changed] = [read, wrote].map((files) =>
    files.filter((file) => file !== "" && file.length <= longestPath).slice(0, mostPaths),
  );
  const words = said.join("\n").slice(-mostSaid) || undefined;
  return { kind: "used", session, cwd, read: known!, wrote: changed!, ended: ended.slice(0, mostPaths), said: words };
}
