/**
 * Finds the likely writer of a change from the tool calls around it. Pure; says how it is known, and guesses between no two.
 *
 *   a call under way that named the file          -> its agent: named
 *   a command with unknown write targets          -> its agent, if there is only one such agent: under-way
 *   several agents could have written it          -> no author: several
 *
 * What a call named was read at its end, so a later change of it is another's. Of a command with unknown write targets some
 * changes are seen a moment late.
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

/** `at` on the monotonic clock; `calls` of the file's tree. One pass: this runs before every write of a changed file. */
export function likelyWriter(path: string, at: number, calls: readonly ToolCall[]): Writer {
  const found = ranks.map((): Found => ({ last: undefined, isOne: true }));
  for (const call of calls) {
    const { startedAt, endedAt = startedAt + longestCallMs } = call;
    if (startedAt > at || at > endedAt + lateMs) continue;
    const isOpen = call.endedAt === undefined;
    const rank = isOpen && names(call, path) ? 0 : call.unknown ? (isOpen ? 1 : 2) : undefined;
    if (rank === undefined) continue;
    const best = found[rank]!;
    best.isOne &&= best.last === undefined || best.last.agent.id === call.agent.id;
    best.last = call;
  }
  const rank = found.findIndex(({ last }) => last !== undefined);
  if (rank === -1) return unknownWriter;
  const { last, isOne } = found[rank]!;
  if (!isOne) return { ...unknownWriter, knownBy: "several" };
  return { author: last!.agent, knownBy: ranks[rank]!, command: last!.command };
}

type Found = { last: ToolCall | undefined; isOne: boolean };
/** Named and under way; unknown and under way; unknown and just over. */
const ranks = ["named", "under-way", "under-way"] as const;

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
