/**
 * Finds the writer of a file that an agent holds. Pure: a change, the tool calls around it and the holds on it give one answer.
 *
 *   a call under way that named the file    -> its agent: the holder's own before another agent's
 *   a call with unknown write targets        -> its agent, likewise; of several others all are named
 *   no call at all                           -> unattributed, where the holder's writes are told to us; a holder without hooks
 *                                               writes unseen, and most likely it was the holder itself
 *
 * One client session is one writer: what a sub-agent does in its parent's hold is the holder's own.
 */
import type { AgentId, AgentRef } from "../../contract/index.ts";
import { lateMs, type ToolCall } from "../guard/index.ts";
import { glob, InvalidPattern, matches } from "../globs/index.ts";

/** `at` on the monotonic clock. */
export type Change = { readonly path: string; readonly at: number };
export type CallOfFamily = Omit<ToolCall, "tree"> & { readonly family: AgentId };
export type Hold = { readonly holder: AgentRef; readonly family: AgentId; readonly isTold: boolean };
export type Attribution =
  | { readonly kind: "own" }
  /** `named`: the call said that it would write this file. */
  | { readonly kind: "others"; readonly agents: readonly AgentRef[]; readonly named: boolean }
  | { readonly kind: "unattributed" };

/** A call whose end is never reported is over after this long. */
export const longestCallMs = 120_000;

export function attribute(
  change: Change,
  calls: readonly CallOfFamily[],
  holds: readonly [Hold, ...Hold[]],
): Attribution {
  const holders = new Set(holds.map(({ family }) => family));
  const around = calls.filter((call) => isAround(change.at, call));
  const naming = around.filter((call) => names(call, change.path));
  for (const [candidates, named] of [
    [naming, true],
    [around.filter(({ unknown }) => unknown), false],
  ] as const) {
    if (candidates.some(({ family }) => holders.has(family))) return { kind: "own" };
    if (candidates.length > 0) return { kind: "others", agents: distinct(candidates), named };
  }
  return holds.some(({ isTold }) => isTold) ? { kind: "unattributed" } : { kind: "own" };
}

function isAround(at: number, { startedAt, endedAt = startedAt + longestCallMs }: CallOfFamily): boolean {
  return startedAt <= at && at <= endedAt + lateMs;
}

function names({ paths, patterns }: CallOfFamily, path: string): boolean {
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

function distinct(calls: readonly CallOfFamily[]): readonly AgentRef[] {
  return [...new Map(calls.map(({ agent }) => [agent.id, agent])).values()];
}
