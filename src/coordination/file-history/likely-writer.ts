/**
 * Finds the likely writer of a change from the tool calls around it. Pure; says how it is known, and guesses between no two.
 *
 *   a call under way that named the file          -> its agent: named
 *   a command with unknown write targets          -> its agent, if there is only one such agent: under-way
 *   several agents could have written it          -> no author: several
 *
 * A call that has ended comes last: what it wrote was read at its end, so a later change is rather another's.
 */
import type { AgentRef, FileVersion } from "../../contract/index.ts";
import { glob, InvalidPattern, matches } from "../globs/index.ts";
import { lateMs, type ToolCall } from "../guard/index.ts";

export type Writer = Pick<FileVersion, "knownBy"> & {
  readonly author: AgentRef | undefined;
  readonly command: string | undefined;
};

/** A call whose end is never reported is over after this long. */
const longestCallMs = 120_000;
const unknownWriter: Writer = { author: undefined, knownBy: "unknown", command: undefined };

/** `at` on the monotonic clock; `calls` of the file's tree. */
export function likelyWriter(path: string, at: number, calls: readonly ToolCall[]): Writer {
  const around = calls.filter(
    ({ startedAt, endedAt = startedAt + longestCallMs }) => startedAt <= at && at <= endedAt + lateMs,
  );
  const naming = around.filter((call) => names(call, path));
  const unknown = around.filter((call) => call.unknown);
  for (const [candidates, knownBy] of [
    [naming.filter(isOpen), "named"],
    [unknown.filter(isOpen), "under-way"],
    [naming, "named"],
    [unknown, "under-way"],
  ] as const) {
    const last = candidates.at(-1);
    if (last === undefined) continue;
    if (new Set(candidates.map(({ agent }) => agent.id)).size > 1) return { ...unknownWriter, knownBy: "several" };
    return { author: last.agent, knownBy, command: last.command };
  }
  return unknownWriter;
}

function isOpen({ endedAt }: ToolCall): boolean {
  return endedAt === undefined;
}

function names({ paths, patterns }: ToolCall, path: string): boolean {
  return paths.includes(path) || patterns.some((text) => matchesGlob(text, path));
}

function matchesGlob(text: string, path: string): boolean {
  try {
    return matches(glob(text), path);
  } catch (error) {
    if (error instanceof InvalidPattern) return false; // a call was let pass with it all the same
    throw error;
  }
}
