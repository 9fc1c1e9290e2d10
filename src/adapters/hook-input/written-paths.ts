/** Finds the write targets of a tool call whose arguments are a shell command or a patch. */
import { resolve } from "node:path";
import type { HookEvent, HookSession } from "../../contract/index.ts";
import { patchTargets } from "../patches/index.ts";
import { writtenByShell } from "../shell-writes/index.ts";
import { malformed } from "./read-sent.ts";

/** Undefined where nothing is written. */
export type Written = Omit<Extract<HookEvent, { kind: "write" }>, "kind" | "session" | "cwd" | "command"> | undefined;

/** As many, and as long, as `guard.write` takes. */
const mostPaths = 500;
const longestPath = 4096;

const longestCommand = 500;

/** What a person reads of a tool call: the tool, and its command line where it has one. */
export function commandText(tool: unknown, input: unknown): { readonly command?: string } {
  if (typeof tool !== "string" || tool === "") return {};
  const { command } = Object(input) as { command?: unknown };
  const text = typeof command === "string" && !command.startsWith("*** Begin Patch") ? `${tool}: ${command}` : tool;
  return { command: text.slice(0, longestCommand) };
}

const longestCallId = 200;

/** The client's own id of a call, where it gives one. */
export function callId(id: unknown): { readonly call?: string } {
  return typeof id === "string" && id !== "" && id.length <= longestCallId ? { call: id } : {};
}

type Call = { readonly tool: unknown; readonly input: unknown; readonly id: unknown };

/** The event of a tool call that writes; undefined for one that does not. */
export function writeEvent(
  writes: Written,
  where: { readonly session: HookSession; readonly cwd: string },
  { tool, input, id }: Call,
): HookEvent | undefined {
  return writes && { kind: "write", ...where, ...writes, ...commandText(tool, input), ...callId(id) };
}

export function writtenByCommand(command: unknown, cwd: string): Written {
  if (typeof command !== "string") throw malformed("has no command");
  return writtenByShell(command, cwd);
}

/** In Codex's form. */
export function writtenByPatch(patch: unknown, cwd: string): Written {
  if (typeof patch !== "string") throw malformed("has no patch");
  const paths = [...new Set(patchTargets(patch).map(({ path }) => resolve(cwd, path)))];
  const named = paths.filter((path) => path.length <= longestPath).slice(0, mostPaths);
  if (named.length === paths.length) return paths.length === 0 ? undefined : { paths };
  return { paths: named, unknown: ["more files than can be asked for"] };
}

export function writtenFile(path: unknown, field: string): Written {
  if (typeof path !== "string" || path === "") throw malformed(`has no ${field}`);
  return { paths: [path] };
}
