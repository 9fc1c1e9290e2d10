/** Messages in the shape of Claude Code 2.1, written by us. */
import { expect, it } from "vitest";
import { clientAdapterSuite } from "./client-adapter.ts";
import { claudeCode } from "../../src/adapters/claude-code/index.ts";

const base = { session_id: "5b1c", transcript_path: "/t.jsonl", cwd: "/home/ada/shop" };
const session = { key: "5b1c", client: "claude-code" } as const;
const child = { key: "5b1c/a-1", client: "claude-code", parent: "5b1c" } as const;
const message = (event: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ ...base, hook_event_name: event, ...fields });
const tool = (tool_name: string, tool_input: unknown, more: object = {}): string =>
  message("PreToolUse", { permission_mode: "default", tool_name, tool_input, tool_use_id: "toolu_1", ...more });

clientAdapterSuite(claudeCode, [
  {
    event: "SessionStart",
    body: message("SessionStart", { source: "startup" }),
    means: { kind: "session-start", session },
  },
  {
    event: "SessionStart",
    body: message("SessionStart", { source: "clear" }),
    means: { kind: "session-start", session },
  },
  {
    event: "PreToolUse",
    body: tool("Edit", { file_path: "/home/ada/shop/a.ts", old_string: "a", new_string: "b", replace_all: false }),
    means: { kind: "write", session, cwd: "/home/ada/shop", paths: ["/home/ada/shop/a.ts"] },
  },
  {
    event: "PreToolUse",
    body: tool("Write", { file_path: "/home/ada/shop/a.ts", content: "x" }, { agent_id: "a-1", agent_type: "Explore" }),
    means: { kind: "write", session: child },
  },
  {
    event: "PreToolUse",
    body: tool("NotebookEdit", { notebook_path: "/home/ada/shop/n.ipynb", new_source: "1" }),
    means: { kind: "write", paths: ["/home/ada/shop/n.ipynb"] },
  },
  { event: "PreToolUse", body: tool("Bash", { command: "ls", description: "list" }), means: undefined },
  {
    event: "PreToolUse",
    body: tool("Bash", { command: "cd src && sed -i s/a/b/ a.ts && echo x > '../b c.ts'" }),
    means: { kind: "write", session, paths: ["/home/ada/shop/src/a.ts", "/home/ada/shop/b c.ts"] },
  },
  {
    event: "PreToolUse",
    body: tool("Bash", { command: 'echo x > "$OUT"; rm src/*.ts' }),
    means: {
      kind: "write",
      paths: [],
      patterns: ["/home/ada/shop/src/*.ts"],
      unknown: ["$OUT: redirect"],
    },
  },
  {
    event: "PreToolUse",
    body: tool("mcp__lab__reserve", { path: "x" }),
    means: { kind: "write", paths: ["/home/ada/shop/x"] },
  },
  {
    event: "PostToolBatch",
    body: message("PostToolBatch", {
      tool_calls: [
        { tool_name: "Read", tool_input: { file_path: "/home/ada/shop/a.ts" }, tool_use_id: "1", tool_response: {} },
        { tool_name: "Edit", tool_input: { file_path: "/home/ada/shop/b.ts" }, tool_use_id: "2", tool_response: {} },
        { tool_name: "Bash", tool_input: { command: "touch c.ts" }, tool_use_id: "3", tool_response: {} },
        { tool_name: "Grep", tool_input: 7 },
        null,
      ],
    }),
    means: {
      kind: "used",
      session,
      read: ["/home/ada/shop/a.ts"],
      wrote: ["/home/ada/shop/b.ts", "/home/ada/shop/c.ts"],
    },
  },
  {
    event: "PostToolBatch",
    body: message("PostToolBatch", { tool_calls: [] }),
    means: { kind: "used", read: [], wrote: [], ended: [] },
  },
  {
    event: "SubagentStart",
    body: message("SubagentStart", { agent_id: "a-1", agent_type: "Explore" }),
    means: { kind: "sign-of-life", session: child },
  },
  {
    event: "SubagentStop",
    body: message("SubagentStop", { agent_id: "a-1", agent_type: "Explore", stop_hook_active: false }),
    means: { kind: "session-end", session: child },
  },
  { event: "SubagentStop", body: message("SubagentStop", {}), means: undefined },
  {
    event: "Stop",
    body: message("Stop", { stop_hook_active: false }),
    means: { kind: "turn-end", session, again: false },
  },
  { event: "Stop", body: message("Stop", { stop_hook_active: true }), means: { kind: "turn-end", again: true } },
  {
    event: "SessionEnd",
    body: message("SessionEnd", { reason: "prompt_input_exit" }),
    means: { kind: "session-end", session },
  },
]);

it("takes the client's process from the launcher, for the session itself only", () => {
  const read = (fields: object) =>
    claudeCode.readEvent("Stop", Buffer.from(message("Stop", { ...fields })), { "sylk-pid": "77" });
  expect(read({})).toMatchObject({ session: { pid: 77 } });
  expect(read({ agent_id: "a-1" })).toEqual(expect.objectContaining({ session: child }));
});
