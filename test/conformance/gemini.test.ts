/** Messages in the shape of Gemini CLI 0.61, written by us. */
import { clientAdapterSuite } from "./client-adapter.ts";
import { gemini } from "../../src/adapters/gemini/index.ts";

const base = {
  session_id: "7f3a",
  transcript_path: "/t.jsonl",
  cwd: "/home/ada/shop",
  timestamp: "2026-11-16T05:00:00.000Z",
};
const session = { key: "7f3a", client: "gemini" } as const;
const message = (event: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ ...base, hook_event_name: event, ...fields });
const tool = (tool_name: string, tool_input: unknown): string => message("BeforeTool", { tool_name, tool_input });

clientAdapterSuite(gemini, [
  {
    event: "SessionStart",
    body: message("SessionStart", { source: "startup" }),
    means: { kind: "session-start", session, cwd: "/home/ada/shop" },
  },
  {
    event: "BeforeTool",
    body: tool("write_file", { file_path: "/home/ada/shop/a.ts", content: "x" }),
    means: { kind: "write", session, paths: ["/home/ada/shop/a.ts"] },
  },
  {
    event: "BeforeTool",
    body: tool("replace", { file_path: "src/a.ts", old_string: "a", new_string: "b" }),
    means: { kind: "write", session, cwd: "/home/ada/shop", paths: ["src/a.ts"] },
  },
  {
    event: "BeforeTool",
    body: tool("run_shell_command", { command: "echo x > a.ts", dir_path: "src" }),
    means: { kind: "write", session, paths: ["/home/ada/shop/src/a.ts"] },
  },
  { event: "BeforeTool", body: tool("run_shell_command", { command: "ls" }), means: undefined },
  { event: "BeforeTool", body: tool("read_file", { file_path: "a.ts" }), means: undefined },
  {
    event: "AfterAgent",
    body: message("AfterAgent", { prompt: "p", prompt_response: "r", stop_hook_active: false }),
    means: { kind: "turn-end", session, again: false },
  },
  {
    event: "AfterAgent",
    body: message("AfterAgent", { prompt: "mail", prompt_response: "r", stop_hook_active: true }),
    means: { kind: "turn-end", session, again: true },
  },
  { event: "SessionEnd", body: message("SessionEnd", { reason: "exit" }), means: { kind: "session-end", session } },
]);
