/** Messages in the shape of Codex 0.166, written by us. */
import { expect, it } from "vitest";
import { clientAdapterSuite } from "./client-adapter.ts";
import { codex } from "../../src/adapters/codex/index.ts";

const base = { session_id: "0199", transcript_path: null, cwd: "/home/ada/shop", model: "gpt-5.5" };
const session = { key: "0199", client: "codex" } as const;
const child = { key: "0199/a-1", client: "codex", parent: "0199" } as const;
const message = (event: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ ...base, hook_event_name: event, permission_mode: "default", ...fields });
const tool = (tool_name: string, tool_input: unknown, more: object = {}): string =>
  message("PreToolUse", { turn_id: "t-1", tool_name, tool_input, tool_use_id: "call_1", ...more });

const patch = `*** Begin Patch
*** Update File: src/cart.ts
*** Move to: src/basket.ts
@@
-a
+*** Add File: no file, a line
*** Add File: /home/ada/shop/docs/a b.md
+text
*** Delete File: old.ts
*** End Patch`;
const patched = ["src/cart.ts", "src/basket.ts", "docs/a b.md", "old.ts"].map((path) => `/home/ada/shop/${path}`);

clientAdapterSuite(codex, [
  {
    event: "SessionStart",
    body: message("SessionStart", { source: "startup" }),
    means: { kind: "session-start", session, cwd: "/home/ada/shop" },
  },
  {
    event: "PreToolUse",
    body: tool("apply_patch", { command: patch }),
    means: { kind: "write", session, paths: patched },
  },
  {
    event: "PreToolUse",
    body: tool("Bash", { command: `apply_patch <<'EOF'\n${patch}\nEOF\n` }),
    means: { kind: "write", session, paths: patched },
  },
  {
    event: "PreToolUse",
    body: tool("Bash", { command: "cd src && sed -i s/a/b/ a.ts" }, { agent_id: "a-1", agent_type: "worker" }),
    means: { kind: "write", session: child, paths: ["/home/ada/shop/src/a.ts"] },
  },
  { event: "PreToolUse", body: tool("Bash", { command: "ls" }), means: undefined },
  {
    event: "PreToolUse",
    body: tool("mcp__lab__reserve", { path: "x" }),
    means: { kind: "write", paths: ["/home/ada/shop/x"] },
  },
  {
    event: "SubagentStart",
    body: message("SubagentStart", { agent_id: "a-1", agent_type: "worker" }),
    means: { kind: "sign-of-life", session: child },
  },
  {
    event: "SubagentStop",
    body: message("SubagentStop", { agent_id: "a-1", agent_type: "worker", stop_hook_active: false }),
    means: { kind: "session-end", session: child },
  },
  { event: "SubagentStop", body: message("SubagentStop"), means: undefined },
  {
    event: "Stop",
    body: message("Stop", { stop_hook_active: false }),
    means: { kind: "turn-end", session, again: false },
  },
  {
    event: "SessionEnd",
    body: message("SessionEnd", { reason: "other" }),
    means: { kind: "session-end", session },
  },
]);

it("takes the client's process from the launcher, for the session itself only", () => {
  const read = (fields: object) =>
    codex.readEvent("Stop", Buffer.from(message("Stop", { ...fields })), { "sylk-pid": "77" });
  expect(read({})).toMatchObject({ session: { pid: 77 } });
  expect(read({ agent_id: "a-1" })).toEqual(expect.objectContaining({ session: child }));
});
