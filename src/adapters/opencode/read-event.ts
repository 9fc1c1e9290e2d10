/**
 * Reads the messages of our plugin inside opencode as our events. Sub-agents are sessions of their own that name their parent. Tools as of
 * 1.18: `write`, `edit` and `multiedit` with `filePath`, `bash` with `command`, `patch` and `apply_patch` with `patchText`.
 * Mail is asked for as a message comes in; a sub-agent gets none.
 */
import { resolve } from "node:path";
import type { HookEvent, HookHeaders, HookSession } from "../../contract/index.ts";
import {
  callId,
  processOf,
  readSent,
  type Sent,
  textOf,
  type Written,
  writeEvent,
  writtenByCommand,
  writtenByPatch,
  writtenByTool,
  writtenFile,
} from "../hook-input/index.ts";

export function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  const sent = readSent(body);
  const cwd = textOf(sent, "cwd");
  const session = sessionOf(sent, headers);
  switch (event) {
    case "start":
      return session.parent === undefined
        ? { kind: "session-start", session, cwd }
        : { kind: "sign-of-life", session, cwd };
    case "tool":
      return writeEvent(written(sent, cwd), { session, cwd }, { tool: sent.tool, input: sent.args, id: sent.call_id });
    case "tool-end":
      return { kind: "used", session, cwd, read: [], wrote: [], ended: [callId(sent.call_id)] };
    case "message":
      return session.parent === undefined
        ? { kind: "turn-end", session, cwd, again: false }
        : { kind: "sign-of-life", session, cwd };
    case "idle":
      if (session.parent !== undefined) return { kind: "session-end", session, cwd };
      return sent.shown === true
        ? { kind: "turn-end", session, cwd, again: true }
        : { kind: "sign-of-life", session, cwd };
    case "end":
      return { kind: "session-end", session, cwd };
    default:
      return undefined;
  }
}

/** Its own tools that write no file of a tree. */
const readers: ReadonlySet<string> = new Set(
  "read list glob grep webfetch websearch codesearch todoread todowrite task skill lsp question batch invalid".split(
    " ",
  ),
);

function sessionOf(sent: Sent, headers: HookHeaders): HookSession {
  const session = { key: textOf(sent, "session_id"), client: "opencode" } as const;
  return sent.parent_id === undefined
    ? { ...session, ...processOf(headers) }
    : { ...session, parent: textOf(sent, "parent_id") };
}

function written({ tool, args }: Sent, cwd: string): Written {
  if (typeof args !== "object" || args === null) return undefined;
  const { command, workdir, patchText, filePath } = args as Sent;
  switch (tool) {
    case "bash":
      return writtenByCommand(command, typeof workdir === "string" ? resolve(cwd, workdir) : cwd);
    case "patch":
    case "apply_patch":
      return writtenByPatch(patchText, cwd);
    case "write":
    case "edit":
    case "multiedit":
      return writtenFile(filePath, "filePath");
    default:
      return writtenByTool(tool, args, cwd, { readers });
  }
}
