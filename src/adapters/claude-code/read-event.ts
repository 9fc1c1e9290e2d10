/**
 * What Claude Code sends on a hook's standard input -> our event. Fields as of 2.1: `session_id`, `cwd`, and inside a
 * sub-agent `agent_id` beside the parent's `session_id`.
 */
import { homedir } from "node:os";
import { DomainError, type HookEvent, type HookHeaders, type HookSession } from "../../contract/index.ts";
import { writeTargets } from "../shell-writes/index.ts";

type Sent = Readonly<Record<string, unknown>>;

const longestKey = 200;
/** As many, and as long, as `guard.write` takes. */
const mostPaths = 500;
const longestPath = 4096;
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
      const paths = writtenFiles(sent, cwd);
      return paths.length === 0 ? undefined : { kind: "write", session, cwd, paths };
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

function writtenFiles({ tool_name: tool, tool_input: input }: Sent, cwd: string): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  if (tool === "Bash") return writtenByShell((input as Sent).command, cwd);
  const field = typeof tool === "string" && Object.hasOwn(fileField, tool) ? fileField[tool] : undefined;
  if (field === undefined) return [];
  const path = (input as Sent)[field];
  if (typeof path !== "string" || path === "") throw malformed(`has no ${field}`);
  return [path];
}

/** What cannot be known before the command runs is let pass; the commit gate is behind it. */
function writtenByShell(command: unknown, cwd: string): readonly string[] {
  if (typeof command !== "string") throw malformed("has no command");
  const { targets } = writeTargets(command, { cwd, env: { HOME: homedir() } });
  return targets
    .filter(({ path, isPattern }) => !isPattern && path.length <= longestPath)
    .slice(0, mostPaths)
    .map(({ path }) => path);
}

function text(sent: Sent, field: string): string {
  const value = sent[field];
  if (typeof value === "string" && value !== "" && value.length <= (field === "cwd" ? 4096 : longestKey)) return value;
  throw malformed(`has no usable ${field}`);
}

function malformed(what: string, cause?: unknown): DomainError {
  return new DomainError("input.malformed", `What the client sent ${what}`, { details: { reason: what }, cause });
}
