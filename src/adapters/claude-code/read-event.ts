/**
 * What Claude Code sends on a hook's standard input -> our event. Fields as of 2.1: `session_id`, `cwd`, and inside a
 * sub-agent `agent_id` beside the parent's `session_id`.
 */
import { DomainError, type HookEvent, type HookHeaders, type HookSession } from "../../contract/index.ts";

type Sent = Readonly<Record<string, unknown>>;

const longestKey = 200;
/** Where each writing tool names its file. */
const fileField: Readonly<Record<string, string>> = {
  Edit: "file_path",
  Write: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

export function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  const sent = parse(body);
  const cwd = text(sent, "cwd");
  const session = sessionOf(sent, headers);
  switch (event) {
    case "SessionStart":
      return { kind: "session-start", session, cwd };
    case "PreToolUse": {
      const path = writtenFile(sent);
      return path === undefined ? undefined : { kind: "write", session, cwd, paths: [path] };
    }
    case "SubagentStart":
    case "Stop":
      return { kind: "sign-of-life", session, cwd };
    case "SubagentStop":
      return session.parent === undefined ? undefined : { kind: "session-end", session, cwd };
    case "SessionEnd":
      return { kind: "session-end", session, cwd };
    default:
      return undefined;
  }
}

function parse(body: Uint8Array): Sent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw malformed("is no JSON", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("is no JSON object");
  return value as Sent;
}

/** A sub-agent's events carry its parent's session: its own key is made of both. */
function sessionOf(sent: Sent, headers: HookHeaders): HookSession {
  const own = text(sent, "session_id");
  const pid = Number(headers["sylk-pid"]);
  const process = Number.isSafeInteger(pid) && pid > 0 ? { pid } : {};
  const child = sent.agent_id;
  if (typeof child !== "string" || child === "") return { key: own, client: "claude-code", ...process };
  const key = `${own}/${child}`;
  if (key.length > longestKey) throw malformed("names a sub-agent by more than 200 characters");
  return { key, client: "claude-code", parent: own };
}

function writtenFile({ tool_name: tool, tool_input: input }: Sent): string | undefined {
  const field = typeof tool === "string" && Object.hasOwn(fileField, tool) ? fileField[tool] : undefined;
  if (field === undefined || typeof input !== "object" || input === null) return undefined;
  const path = (input as Sent)[field];
  if (typeof path !== "string" || path === "") throw malformed(`has no ${field}`);
  return path;
}

function text(sent: Sent, field: string): string {
  const value = sent[field];
  if (typeof value === "string" && value !== "" && value.length <= (field === "cwd" ? 4096 : longestKey)) return value;
  throw malformed(`has no usable ${field}`);
}

function malformed(what: string, cause?: unknown): DomainError {
  return new DomainError("input.malformed", `What the client sent ${what}`, { details: { reason: what }, cause });
}
